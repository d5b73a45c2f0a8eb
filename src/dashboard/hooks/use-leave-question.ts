// Question before a page is left whose content cannot be shown again: by reload, link, search or the Back button.
import { useLayoutEffect } from 'react';

let asked: { readonly question: string; readonly href: string } | undefined;

/** Undefined: the page may be left. A layout effect, so that it has ended when a redirect in its place navigates. */
export function useLeaveQuestion(question: string | undefined): void {
  useLayoutEffect(() => {
    if (question === undefined) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    asked = { question, href: location.href };
    addEventListener('beforeunload', warn);
    return () => {
      asked = undefined;
      removeEventListener('beforeunload', warn);
    };
  }, [question]);
}

// Added before the router's own: listeners of the window run in this order, and the router must not learn of the event.
addEventListener('popstate', (event) => {
  if (asked === undefined || mayLeave()) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', asked.href);
});

/** Asks, where there is a question. */
export function mayLeave(): boolean {
  return asked === undefined || confirm(asked.question);
}
