// Every parameter of a picture as a control, the picture live, and the code for it.
import { useState } from 'react';
import type { Entry } from '../data/queries.js';
import { useSession } from '../session/use-session.js';
import { queryText } from '../data/call.js';
import { CopyIcon } from '../components/copy.js';
import { settings } from '../settings.js';
import { ParameterControl } from './control.js';
import { LivePicture } from './live-picture.js';
import { conflictOf, controlsOf, FORMATS, queryOf, type Chosen, type Format } from './parameters.js';
import { PublishableKeyChoice } from './publishable-key-choice.js';
import { SnippetTabs } from './snippet-tabs.js';
import { pathOf } from './snippets.js';
import { visitorQuery } from './visitor-query.js';

export function UrlBuilder({ entry }: { readonly entry: Entry }) {
  const [format, setFormat] = useState<Format>('svg');
  const [chosen, setChosen] = useState<Chosen>({ size: '128' });
  const [publishableKey, setPublishableKey] = useState<string>();
  const isSignedIn = useSession() === 'signed-in';
  const { slug, title, hex, variants, revision } = entry;
  const query = queryOf(format, chosen);
  const url = settings.origin + pathOf({ slug, format, query });
  return (
    <section className="card" aria-labelledby="builder">
      <div className="card-head">
        <div>
          <h2 id="builder">URL builder</h2>
          <p>Previews cost no quota. The address gives the same bytes.</p>
        </div>
        <FormatChoice format={format} onFormat={setFormat} />
      </div>
      <div className="builder">
        <div className="builder-controls">
          {controlsOf(format).map((control) => (
            <ParameterControl
              key={control.name}
              control={control}
              value={chosen[control.name] ?? ''}
              onValue={(value) => setChosen({ ...chosen, [control.name]: value })}
              conflict={conflictOf(format, control.name, chosen)}
              variants={variants}
              revision={revision}
            />
          ))}
          <button type="button" className="button small" onClick={() => setChosen({})}>
            Reset
          </button>
        </div>
        <div className="builder-result">
          <BuilderPicture entry={entry} format={format} query={query} />
          <div className="secret">
            <code data-testid="built-url">{url}</code>
            <CopyIcon text={url} label="URL" />
          </div>
          {isSignedIn ? (
            <PublishableKeyChoice chosen={publishableKey} onChosen={setPublishableKey} />
          ) : (
            <p className="hint">
              <a href={`/sign-in?next=/catalog/${slug}`}>Sign in</a>, or <a href="/register">get a free key</a>, to have
              one of your publishable keys in the code.
            </p>
          )}
          <SnippetTabs of={{ slug, title, hex, format, query, publishableKey }} />
        </div>
      </div>
    </section>
  );
}

interface BuilderPictureProps {
  readonly entry: Entry;
  readonly format: Format;
  readonly query: Readonly<Record<string, string>>;
}

function BuilderPicture({ entry: { slug, title, variants }, format, query }: BuilderPictureProps) {
  const isSignedIn = useSession() === 'signed-in';
  const shown = isSignedIn ? query : visitorQuery(query, variants);
  return (
    <>
      <LivePicture slug={slug} title={title} format={format} query={shown} />
      {queryText(shown) !== queryText(query) && (
        <p className="hint">
          The picture above is smaller: without signing in, previews have at most {settings.maxVisitorSide} px and scale
          1.
        </p>
      )}
    </>
  );
}

function FormatChoice({ format, onFormat }: { readonly format: Format; readonly onFormat: (format: Format) => void }) {
  return (
    <div className="chips" role="group" aria-label="Format">
      {FORMATS.map((each) => (
        <button key={each} type="button" className="chip" aria-pressed={format === each} onClick={() => onFormat(each)}>
          {each === 'webp' ? 'WebP' : each.toUpperCase()}
        </button>
      ))}
    </div>
  );
}
