// Before the user leaves a page whose content cannot be shown again, asks for confirmation. The user may leave by
// reload, link, search or the Back button.
import { useLayoutEffect } from 'react';

let asked: { readonly question: string; readonly href: string } | undefined;

/**
 * Asks `question` before the user leaves the page. If `question` is undefined, the page may be left. Uses a layout
 * effect, because its cleanup runs early: if a redirect replaces the page, the question is removed before the redirect
 * navigates.
 */
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

// If the user stays on the page, the router must not receive the event. This listener is therefore added before the
// router's listener, because listeners of the window run in the order in which they were added.
addEventListener('popstate', (event) => {
  if (asked === undefined || mayLeave()) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', asked.href);
});

/** Asks the question if there is one. Returns true if the page may be left. */
export function mayLeave(): boolean {
  return asked === undefined || confirm(asked.question);
}
