// Settings of a page in its URL, so that they can be shared and survive a reload.
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { queryText } from '../data/call.js';
import { useDebounced } from './use-debounced.js';

type Query = Readonly<Record<string, string>>;

/**
 * Time in ms for which a setting must stay unchanged before it is written into the URL, because browsers limit how
 * often a URL may change.
 */
const DEBOUNCE_MS = 250;

/** `initial`: default values. While all values are the default values, the URL has no query. */
export function useAddressQuery(initial: Query): readonly [Query, (query: Query) => void] {
  const [, navigate] = useLocation();
  const search = useSearch();
  const [query, setQuery] = useState(() => parse(search, initial));
  const written = useDebounced(textOf(query, initial), DEBOUNCE_MS);
  useEffect(() => {
    if (written !== textOf(parse(location.search, initial), initial))
      navigate(location.pathname + written, { replace: true });
  }, [written, initial, navigate]);
  return [query, setQuery];
}

function textOf(query: Query, initial: Query): string {
  const text = queryText(query);
  return text === queryText(initial) ? '' : text.replaceAll('%2C', ',');
}

function parse(search: string, initial: Query): Query {
  const given = Object.fromEntries(new URLSearchParams(search));
  return Object.keys(given).length === 0 ? initial : given;
}
