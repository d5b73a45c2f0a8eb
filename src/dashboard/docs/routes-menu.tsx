// The list of routes: beside the reference on wide screens, and a menu on narrow screens. The typed text filters it.
import { useEffect, useRef, useState } from 'react';
import type { ApiDocument, Operation } from './api-document.js';

const MENU = 'routes';

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly operation?: Operation;
}

interface Props {
  readonly api: ApiDocument;
  /** Id of the shown chapter. */
  readonly chapter: string;
}

export function RoutesMenu({ api, chapter }: Props) {
  const [filter, setFilter] = useState('');
  const current = useCurrentSection(chapter);
  const menu = useRef<HTMLElement>(null);
  useEffect(() => {
    keepVisible(menu.current);
  }, [current]);
  const groups = entriesOf(api).map((entries) => entries.filter((entry) => matches(entry, filter)));
  const first = nearest(groups.flat(), filter);
  return (
    <>
      <button type="button" className="button routes-button" popoverTarget={MENU}>
        Routes
      </button>
      <nav ref={menu} id={MENU} className="routes" popover="auto" aria-label="Routes">
        <form
          role="search"
          aria-label="Routes"
          onSubmit={(event) => {
            event.preventDefault();
            if (first) location.hash = first.id;
            menu.current?.hidePopover();
          }}
        >
          <input
            type="search"
            className="input small"
            aria-label="Search all chapters"
            placeholder="Search all chapters"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </form>
        {groups.map((entries) => (
          <ul key={entries[0]?.id}>
            {entries.map(({ id, text, operation }) => (
              <li key={id} className={operation && 'operation-entry'}>
                <a
                  href={`#${id}`}
                  aria-current={id === current ? 'location' : undefined}
                  onClick={() => menu.current?.hidePopover()}
                >
                  {text}{' '}
                  {operation && <span className={`method ${operation.method.toLowerCase()}`}>{operation.method}</span>}
                </a>
              </li>
            ))}
          </ul>
        ))}
        <p role="status">{!first && 'No results.'}</p>
      </nav>
    </>
  );
}

/** Returns the groups of entries in the menu. The first entry of a tag's group is the tag. */
function entriesOf({ groups }: ApiDocument): readonly (readonly Entry[])[] {
  return [
    [
      { id: 'introduction', text: 'Introduction' },
      { id: 'credentials', text: 'Credentials' },
      { id: 'errors', text: 'Errors' },
    ],
    ...groups.map(({ name, id, operations }) => [
      { id, text: name },
      ...operations.map((operation) => ({ id: operation.id, text: operation.summary, operation })),
    ]),
  ];
}

/**
 * Returns true if each word is in the title, the method, the path, the chapter, the description or a parameter's name.
 */
function matches({ id, text, operation }: Entry, filter: string): boolean {
  const { method = '', description = '', parameters = [] } = operation ?? {};
  const names = parameters.map(({ name }) => name).join(' ');
  const place = `${text} ${method} ${id} ${description} ${names}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => place.includes(word));
}

/**
 * Returns the entry that Enter opens: the entry whose path was typed, else an entry whose title or id contains the
 * typed words, else the first entry.
 */
function nearest(found: readonly Entry[], filter: string): Entry | undefined {
  const typed = filter.trim().toLowerCase();
  return (
    found.find(({ operation }) => operation?.path.toLowerCase() === typed) ??
    found.find(({ id, text }) => matches({ id, text }, filter)) ??
    found[0]
  );
}

/** Returns the current section: the section that crosses a line in the upper part of the window. */
function useCurrentSection(chapter: string): string {
  const [current, setCurrent] = useState('');
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entered = entries.filter(({ isIntersecting }) => isIntersecting).at(-1);
        if (entered) setCurrent(entered.target.id);
      },
      { rootMargin: '-18% 0px -82% 0px' },
    );
    for (const section of document.querySelectorAll('[data-section]')) observer.observe(section);
    return () => observer.disconnect();
    // Sections of other chapters are hidden and have no position, so the observation restarts with each chapter.
  }, [chapter]);
  return current;
}

/** Scrolls only the list. `scrollIntoView` would also stop a running scroll of the page. */
function keepVisible(menu: HTMLElement | null): void {
  const link = menu?.querySelector<HTMLElement>('[aria-current]');
  if (!menu || !link) return;
  const top = link.offsetTop - menu.scrollTop;
  if (top < menu.clientHeight * 0.1 || top > menu.clientHeight * 0.9)
    menu.scrollTop = link.offsetTop - menu.clientHeight / 2;
}
