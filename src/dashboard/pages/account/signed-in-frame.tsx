// Frame of the account pages: the side bar, and the page for people who are not signed in.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Redirect } from 'wouter';
import { ACCOUNT_PAGES } from '../../account-pages.js';
import { end, restore, useSession } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { Icon } from '../../components/icon.js';
import { ErrorState, PageSkeleton } from '../../components/query-states.js';
import { SignInForm } from '../../components/sign-in-form.js';
import { logoReports, me } from '../../data/queries.js';
import { settings } from '../../settings.js';

interface Props {
  readonly path: string;
  readonly children: ReactNode;
}

export function SignedInFrame({ path, children }: Props) {
  const session = useSession();
  const [error, setError] = useState<unknown>();
  const side = useRef<HTMLElement>(null);
  const pages = useShownPages();
  useEffect(() => {
    if (session === 'unknown') void restore(true).catch(setError);
  }, [session]);
  useEffect(() => {
    const { current: nav } = side;
    const link = nav?.querySelector<HTMLElement>('[aria-current]');
    // On a phone, the navigation is a scrolling row. The link of the current page is scrolled to the center of this
    // row.
    if (nav && link) nav.scrollLeft = link.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
  }, [path, session]);
  if (session === 'signed-out')
    return <Redirect to={`/sign-in?next=${encodeURIComponent(path + location.search)}`} replace />;
  if (session === 'unknown') {
    const retry = (): void => void restore(true).then(() => setError(undefined), setError);
    return error === undefined ? <PageSkeleton /> : <ErrorState error={error} onRetry={retry} />;
  }
  return (
    <div className="with-side">
      <nav ref={side} className="side" aria-label="Dashboard">
        {pages.map(([href, text, icon]) => (
          <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
            <Icon name={icon} size={18} />
            {text}
          </a>
        ))}
      </nav>
      <div className="content">{children}</div>
      {session === 'expired' && <ExpiredDialog />}
    </div>
  );
}

/** Omits pages without content: billing where nothing is sold, and reports for accounts that are not an operator. */
function useShownPages(): readonly (typeof ACCOUNT_PAGES)[number][] {
  const { data } = useQuery({ ...logoReports, enabled: useSession() === 'signed-in' });
  const hidden = [
    ...(settings.billing === 'off' ? ['/billing'] : []),
    ...(data?.isOperator === true ? [] : ['/reports']),
  ];
  return ACCOUNT_PAGES.filter(([href]) => !hidden.includes(href));
}

/** Asks for a new sign-in in a dialog, so that the page behind the dialog and the typed text stay. */
function ExpiredDialog() {
  const { data: account } = useQuery({ ...me, enabled: false });
  return (
    <Dialog
      title="Your session has ended"
      text="Sign in again to go on. This page stays as it is, with everything you typed."
    >
      <SignInForm knownEmail={account?.email} otherAction={<Button onClick={end}>Leave</Button>} />
    </Dialog>
  );
}
