// The catalog: search as you type, filters, and a grid of everything that matches.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { queryText } from '../data/call.js';
import { errorText } from '../api/error.js';
import { search, type SearchFilters, type SearchResult } from '../data/queries.js';
import { FilterBar } from '../catalog/filter-bar.js';
import { Grid } from '../catalog/grid.js';
import { Icon } from '../components/icon.js';
import { isLocked, LockedCatalog } from '../components/locked-catalog.js';
import { ErrorNote } from '../components/note.js';
import { Empty, ErrorState, Skeleton } from '../components/states.js';
import { formatNumber } from '../format.js';
import { usePage } from '../hooks/use-page.js';
import { useSettled } from '../hooks/use-settled.js';

const SETTLED_MS = 120;
const FILTERS = ['q', 'category', 'license', 'variant', 'color'] as const;

export default function CatalogPage() {
  usePage('Catalog');
  const [filters, change] = useFilters();
  const settled = useSettled(filters, SETTLED_MS);
  const query = useInfiniteQuery({ ...search(settled), placeholderData: keepPreviousData });
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage } = query;
  const results = useMemo(() => data?.pages.flatMap((page) => page.results) ?? [], [data]);
  const [first] = data?.pages ?? [];
  if (!data && isLocked(error)) return <LockedCatalog />;
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
      {data ? (
        <Matches
          results={results}
          error={error}
          hasMore={hasNextPage}
          isLoading={isFetchingNextPage}
          onMore={() => void fetchNextPage()}
          onReset={() => change(undefined)}
        />
      ) : (
        <NoAnswer error={error} onRetry={() => void query.refetch()} />
      )}
    </div>
  );
}

interface MatchesProps {
  readonly results: readonly SearchResult[];
  /** Of the last page that was asked for. */
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly onReset: () => void;
}

function Matches({ results, error, hasMore, isLoading, onMore, onReset }: MatchesProps) {
  if (results.length === 0) return <NothingFound onReset={onReset} />;
  return (
    <>
      <Grid results={results} hasMore={hasMore && !error} isLoading={isLoading} onMore={onMore} />
      <ErrorNote error={error} onRetry={onMore} />
    </>
  );
}

function NoAnswer({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return error === null ? <GridSkeleton /> : <ErrorState text={errorText(error)} onRetry={onRetry} />;
}

type Change = (changed: SearchFilters | undefined) => void;

/** In the address, so that it can be sent to others; undefined removes all. */
function useFilters(): readonly [SearchFilters, Change] {
  const text = useSearch();
  const [path, navigate] = useLocation();
  const [filters, setFilters] = useState<SearchFilters>(() => parse(text));
  // By the search of the header, or the browser's own buttons.
  useEffect(
    () => setFilters((current) => (serialized(current) === serialized(parse(text)) ? current : parse(text))),
    [text],
  );
  const change: Change = (changed) => {
    const next = changed ? { ...filters, ...changed } : {};
    setFilters(next);
    navigate(path + serialized(next), { replace: true });
  };
  return [filters, change];
}

function parse(text: string): SearchFilters {
  const given = new URLSearchParams(text);
  return Object.fromEntries(FILTERS.flatMap((name) => (given.get(name) ? [[name, given.get(name) ?? '']] : [])));
}

function serialized(filters: SearchFilters): string {
  return queryText({ ...filters });
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
    <Empty icon={<Icon name="no-match" size={36} />} title="Nothing matches">
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
