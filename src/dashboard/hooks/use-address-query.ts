// Settings of a page in its address, so that they can be sent to others and survive a reload.
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { queryText } from '../data/call.js';
import { useDebounced } from './use-debounced.js';

type Query = Readonly<Record<string, string>>;

/** Browsers limit how often an address may change. */
const DEBOUNCE_MS = 250;

/** `initial`: what holds where the address says nothing; it is not written there. */
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
