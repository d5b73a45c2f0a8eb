// The catalog: search as you type, filters, and a grid of all matches.
import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useLocation, useSearch } from 'wouter';
import { isApiError } from '../../api/error.js';
import { foundCount } from '../../components/found-count.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { ErrorState, Skeleton } from '../../components/query-states.js';
import { queryText } from '../../data/call.js';
import { search, type SearchFilters, type SearchPage, type SearchResult } from '../../data/queries.js';
import { useDebounced } from '../../hooks/use-debounced.js';
import { usePageTitle } from '../../hooks/use-page-title.js';
import { FilterBar } from './filter-bar.js';
import { focusTile, Grid } from './grid.js';
import { LockedCatalog } from './locked-catalog.js';
import { GuessNote, NothingFound } from './nothing-found.js';

const DEBOUNCE_MS = 120;
const FILTERS = ['q', 'category', 'license', 'variant', 'color'] as const;

export default function CatalogPage() {
  usePageTitle('Catalog');
  const [filters, change] = useFilters();
  const input = useRef<HTMLInputElement>(null);
  const searched = useDebounced(filters, DEBOUNCE_MS);
  const query = useInfiniteQuery(search(searched));
  const { data, error, isPlaceholderData } = query;
  const results = useMemo(() => data?.pages.flatMap((page) => page.results) ?? [], [data]);
  const [first] = data?.pages ?? [];
  const isCurrent = data !== undefined && searched === filters && !isPlaceholderData;
  const openSingle = useOpenSingle(isCurrent ? results : undefined);
  if (!data && isApiError(error, 'session_ended')) return <LockedCatalog />;
  return (
    <div className="page">
      <header className="catalog-head">
        <h1>Catalog</h1>
        <SearchBox input={input} text={filters.q} onText={(q) => change({ q })} onEnter={openSingle} />
        <FilterBar filters={filters} onChange={change} facets={first?.facets} results={results} />
        <p role="status" className="quiet small tabular">
          {first && countText(first, isPlaceholderData ? {} : searched)}
        </p>
      </header>
      {data && results.length === 0 ? (
        <NothingFound filters={searched} onReset={() => change(undefined)} />
      ) : (
        <Results {...{ query, results }} name={searched.q} onLeave={() => input.current?.focus()} />
      )}
    </div>
  );
}

interface ResultsProps {
  readonly query: Pick<
    UseInfiniteQueryResult,
    'error' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage' | 'refetch'
  >;
  readonly results: readonly SearchResult[];
  /** Search text. */
  readonly name: string | undefined;
  readonly onLeave: () => void;
}

function Results({ query, results, name, onLeave }: ResultsProps) {
  const { error, hasNextPage, isFetchingNextPage } = query;
  if (results.length === 0)
    return error ? <ErrorState error={error} onRetry={() => void query.refetch()} /> : <GridSkeleton />;
  const more = (): void => void query.fetchNextPage();
  return (
    <>
      {isGuess(results) && name !== undefined && <GuessNote name={name} />}
      <Grid
        results={results}
        hasMore={hasNextPage && !error}
        isLoading={isFetchingNextPage}
        onMore={more}
        onLeave={onLeave}
      />
      <ErrorNote error={error} onRetry={more} />
    </>
  );
}

/** Returns true if no entry has the typed name and the results only have similar names. */
function isGuess([first]: readonly SearchResult[]): boolean {
  return first?.match.field === 'typo';
}

function countText(found: SearchPage, { color = '' }: SearchFilters): string {
  const count = foundCount(found, ['entry', 'entries']);
  return color === '' ? count : `${count} with a color near #${color}`;
}

type Change = (changed: SearchFilters | undefined) => void;

/** Filters in the URL, so that they can be shared. Calling the returned function with undefined clears all filters. */
function useFilters(): readonly [SearchFilters, Change] {
  const text = useSearch();
  const [path, navigate] = useLocation();
  const [filters, setFilters] = useState<SearchFilters>(() => parse(text));
  // Reads the filters again when the header's search or the browser's own buttons have changed the URL.
  useEffect(
    () => setFilters((current) => (queryText(current) === queryText(parse(text)) ? current : parse(text))),
    [text],
  );
  const change: Change = (changed) => {
    const next = changed ? { ...filters, ...changed } : {};
    setFilters(next);
    navigate(path + queryText(next), { replace: true });
  };
  return [filters, change];
}

function parse(text: string): SearchFilters {
  const given = new URLSearchParams(text);
  return Object.fromEntries(FILTERS.flatMap((name) => (given.get(name) ? [[name, given.get(name) ?? '']] : [])));
}

/**
 * Returns a function, called on Enter, that opens the entry if only one matches. `results`: results for the typed text.
 * While they are undefined, the function waits for them.
 */
function useOpenSingle(results: readonly SearchResult[] | undefined): () => void {
  const [, navigate] = useLocation();
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isAsked || !results) return;
    setAsked(false);
    const [only, another] = results;
    if (only && !another && !isGuess(results)) navigate(`/catalog/${only.slug}`);
  }, [isAsked, results, navigate]);
  return () => setAsked(true);
}

interface SearchBoxProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly text: string | undefined;
  readonly onText: (text: string) => void;
  readonly onEnter: () => void;
}

function SearchBox({ input, text = '', onText, onEnter }: SearchBoxProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') onEnter();
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    focusTile(0);
  };
  return (
    <div className="catalog-search" role="search">
      <Icon name="search" size={20} />
      <input
        ref={input}
        type="search"
        aria-label="Search the catalog"
        placeholder="Name, domain or category"
        // No autofocus on phones, because the keyboard would cover the content.
        autoFocus={matchMedia('(pointer: fine)').matches}
        maxLength={100}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {text !== '' && (
        <button type="button" className="icon-button" aria-label="Clear search" onClick={() => onText('')}>
          <Icon name="close" size={18} />
        </button>
      )}
    </div>
  );
}

function GridSkeleton() {
  return (
    <div className="grid-skeleton" aria-busy="true">
      {Array.from({ length: 24 }, (_, at) => (
        <Skeleton key={at} height={124} />
      ))}
    </div>
  );
}
