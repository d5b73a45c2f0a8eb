// Search field in the header, with suggestions while the user types.
import { useEffect, useRef, useState } from 'react';
import type { SearchResult } from '../data/queries.js';
import { formatNumber } from '../format.js';
import { askedHost } from '../host-of.js';
import { Icon } from './icon.js';
import { searchFor, Suggestion, useCombobox, useFound, type Found } from './suggestions.js';

interface Props {
  /** Opens a page, if possible without loading a document. */
  readonly navigate: (path: string) => void;
}

interface Option {
  readonly href: string;
  /** Undefined for the row that links to all results. */
  readonly result?: SearchResult;
}

export function QuickSearch({ navigate }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useFocusBySlash(input);
  const [text, setText] = useState('');
  const found = useFound(text.trim());
  const options = found ? optionsOf(found) : [];
  const open = (href: string): void => {
    setText('');
    input.current?.blur();
    navigate(href);
  };
  const box = useCombobox({
    ...{ text, onText: setText, options },
    onChoose: ({ href }) => open(href),
    onSubmit: () => void addressFor(text.trim(), found).then(open),
  });
  return (
    <form className="quick" role="search" {...box.form}>
      <label className="quick-field">
        <Icon name="search" size={16} />
        <input ref={input} type="search" aria-label="Search the catalog" placeholder="Search logos" {...box.field} />
        <kbd aria-hidden="true">/</kbd>
      </label>
      {box.isShown && (
        <ul {...box.list}>
          {options.map(({ href, result }, at) => (
            <li key={href} {...box.option(at)}>
              {result ? <Suggestion {...result} /> : <MoreResults total={found?.total ?? 0} text={found?.text ?? ''} />}
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}

function MoreResults({ total, text }: { readonly total: number; readonly text: string }) {
  const host = askedHost(text);
  const none = host === undefined ? `No results for “${text}”` : `No brand has the domain ${host}`;
  return (
    <>
      <Icon name="search" size={16} />
      <span className="suggestion-title">{total === 0 ? none : `All ${formatNumber(total)} results`}</span>
    </>
  );
}

function optionsOf({ text, results, total }: Found): readonly Option[] {
  const options = results.map((result): Option => ({ href: `/catalog/${result.slug}`, result }));
  return total > results.length || total === 0 ? [...options, { href: catalogAddress(text) }] : options;
}

function catalogAddress(text: string): string {
  return text === '' ? '/catalog' : `/catalog?q=${encodeURIComponent(text)}`;
}

/**
 * Returns the URL of the entry if exactly one entry matches the text, and the match is more than a similar name.
 * Otherwise returns the URL of the search results in the catalog. Never rejects.
 */
async function addressFor(text: string, found: Found | undefined): Promise<string> {
  if (text === '') return catalogAddress(text);
  const { results, total } =
    found?.text === text ? found : await searchFor(text).catch(() => ({ results: [], total: 0 }));
  const [only] = results;
  const isGuess = only?.match.field === 'typo';
  return only && total === 1 && !isGuess ? `/catalog/${only.slug}` : catalogAddress(text);
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
