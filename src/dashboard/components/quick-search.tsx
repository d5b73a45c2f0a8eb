// Search of the header: suggestions while one types, as a combobox of the WAI-ARIA pattern.
import { useEffect, useId, useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { callLike } from '../data/call.js';
import type { SearchPage, SearchResult } from '../data/queries.js';
import { formatNumber } from '../format.js';
import { searchText } from '../host-of.js';
import { useTheme } from '../theme.js';
import { Icon } from './icon.js';
import { Preview } from './preview.js';

const SUGGESTIONS = 6;
const DEBOUNCE_MS = 120;
const LOGO_PX = 24;

interface Props {
  /** Opens a page without loading a document, where that is possible. */
  readonly navigate: (path: string) => void;
}

interface Found extends Pick<SearchPage, 'results' | 'total'> {
  /** The text that was searched for. */
  readonly text: string;
}

/** One row of the list. */
interface Option {
  readonly href: string;
  /** Undefined: the row that leads to all results. */
  readonly result?: SearchResult;
}

export function QuickSearch({ navigate }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useFocusBySlash(input);
  const { id, text, found, options, active, isShown, choose, ...list } = useSuggestions((href) => {
    input.current?.blur();
    navigate(href);
  });
  return (
    <form className="quick" role="search" onSubmit={list.onSubmit} onBlur={list.close}>
      <label className="quick-field">
        <Icon name="search" size={16} />
        <input
          ref={input}
          type="search"
          role="combobox"
          aria-label="Search the catalog"
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={isShown ? `${id}-list` : undefined}
          aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
          autoComplete="off"
          placeholder="Search logos"
          maxLength={100}
          value={text}
          onChange={(event) => list.type(event.target.value)}
          onFocus={list.open}
          onKeyDown={list.onKeyDown}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      {isShown && (
        <ul id={`${id}-list`} className="suggestions" role="listbox" aria-label="Suggestions">
          {options.map(({ href, result }, at) => (
            <li
              key={href}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === active}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(href)}
            >
              {result ? <Suggestion {...result} /> : <AllResults total={found?.total ?? 0} />}
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}

/** State of the field and its list. `open`: of the address that was chosen. */
function useSuggestions(open: (href: string) => void) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const found = useFound(text.trim());
  const options = found ? optionsOf(found) : [];
  const isShown = isOpen && options.length > 0;
  const choose = (href: string): void => {
    setOpen(false);
    setText('');
    open(href);
  };
  return {
    ...{ id: useId(), text, found, options, active, isShown, choose },
    open: () => setOpen(true),
    close: () => setOpen(false),
    type: (typed: string): void => {
      setText(typed);
      setActive(-1);
      setOpen(true);
    },
    onSubmit: (event: SyntheticEvent): void => {
      event.preventDefault();
      const chosen = isShown ? options[active] : undefined;
      if (chosen) choose(chosen.href);
      else void addressFor(text.trim(), found).then(choose);
    },
    onKeyDown: (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && isShown) {
        event.preventDefault();
        setOpen(false);
      }
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (step === 0 || options.length === 0) return;
      event.preventDefault();
      setOpen(true);
      // After the last comes none, and then the first.
      const places = options.length + 1;
      setActive(((active + step + 1 + places) % places) - 1);
    },
  };
}

function Suggestion({ slug, title, domain }: SearchResult) {
  const on = useTheme();
  return (
    <>
      <Preview key={slug} slug={slug} alt="" size={LOGO_PX} query={{ on }} />
      <span className="suggestion-title">{title}</span>
      {domain !== null && <span className="hint">{domain}</span>}
    </>
  );
}

function AllResults({ total }: { readonly total: number }) {
  return (
    <>
      <Icon name="search" size={16} />
      <span>All {formatNumber(total)} results</span>
    </>
  );
}

function optionsOf({ text, results, total }: Found): readonly Option[] {
  const options = results.map((result): Option => ({ href: `/catalog/${result.slug}`, result }));
  return total > results.length ? [...options, { href: catalogAddress(text) }] : options;
}

function catalogAddress(text: string): string {
  return text === '' ? '/catalog' : `/catalog?q=${encodeURIComponent(text)}`;
}

/** The entry that alone is called so, else the catalog. Never rejects. */
async function addressFor(text: string, found: Found | undefined): Promise<string> {
  if (text === '') return catalogAddress(text);
  const { results, total } =
    found?.text === text ? found : await searchFor(text).catch(() => ({ results: [], total: 0 }));
  const [only] = results;
  const isGuess = only?.match.field === 'typo';
  return only && total === 1 && !isGuess ? `/catalog/${only.slug}` : catalogAddress(text);
}

async function searchFor(text: string, signal?: AbortSignal): Promise<Found> {
  const query = { q: searchText(text), limit: SUGGESTIONS };
  const { results, total } = await callLike('/v1/search', '/dashboard/search', { query, signal });
  return { text, results, total };
}

/** What was found last stays while more is typed; nothing without text, or when the service does not answer. */
function useFound(text: string): Found | undefined {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    if (text === '') return undefined;
    const aborting = new AbortController();
    const search = (): void =>
      void searchFor(text, aborting.signal).then(setFound, () => aborting.signal.aborted || setFound(undefined));
    const timer = setTimeout(search, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [text]);
  return text === '' ? undefined : found;
}

function useFocusBySlash(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent): void => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, [input]);
}
