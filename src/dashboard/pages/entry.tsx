// One entry: all variants on every ground, colors, license, and the URL builder.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { errorText } from '../api/error.js';
import { entry as entryQuery, type Entry, type Variant } from '../data/queries.js';
import { GROUNDS } from '../catalog/live-picture.js';
import { UrlBuilder } from '../catalog/url-builder.js';
import { Icon } from '../components/icon.js';
import { isLocked, LockedCatalog } from '../components/locked-catalog.js';
import { CopyIcon } from '../components/copy.js';
import { Preview } from '../components/preview.js';
import { ErrorState, PageSkeleton } from '../components/states.js';
import { formatDate } from '../format.js';
import { usePage } from '../hooks/use-page.js';

const VARIANT_PX = 96;

export default function EntryPage() {
  const { slug = '' } = useParams();
  const query = useQuery(entryQuery(slug));
  usePage(query.data?.title ?? 'Catalog');
  if (query.data) return <EntryContent entry={query.data} />;
  if (!query.error) return <PageSkeleton />;
  if (isLocked(query.error)) return <LockedCatalog />;
  return (
    <div className="page">
      <h1 className="visually-hidden">Catalog</h1>
      <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
      <p className="form-foot">
        <a href={`/catalog?q=${encodeURIComponent(slug)}`}>Search for similar names</a>
      </p>
    </div>
  );
}

function EntryContent({ entry }: { readonly entry: Entry }) {
  const { slug, title, categories, variants, website } = entry;
  return (
    <div className="page stack">
      <header className="entry-head">
        <a className="back" href="/catalog">
          <Icon name="back" size={16} /> Catalog
        </a>
        <h1>{title}</h1>
        <p className="entry-facts">
          <code>{slug}</code>
          <CopyIcon text={slug} label="slug" />
          {categories.map((category) => (
            <a key={category} className="badge" href={`/catalog?category=${encodeURIComponent(category)}`}>
              {category}
            </a>
          ))}
          {website !== null && <OutsideLink href={website}>Website</OutsideLink>}
        </p>
      </header>
      <div className="entry-columns">
        <div className="stack">
          <UrlBuilder key={slug} entry={entry} />
          <section className="card" aria-labelledby="variants">
            <div className="card-head">
              <h2 id="variants">Variants</h2>
            </div>
            <ul className="variants">
              {variants.map((variant) => (
                <VariantRow key={variant.name} entry={entry} variant={variant} />
              ))}
            </ul>
          </section>
        </div>
        <div className="stack">
          <Colors entry={entry} />
          <Facts entry={entry} />
        </div>
      </div>
    </div>
  );
}

function VariantRow({
  entry: { slug, title },
  variant: { name, width, height, recolorable },
}: {
  readonly entry: Entry;
  readonly variant: Variant;
}) {
  const query = { variant: name, size: VARIANT_PX };
  return (
    <li>
      <div className="variant-name">
        <strong>{name}</strong>
        <span className="hint">
          {Math.round(width)} × {Math.round(height)}
          {recolorable && ' · one color'}
        </span>
      </div>
      <div className="variant-grounds">
        {GROUNDS.map((ground) => (
          <div key={ground} className={`ground ground-${ground}`}>
            <Preview
              slug={slug}
              alt={`${title}, ${name}, on a ${ground} ground`}
              size={VARIANT_PX}
              query={query}
              lazy={false}
            />
          </div>
        ))}
      </div>
    </li>
  );
}

function Colors({ entry: { hex, variants } }: { readonly entry: Entry }) {
  const colors = [
    ...new Set([...(hex === null ? [] : [hex.toLowerCase()]), ...variants.flatMap((variant) => variant.colors)]),
  ].slice(0, 16);
  if (colors.length === 0) return null;
  return (
    <section className="card" aria-labelledby="colors">
      <div className="card-head">
        <h2 id="colors">Colors</h2>
      </div>
      <ul className="colors">
        {colors.map((color) => (
          <li key={color}>
            <span className="swatch" style={{ background: color }} />
            <code>{color}</code>
            {color === hex?.toLowerCase() && <span className="badge">brand</span>}
            <CopyIcon text={color} label={`color ${color}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Facts({ entry }: { readonly entry: Entry }) {
  const { license, guidelines, source, domains, aliases, provenance, revision, updatedAt } = entry;
  return (
    <section className="card" aria-labelledby="facts">
      <div className="card-head">
        <h2 id="facts">License and origin</h2>
      </div>
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
        <Fact name="From">{provenance.map((each) => `${each.package} ${each.version}`).join(', ')}</Fact>
        <Fact name="Revision">
          <code>{revision}</code>, {formatDate(updatedAt)}
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Sources write what they like there; only addresses of the web become links. */
function LinkOrText({ text, url }: { readonly text: string; readonly url: string | null }) {
  return url !== null && /^https?:\/\//.test(url) ? <OutsideLink href={url}>{text}</OutsideLink> : <>{text}</>;
}

function OutsideLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  if (!/^https?:\/\//.test(href)) return null;
  return (
    <a className="outside" href={href} target="_blank" rel="noreferrer noopener">
      {children} <Icon name="external-link" size={13} label="(opens in a new tab)" />
    </a>
  );
}
