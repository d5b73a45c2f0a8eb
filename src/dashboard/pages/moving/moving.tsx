// Moving from another service: its URLs and settings of programs, rewritten for a key of the account.
import { guide, services } from 'virtual:moving';
import { Card } from '../../components/card.js';
import { CopyIcon } from '../../components/copy.js';
import { Icon } from '../../components/icon.js';
import { PublishableKeyChoice, usePublishableKey } from '../../components/publishable-key-choice.js';
import { Markdown } from '../../docs/markdown.js';
import { usePageTitle } from '../../hooks/use-page-title.js';
import { NO_KEY } from '../../picture-code.js';
import { settings } from '../../settings.js';

export default function MovingPage() {
  usePageTitle('Moving from another service');
  const { key, choose } = usePublishableKey();
  const written = key ?? NO_KEY;
  return (
    <div className="page stack moving">
      <header className="stack-small">
        <h1>Moving from another service</h1>
        <p className="lead">
          Change the host, and keep the rest: sizes, formats and fallbacks mean what they mean there. The pictures are
          those of this catalog, with your own brands before it.
        </p>
      </header>
      <Card title="Addresses" lead={<p>An example of each kind. Credentials of the other service may stay.</p>}>
        <div className="card-body">
          <PublishableKeyChoice chosen={key} onChosen={choose} />
        </div>
        <ul className="moves">
          {services.map(({ name, addresses }) => (
            <li key={name}>
              <h3>{name}</h3>
              <ul>
                {addresses.map(({ address, here }) => (
                  <Move key={here} from={address} to={settings.origin + here.replace('{publishableKey}', written)} />
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </Card>
      {guide.map(({ title, text }) => (
        <Card key={title} title={title}>
          <div className="card-body stack prose">
            <Markdown text={rewritten(text, written)} />
          </div>
        </Card>
      ))}
    </div>
  );
}

function Move({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <li>
      <code className="quiet">
        <span className="visually-hidden">From </span>
        {from}
      </code>
      <span className="key-line">
        <Icon name="forward" size={15} label="to" />
        <code>{to}</code>
        <CopyIcon text={to} label={`address in place of ${from}`} />
      </span>
    </li>
  );
}

/** Replaces the document's example with this service. Removes links to other documents, which are not available here. */
function rewritten(text: string, key: string): string {
  const { protocol, hostname } = new URL(settings.origin);
  return text
    .replaceAll(NO_KEY, key)
    .replaceAll("protocol: 'https'", `protocol: '${protocol.slice(0, -1)}'`)
    .replaceAll('https://icons.example', settings.origin)
    .replaceAll('icons.example', hostname)
    .replaceAll(/\[([^[\]]+)\]\([\w-]+\.md[^)]*\)/g, '$1');
}
