// Guide to the migration from other logo services. Shows their example URLs beside the URLs of this service, which
// contain the account's key.
import { guide, services } from 'virtual:migration';
import { Card } from '../../components/card.js';
import { CopyIcon } from '../../components/copy.js';
import { Icon } from '../../components/icon.js';
import { PublishableKeyChoice, usePublishableKey } from '../../components/publishable-key-choice.js';
import { Markdown } from '../../docs/markdown.js';
import { usePageTitle } from '../../hooks/use-page-title.js';
import { NO_KEY } from '../../picture-code.js';
import { settings } from '../../settings.js';

const ADDRESSES = 'URLs';

function idOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

export default function MigrationPage() {
  usePageTitle('Migrate from another service');
  const { key, choose } = usePublishableKey();
  const written = key ?? NO_KEY;
  return (
    <div className="page stack migration">
      <header className="stack-small">
        <h1>Migrate from another service</h1>
        <p className="lead">
          Change the host of your URLs and keep the rest. Sizes, formats and fallbacks work as before. Pictures come
          from this catalog and from your own brands.
        </p>
      </header>
      <nav className="contents" aria-label="Contents">
        <ul>
          {[ADDRESSES, ...services.map(({ name }) => name), ...guide.map(({ title }) => title)].map((title) => (
            <li key={title}>
              <a href={`#${idOf(title)}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Card
        id={idOf(ADDRESSES)}
        title={ADDRESSES}
        lead={<p>One example of each kind of URL. Keys of the other service are ignored.</p>}
      >
        <div className="card-body">
          <PublishableKeyChoice chosen={key} onChosen={choose} />
        </div>
        <ul className="moves">
          {services.map(({ name, addresses }) => (
            <li key={name} id={idOf(name)}>
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
        <Card key={title} id={idOf(title)} title={title}>
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

/**
 * Replaces the example host and the example key of the document with this service's host and `key`. Removes links to
 * other documents, which are not available here.
 */
function rewritten(text: string, key: string): string {
  const { protocol, hostname } = new URL(settings.origin);
  return text
    .replaceAll(NO_KEY, key)
    .replaceAll("protocol: 'https'", `protocol: '${protocol.slice(0, -1)}'`)
    .replaceAll('https://icons.example', settings.origin)
    .replaceAll('icons.example', hostname)
    .replaceAll(/\[([^[\]]+)\]\([\w-]+\.md[^)]*\)/g, '$1');
}
