// Title of a page, and the focus on its beginning after a navigation.
import { useEffect } from 'react';

let isFirst = true;

export function usePage(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Blazon: logos by API' : `${title} – Blazon`;
  }, [title]);
}

/** Called by each frame of pages with the path: readers of screens begin at the content, not where the link was. */
export function useFocusOnNavigation(path: string): void {
  useEffect(() => {
    if (isFirst) {
      isFirst = false;
      return;
    }
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }, [path]);
}
