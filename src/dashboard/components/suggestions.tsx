// Suggestions of entries while the user types, as a combobox of the WAI-ARIA pattern.
import { useEffect, useId, useState, type KeyboardEvent, type MouseEvent, type SyntheticEvent } from 'react';
import { callLike } from '../data/call.js';
import type { SearchPage, SearchResult } from '../data/queries.js';
import { searchText } from '../host-of.js';
import { useTheme } from '../theme.js';
import { Preview } from './preview.js';

const SUGGESTIONS = 6;
const DEBOUNCE_MS = 120;
const LOGO_PX = 24;
const STEPS: Readonly<Record<string, number | undefined>> = { ArrowDown: 1, ArrowUp: -1 };

export interface Found extends Pick<SearchPage, 'results' | 'total'> {
  /** The text that was searched for. */
  readonly text: string;
}

interface Combobox<Option> {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly options: readonly Option[];
  readonly onChoose: (option: Option) => void;
  /** Called for Enter without a selected option. */
  readonly onSubmit: () => void;
}

/** Returns properties of the form, its field, the list and its options. */
export function useCombobox<Option>({ text, onText, options, onChoose, onSubmit }: Combobox<Option>) {
  const id = useId();
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen && options.length > 0;
  const choose = (option: Option): void => {
    setOpen(false);
    onChoose(option);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      setOpen(false);
    }
    const step = STEPS[event.key];
    if (step === undefined || options.length === 0) return;
    event.preventDefault();
    setOpen(true);
    // The arrow keys cycle through all options and one more position, at which no option is selected.
    const places = options.length + 1;
    setActive(((active + step + 1 + places) % places) - 1);
  };
  return {
    isShown,
    form: {
      onBlur: () => setOpen(false),
      onSubmit: (event: SyntheticEvent): void => {
        event.preventDefault();
        const marked = isShown ? options[active] : undefined;
        if (marked !== undefined) choose(marked);
        else onSubmit();
      },
    },
    field: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': isShown,
      'aria-controls': isShown ? `${id}-list` : undefined,
      'aria-activedescendant': isShown && active >= 0 ? `${id}-${active}` : undefined,
      autoComplete: 'off',
      maxLength: 100,
      value: text,
      onChange: (event: { readonly target: { readonly value: string } }): void => {
        onText(event.target.value);
        setActive(-1);
        setOpen(true);
      },
      onFocus: () => setOpen(true),
      onKeyDown,
    },
    list: { id: `${id}-list`, className: 'suggestions', role: 'listbox', 'aria-label': 'Suggestions' },
    option: (at: number) => ({
      id: `${id}-${at}`,
      role: 'option',
      'aria-selected': at === active,
      // Keeps the focus in the field.
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      onClick: () => options.slice(at, at + 1).forEach(choose),
    }),
  } as const;
}

export function Suggestion({ slug, title, domain }: SearchResult) {
  const on = useTheme();
  return (
    <>
      <Preview key={slug} slug={slug} alt="" size={LOGO_PX} query={{ on }} />
      <span className="suggestion-title">{title}</span>
      {domain !== null && <span className="hint">{domain}</span>}
    </>
  );
}

export async function searchFor(text: string, signal?: AbortSignal): Promise<Found> {
  const query = { q: searchText(text), limit: SUGGESTIONS };
  const { results, total } = await callLike('/v1/search', '/dashboard/search', { query, signal });
  return { text, results, total };
}

/**
 * Keeps the last results while the user types more. Returns undefined without text, or when the service does not
 * answer.
 */
export function useFound(text: string): Found | undefined {
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
