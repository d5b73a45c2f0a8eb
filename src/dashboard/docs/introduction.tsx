// The introduction of the reference. The build also renders it into docs.html (vite.config.js), so that it is visible
// before scripts run.
import type { ApiDocument } from './api-document.js';
import { Markdown } from './markdown.js';

interface Props extends Pick<ApiDocument, 'info'> {
  /** Origin of the service. */
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
