// The catalog: search as you type, filters, and a grid of everything that matches.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { isApiError } from '../../api/error.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { Empty, ErrorState, Skeleton } from '../../components/query-states.js';
import { queryText } from '../../data/call.js';
import { search, type SearchFilters } from '../../data/queries.js';
import { formatNumber } from '../../format.js';
import { useDebounced } from '../../hooks/use-debounced.js';
import { usePageTitle } from '../../hooks/use-page-title.js';
import { FilterBar } from './filter-bar.js';
import { Grid } from './grid.js';
import { LockedCatalog } from './locked-catalog.js';

const DEBOUNCE_MS = 120;
const FILTERS = ['q', 'category', 'license', 'variant', 'color'] as const;

export default function CatalogPage() {
  usePageTitle('Catalog');
  const [filters, change] = useFilters();
  const query = useInfiniteQuery(search(useDebounced(filters, DEBOUNCE_MS)));
  const { data, error, hasNextPage, isFetchingNextPage } = query;
  const results = useMemo(() => data?.pages.flatMap((page) => page.results) ?? [], [data]);
  const [first] = data?.pages ?? [];
  if (!data && isApiError(error, 'session_ended')) return <LockedCatalog />;
  const more = (): void => void query.fetchNextPage();
  return (
    <div className="page">
      <header className="catalog-head">
        <h1>Catalog</h1>
        <SearchBox text={filters.q ?? ''} onText={(q) => change({ q })} />
        <FilterBar filters={filters} onChange={change} facets={first?.facets} results={results} />
        <p role="status" className="quiet small tabular">
          {first && `${formatNumber(first.total)} ${first.total === 1 ? 'entry' : 'entries'}`}
        </p>
      </header>
      {results.length > 0 ? (
        <>
          <Grid results={results} hasMore={hasNextPage && !error} isLoading={isFetchingNextPage} onMore={more} />
          <ErrorNote error={error} onRetry={more} />
        </>
      ) : data ? (
        <NothingFound onReset={() => change(undefined)} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void query.refetch()} />
      ) : (
        <GridSkeleton />
      )}
    </div>
  );
}

type Change = (changed: SearchFilters | undefined) => void;

/** In the address, so that it can be sent to others; undefined removes all. */
function useFilters(): readonly [SearchFilters, Change] {
  const text = useSearch();
  const [path, navigate] = useLocation();
  const [filters, setFilters] = useState<SearchFilters>(() => parse(text));
  // By the search of the header, or the browser's own buttons.
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

function SearchBox({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  return (
    <div className="catalog-search" role="search">
      <Icon name="search" size={20} />
      <input
        type="search"
        aria-label="Search the catalog"
        placeholder="Name, domain or category: github, gihtub, database…"
        // On a phone, its keyboard would hide what there is.
        autoFocus={matchMedia('(pointer: fine)').matches}
        maxLength={100}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      {text !== '' && (
        <button type="button" className="icon-button" aria-label="Clear search" onClick={() => onText('')}>
          <Icon name="close" size={18} />
        </button>
      )}
    </div>
  );
}

function NothingFound({ onReset }: { readonly onReset: () => void }) {
  return (
    <Empty icon="no-match" iconSize={36} title="Nothing matches">
      <p>Try fewer letters, or another category. One or two typing errors are fine.</p>
      <button type="button" className="button" onClick={onReset}>
        Clear search and filters
      </button>
    </Empty>
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
