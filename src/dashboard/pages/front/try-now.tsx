// A field to try the API. For the typed name or domain, shows the picture and the curl command that requests it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/error.js';
import { send } from '../../api/transport.js';
import { Code } from '../../components/copy.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { Preview, previewUrl } from '../../components/preview.js';
import { callLike, queryText } from '../../data/call.js';
import { hostOf, searchText } from '../../host-of.js';
import { useDebounced } from '../../hooks/use-debounced.js';
import { useObjectUrl } from '../../hooks/use-object-url.js';
import { useTheme } from '../../theme.js';
import { requestText } from './request-text.js';

const DEBOUNCE_MS = 250;
const SIDE_PX = 56;

interface Found {
  /** Path and query of the request to the API. */
  readonly path: string;
  readonly title: string;
  /** Undefined if there is no entry and the picture is a monogram. */
  readonly slug: string | undefined;
  /** Loaded picture; undefined to show the catalog's picture of the entry. */
  readonly picture?: Blob;
  /** True if no entry has the typed name. */
  readonly isGuess?: boolean;
}

/** Shown before any request. */
const FIRST: Found = { path: '/v1/svg/github?color=brand', title: 'GitHub', slug: 'github' };

export function TryNow() {
  const [text, setText] = useState('');
  const theme = useTheme();
  const asked = useDebounced(text.trim(), DEBOUNCE_MS);
  const { data, error } = useQuery({
    queryKey: ['try', asked, theme],
    queryFn: ({ signal }) => find(asked, theme, signal),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  });
  const found = asked === '' ? FIRST : data;
  return (
    <div className="try-now">
      <div className="try-picture">{found && <Picture {...found} />}</div>
      <div className="try-question">
        <label className="try-field">
          <Icon name="search" size={18} />
          <input
            type="search"
            aria-label="Name or domain of a brand"
            placeholder="For example stripe.com"
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <p role="status" className="small">
          {found === null ? `No brand is called “${asked}”.` : found && <Finding {...found} />}
        </p>
      </div>
      <ErrorNote error={asked === '' ? null : error} />
      {found && <Code text={requestText(found.path)} label="first request" />}
    </div>
  );
}

function Finding({ slug, title, isGuess = false }: Found) {
  if (slug === undefined) return <>No brand has the domain {title}. This is a monogram instead.</>;
  return (
    <>
      {isGuess && 'Did you mean '}
      <a href={`/catalog/${slug}`}>{isGuess ? `${title}?` : `Open ${title}`}</a>
    </>
  );
}

function Picture({ title, slug, picture }: Found) {
  const on = useTheme();
  const shown = useObjectUrl(picture);
  if (picture === undefined) return <Preview slug={slug ?? ''} alt={title} size={SIDE_PX} query={{ on }} />;
  return <img src={shown} width={SIDE_PX} height={SIDE_PX} alt={title} data-testid="tried-picture" />;
}

/**
 * Finds a brand by its domain, then by its name ("Node.js"). If no brand is found, returns a monogram of the domain.
 * Returns null if the text is not a domain, either.
 */
async function find(text: string, on: 'light' | 'dark', signal: AbortSignal): Promise<Found | null> {
  const byDomain = text.includes('.') ? await findByDomain(text, on, signal) : undefined;
  if (byDomain?.slug !== undefined) return byDomain;
  return (await findByName(text, on, signal)) ?? byDomain ?? null;
}

/** Returns undefined for text that isn't a host. */
async function findByDomain(text: string, on: 'light' | 'dark', signal: AbortSignal): Promise<Found | undefined> {
  const host = hostOf(text).toLowerCase();
  const shown = queryText({ format: 'svg', size: SIDE_PX, on, fallback: 'monogram' });
  try {
    const answer = await send(`/dashboard/logo/${encodeURIComponent(host)}${shown}`, { signal });
    const slug = answer.headers.get('X-Blazon-Slug') ?? undefined;
    const query = queryText({ format: 'svg', fallback: slug === undefined ? 'monogram' : undefined });
    const path = `/v1/logo/${encodeURIComponent(host)}${query}`;
    return { path, title: host, slug, picture: await answer.blob() };
  } catch (error) {
    if (error instanceof ApiError && error.status < 429) return undefined;
    throw error;
  }
}

async function findByName(text: string, on: 'light' | 'dark', signal: AbortSignal): Promise<Found | null> {
  const query = { q: searchText(text), limit: 1 };
  const { results } = await callLike('/v1/search', '/dashboard/search', { query, signal });
  const [first] = results;
  if (!first) return null;
  const { slug, title, match } = first;
  const shown = previewUrl('svg', slug, { size: String(SIDE_PX), on });
  const picture = await (await send(shown, { signal })).blob();
  return { path: `/v1/svg/${slug}`, title, slug, picture, isGuess: match.field === 'typo' };
}
