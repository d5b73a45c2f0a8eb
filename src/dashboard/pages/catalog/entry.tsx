// One entry: all variants on every background, colors, license, and the URL builder.
import { useQuery } from '@tanstack/react-query';
import type { MouseEvent, ReactNode } from 'react';
import { useParams } from 'wouter';
import { isApiError } from '../../api/error.js';
import { Card, Fact } from '../../components/card.js';
import { CopyIcon } from '../../components/copy.js';
import { Icon } from '../../components/icon.js';
import { ErrorState, PageSkeleton } from '../../components/query-states.js';
import { entry as entryQuery, type Entry } from '../../data/queries.js';
import { formatDate } from '../../format.js';
import { lastCatalog } from '../../hooks/history-entries.js';
import { usePageTitle } from '../../hooks/use-page-title.js';
import { useTheme } from '../../theme.js';
import { EntryActions } from './entry-actions.js';
import { FaviconCard } from './favicon-card.js';
import { BACKGROUNDS } from './live-picture.js';
import { LockedCatalog } from './locked-catalog.js';
import { Preview } from '../../components/preview.js';
import { UrlBuilder } from './url-builder.js';

const VARIANT_PX = 96;
const LOGO_PX = 56;

export default function EntryPage() {
  const { slug = '' } = useParams();
  const { data, error, refetch } = useQuery(entryQuery(slug));
  usePageTitle(data?.title ?? 'Catalog');
  if (data) return <EntryContent entry={data} />;
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
  const { slug, title, categories, website } = entry;
  const on = useTheme();
  return (
    <div className="page stack">
      <header className="entry-head">
        <BackLink />
        <div className="entry-logo">
          <Preview slug={slug} alt="" size={LOGO_PX} query={{ on }} />
        </div>
        <h1>{title}</h1>
        <p className="entry-facts">
          <code>{slug}</code>
          <CopyIcon text={slug} label="slug" />
          {categories.map((category) => (
            <a key={category} className="badge" href={`/catalog?category=${encodeURIComponent(category)}`}>
              {category}
            </a>
          ))}
          {isWebAddress(website) && <OutsideLink href={website}>Website</OutsideLink>}
        </p>
        <EntryActions entry={entry} />
      </header>
      <div className="entry-columns">
        <div className="stack">
          <UrlBuilder key={slug} entry={entry} />
          <FaviconCard key={`favicon ${slug}`} entry={entry} />
          <Variants entry={entry} />
        </div>
        <div className="stack">
          <Colors entry={entry} />
          <Facts entry={entry} />
          <p className="hint">
            Several logos in one picture? <a href={`/strip?icons=${encodeURIComponent(slug)}`}>Build a strip</a>
          </p>
          <p className="hint">
            Logos from somewhere else? <a href="/moving">Moving from another service</a>
          </p>
        </div>
      </div>
    </div>
  );
}

/** Links to the previous search, at its former position. */
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

function Variants({ entry: { slug, title, variants } }: Props) {
  return (
    <Card title="Variants">
      <ul className="variants">
        {variants.map(({ name, width, height, recolorable }) => (
          <li key={name}>
            <div className="variant-name">
              <strong>{name}</strong>
              <span className="hint">
                {Math.round(width)} × {Math.round(height)}
                {recolorable && ' · one color'}
              </span>
            </div>
            <div className="variant-backgrounds">
              {BACKGROUNDS.map((background) => (
                <div key={background} className={`background background-${background}`}>
                  <Preview
                    slug={slug}
                    alt={`${title}, ${name}, on a ${background} background`}
                    size={VARIANT_PX}
                    query={{ variant: name }}
                  />
                </div>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Colors({ entry: { hex, variants } }: Props) {
  const brand = hex?.toLowerCase();
  const used = variants.flatMap((variant) => variant.colors);
  const colors = [...new Set(brand === undefined ? used : [brand, ...used])].slice(0, 16);
  if (colors.length === 0) return null;
  return (
    <Card title="Colors">
      <ul className="colors">
        {colors.map((color) => (
          <li key={color}>
            <span className="swatch" style={{ background: color }} />
            <code>{color}</code>
            {color === brand && <span className="badge">brand</span>}
            <CopyIcon text={color} label={`color ${color}`} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Facts({ entry }: Props) {
  const { license, guidelines, source, domains, aliases, provenance, retired, revision, updatedAt } = entry;
  return (
    <Card title="License and origin">
      <dl className="facts card-body">
        <Fact name="License">
          <LinkOrText text={license.type} url={license.url} />
          {!license.redistributable && <span className="badge warn">not redistributable</span>}
        </Fact>
        <Fact name="Brand guidelines">
          {guidelines === null ? 'Not known' : <LinkOrText text="Guidelines" url={guidelines} />}
        </Fact>
        {source !== null && (
          <Fact name="Source">
            <LinkOrText text={source} url={source} />
          </Fact>
        )}
        {domains.length > 0 && <Fact name="Domains">{domains.join(', ')}</Fact>}
        {aliases.length > 0 && <Fact name="Also known as">{aliases.join(', ')}</Fact>}
        <Fact name="From">
          {provenance.map((each) => `${each.package} ${each.version}`).join(', ')}
          {retired && ', dropped since'}
        </Fact>
        <Fact name="Revision">
          <code>{revision}</code>, {formatDate(updatedAt)}
        </Fact>
      </dl>
    </Card>
  );
}

/** Sources may contain any text. Only web addresses become links. */
function isWebAddress(url: string | null): url is string {
  return url !== null && /^https?:\/\//.test(url);
}

function LinkOrText({ text, url }: { readonly text: string; readonly url: string | null }) {
  return isWebAddress(url) ? <OutsideLink href={url}>{text}</OutsideLink> : <>{text}</>;
}

function OutsideLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a className="outside" href={href} target="_blank" rel="noreferrer noopener">
      {children} <Icon name="external-link" size={13} label="(opens in a new tab)" />
    </a>
  );
}
