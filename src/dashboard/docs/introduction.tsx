// The introduction of the reference. The document has it already (vite.config.js): it is there before any script.
import type { ApiDocument } from './api-document.js';
import { Markdown } from './markdown.js';

interface Props extends Pick<ApiDocument, 'info'> {
  /** Of the service. */
  readonly origin: string;
}

export function Introduction({ info, origin }: Props) {
  return (
    <section id="introduction" className="prose" data-section>
      <h1>API reference</h1>
      <p className="lead">
        Version {info.version} at <code>{origin}</code> (<a href="/openapi.json">OpenAPI document</a>)
      </p>
      <Markdown text={info.description} />
    </section>
  );
}
