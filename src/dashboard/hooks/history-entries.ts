// Entries of the browser's history. For each entry, remembers the scroll position at which the page was left, and the
// catalog search that led to the page.
import { useEffect } from 'react';
import type { AroundNavHandler } from 'wouter';
import { mayLeave } from './use-leave-question.js';

/** State of a history entry, as the router stores it. */
interface EntryState {
  readonly key: string;
  /** URL of the page with the link that led to this entry. */
  readonly from: string;
  /** URL of the last viewed catalog search. */
  readonly catalog: string | undefined;
}

/** Maximum time in ms to wait until a page is long enough for its former scroll position. */
const RESTORE_MS = 1000;

/** Scroll positions in px, by the key of the entry. They are lost when the document is unloaded. */
const positions = new Map<string, number>();
let shownPath = location.pathname;
let key = currentKey();
/** Scroll position that the page must still reach after the browser has returned to a history entry. */
let awaited: number | undefined;

history.scrollRestoration = 'manual';
addEventListener('scroll', () => awaited === undefined && positions.set(key, scrollY), { passive: true });
// Added before the router's own listener, so that `key` and `awaited` are set before the router renders the page.
addEventListener('popstate', () => {
  key = currentKey();
  awaited = location.pathname === shownPath ? undefined : (positions.get(key) ?? 0);
});

function entryState(): Partial<EntryState> {
  return (history.state ?? {}) as Partial<EntryState>;
}

function currentKey(): string {
  return entryState().key ?? '';
}

/**
 * Stores the state of a new history entry. The router calls this function for each change of the page in the
 * dashboard. A page may add fields to the state.
 */
export const aroundNavigation: AroundNavHandler = (navigate, to, options) => {
  if (!mayLeave()) return;
  if (options?.replace === true) {
    navigate(to, { ...options, state: { ...entryState(), ...(options.state as object | undefined) } });
    return;
  }
  const from = location.pathname + location.search;
  const catalog = location.pathname === '/catalog' ? from : entryState().catalog;
  const state: EntryState = { key: String(performance.timeOrigin + performance.now()), from, catalog };
  navigate(to, { ...options, state: { ...state, ...(options?.state as object | undefined) } });
  key = state.key;
};

/** Returns the last viewed catalog search, and whether the browser's Back button leads to it. */
export function lastCatalog(): { readonly href: string; readonly isBack: boolean } {
  const { from, catalog } = entryState();
  return { href: catalog ?? '/catalog', isBack: catalog !== undefined && from === catalog };
}

/**
 * Shows a new page from its start, and moves the focus there, so that screen readers start at the content. If the
 * browser returns to a page, shows the page at its former position, with the focus on the link that was followed.
 */
export function usePlaceOnPage(path: string): void {
  useEffect(() => {
    if (path === shownPath) return undefined;
    const left = shownPath;
    shownPath = path;
    if (awaited !== undefined) return restore(awaited, () => focus(linkTo(left) ?? mainContent()));
    scrollTo(0, 0);
    focus(mainContent());
    return undefined;
  }, [path]);
}

/**
 * Scrolls until the position is reached or `RESTORE_MS` have passed, then calls `onDone`. Returns a function that
 * cancels the scrolling and the call.
 */
function restore(position: number, onDone: () => void): () => void {
  const end = performance.now() + RESTORE_MS;
  let frame = 0;
  const attempt = (): void => {
    scrollTo(0, position);
    if (Math.abs(scrollY - position) > 1 && performance.now() < end) {
      frame = requestAnimationFrame(attempt);
      return;
    }
    awaited = undefined;
    // Waits for one more frame, because the grid renders the visible rows only after it has learned the scroll
    // position.
    frame = requestAnimationFrame(onDone);
  };
  attempt();
  return () => {
    cancelAnimationFrame(frame);
    awaited = undefined;
  };
}

function linkTo(path: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`main a[href=${JSON.stringify(path)}]`);
}

function mainContent(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main');
}

function focus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
