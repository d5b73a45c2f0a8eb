// Every parameter of a picture as a control, the live picture, and its code.
import { useSession } from '../../api/session.js';
import { Card } from '../../components/card.js';
import { Chips } from '../../components/chips.js';
import { CodeTabs } from '../../components/code-tabs.js';
import { CopyIcon } from '../../components/copy.js';
import { PublishableKeyChoice, usePublishableKey } from '../../components/publishable-key-choice.js';
import { queryText } from '../../data/call.js';
import type { Entry } from '../../data/queries.js';
import { settings } from '../../settings.js';
import { LivePicture } from './live-picture.js';
import { ParameterControl } from './parameter-control.js';
import { conflictOf, controlsOf, FORMATS, queryOf, type Format } from './parameters.js';
import { addressOf, HINTS, snippets } from './snippets.js';
import { useSettings } from './use-settings.js';
import { visitorQuery } from './visitor-query.js';

export function UrlBuilder({ entry }: { readonly entry: Entry }) {
  const [{ format, chosen }, change] = useSettings();
  const { variants, revision } = entry;
  const formats = (
    <Chips
      label="Format"
      values={FORMATS}
      text={(each) => (each === 'webp' ? 'WebP' : each.toUpperCase())}
      isPressed={(each) => each === format}
      onPress={(pressed) => change({ format: pressed })}
    />
  );
  return (
    <Card title="URL builder" lead={<p>Previews cost no quota. The address gives the same bytes.</p>} action={formats}>
      <div className="builder">
        <div className="builder-controls">
          {controlsOf(format).map((control) => (
            <ParameterControl
              key={control.name}
              control={control}
              value={chosen[control.name] ?? ''}
              onValue={(value) => change({ chosen: { ...chosen, [control.name]: value } })}
              conflict={conflictOf(format, control.name, chosen)}
              variants={variants}
              revision={revision}
            />
          ))}
          <button type="button" className="button small" onClick={() => change({ chosen: {} })}>
            Reset
          </button>
        </div>
        <Result entry={entry} format={format} query={queryOf(format, chosen)} />
      </div>
    </Card>
  );
}

interface ResultProps {
  readonly entry: Entry;
  readonly format: Format;
  readonly query: Readonly<Record<string, string>>;
}

function Result({ entry: { slug, title, domains, variants }, format, query }: ResultProps) {
  const { key, choose } = usePublishableKey();
  const isSignedIn = useSession() === 'signed-in';
  const url = addressOf({ slug, format, query }, key);
  const shown = isSignedIn ? query : visitorQuery(query, variants);
  return (
    <div className="builder-result">
      <LivePicture slug={slug} title={title} format={format} query={shown} />
      {queryText(shown) !== queryText(query) && (
        <p className="hint">
          The picture above is smaller: without signing in, previews have at most {settings.maxVisitorSide} px and scale
          1.
        </p>
      )}
      <div className="stack-small">
        <div className="secret">
          <code data-testid="built-url">{url}</code>
          <CopyIcon text={url} label="URL" />
        </div>
        <p className="hint">
          {key === undefined ? (
            <>
              No key is in this address yet: send it with <code>X-API-Key</code>, or add <code>key=blzp_…</code>.
            </>
          ) : (
            'Your publishable key is in this address: it works as it is, in any page that the key allows.'
          )}
        </p>
      </div>
      <PublishableKeyChoice chosen={key} onChosen={choose} />
      <CodeTabs
        codes={snippets({ slug, title, domain: domains[0], format, query, publishableKey: key })}
        hints={HINTS}
      />
    </div>
  );
}
