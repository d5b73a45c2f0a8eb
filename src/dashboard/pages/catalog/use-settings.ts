// Settings of the URL builder in the page's address, so that they can be sent to others and survive a reload.
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { queryText } from '../../data/call.js';
import { useDebounced } from '../../hooks/use-debounced.js';
import { FORMATS, type Chosen, type Format } from './parameters.js';

export interface Settings {
  readonly format: Format;
  readonly chosen: Chosen;
}

const INITIAL: Settings = { format: 'svg', chosen: { size: '128' } };
/** Browsers limit how often an address may change. */
const DEBOUNCE_MS = 250;

export function useSettings(): readonly [Settings, (changed: Partial<Settings>) => void] {
  const [, navigate] = useLocation();
  const search = useSearch();
  const [settings, setSettings] = useState(() => parse(search));
  const text = textOf(settings);
  const written = useDebounced(text, DEBOUNCE_MS);
  useEffect(() => {
    if (written !== textOf(parse(location.search))) navigate(location.pathname + written, { replace: true });
  }, [written, navigate]);
  return [settings, (changed) => setSettings({ ...settings, ...changed })];
}

/** Nothing for what holds at first. */
function textOf({ format, chosen }: Settings): string {
  const text = queryText({ format, ...chosen });
  return text === queryText({ format: INITIAL.format, ...INITIAL.chosen }) ? '' : text;
}

/** What is no parameter of a picture is dropped when the address of the picture is made. */
function parse(search: string): Settings {
  const { format, ...chosen } = Object.fromEntries(new URLSearchParams(search));
  if (Object.keys(chosen).length === 0 && format === undefined) return INITIAL;
  return { format: FORMATS.find((each) => each === format) ?? INITIAL.format, chosen };
}
