// One entry: the picture, the settings of its URL, code, colors and rights.
import { useQuery } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { useParams } from 'wouter';
import { isApiError } from '../../api/error.js';
import { Icon } from '../../components/icon.js';
import { ErrorState, PageSkeleton } from '../../components/query-states.js';
import { usePublishableKey } from '../../components/publishable-key-choice.js';
import { entry as entryQuery, type Entry } from '../../data/queries.js';
import { lastCatalog } from '../../hooks/history-entries.js';
import { usePageTitle } from '../../hooks/use-page-title.js';
import { useSession } from '../../api/session.js';
import { BrandColors } from './brand-colors.js';
import { CodeCard } from './code-card.js';
import { EntryActions } from './entry-actions.js';
import { FaviconCard } from './favicon-card.js';
import { LockedCatalog } from './locked-catalog.js';
import { OutsideLink, isWebAddress } from './outside-link.js';
import { queryOf } from './parameters.js';
import { PictureSettings } from './picture-settings.js';
import { RightsCard } from './rights-card.js';
import { Stage } from './stage.js';
import { useSettings, withGround } from './use-settings.js';
import { visitorQuery } from './visitor-query.js';

export default function EntryPage() {
  const { slug = '' } = useParams();
  const { data, error, refetch } = useQuery(entryQuery(slug));
  usePageTitle(data?.title ?? 'Catalog');
  if (data) return <EntryContent key={slug} entry={data} />;
  if (!error) return <PageSkeleton />;
  if (isApiError(error, 'session_ended')) return <LockedCatalog />;
  return (
    <div className="page">
      <h1 className="visually-hidden">Catalog</h1>
      <ErrorState error={error} onRetry={() => void refetch()} />
      <p className="form-foot">
        <a href={`/catalog?q=${encodeURIComponent(slug)}`}>Search for similar names</a>
      </p>
    </div>
  );
}

interface Props {
  readonly entry: Entry;
}

function EntryContent({ entry }: Props) {
  const [settings, change, reset] = useSettings();
  const { key, choose } = usePublishableKey();
  const isSignedIn = useSession() === 'signed-in';
  const { format, ground } = settings;
  const query = queryOf(format, withGround(settings));
  const shown = isSignedIn ? query : visitorQuery(query, entry.variants);
  const picture = { entry, format, query, publishableKey: key };
  return (
    <div className="page entry">
      <EntryHead entry={entry} />
      <div className="entry-main">
        <Stage
          entry={entry}
          format={format}
          query={shown}
          isSmaller={shown !== query && JSON.stringify(shown) !== JSON.stringify(query)}
          ground={ground}
          onGround={(next) => change({ ground: next })}
        />
        <div className="entry-panel">
          <EntryActions {...picture} shown={shown} />
          <PictureSettings entry={entry} settings={settings} onChange={change} onReset={reset} />
        </div>
      </div>
      <div className="entry-columns">
        <div className="stack">
          <CodeCard {...picture} onFormat={(next) => change({ format: next })} onKey={choose} />
          <FaviconCard entry={entry} />
        </div>
        <div className="stack">
          <BrandColors entry={entry} />
          <RightsCard entry={entry} />
          <p className="hint">
            <a href={`/strip?icons=${encodeURIComponent(entry.slug)}`}>Combine several logos in one picture</a>
          </p>
          <p className="hint">
            <a href="/migration">Migrate from another service</a>
          </p>
        </div>
      </div>
    </div>
  );
}

function EntryHead({ entry: { title, slug, categories, website, domain } }: Props) {
  return (
    <header className="entry-head">
      <BackLink />
      <h1>{title}</h1>
      <p className="entry-facts">
        {isWebAddress(website) && <OutsideLink href={website}>{domain ?? 'Website'}</OutsideLink>}
        <code>{slug}</code>
        {categories.map((category) => (
          <a key={category} className="badge" href={`/catalog?category=${encodeURIComponent(category)}`}>
            {category}
          </a>
        ))}
      </p>
    </header>
  );
}

/**
 * Links to the last viewed search. If the browser's Back button leads to this search, a click on the link goes back, so
 * that the search has its former scroll position.
 */
function BackLink() {
  const { href, isBack } = lastCatalog();
  const goBack = (event: MouseEvent): void => {
    if (!isBack || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.back();
  };
  return (
    <a className="back" href={href} onClick={goBack}>
      <Icon name="back" size={16} /> Catalog
    </a>
  );
}
