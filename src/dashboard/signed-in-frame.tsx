// Frame of an account's pages: side bar, and the states without a session.
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { Redirect } from 'wouter';
import { errorText } from './api/error.js';
import ExpiredDialog from './components/expired-dialog.js';
import { Icon } from './components/icon.js';
import { ErrorState, PageSkeleton } from './components/states.js';
import { restore } from './session/session.js';
import { useSession } from './session/use-session.js';

const PAGES = [
  ['/overview', 'Overview', 'overview'],
  ['/usage', 'Usage', 'usage'],
  ['/keys', 'Keys', 'keys'],
  ['/sessions', 'Sessions', 'sessions'],
  ['/account', 'Account', 'account'],
  ['/billing', 'Billing', 'billing'],
] as const;

interface Props {
  readonly path: string;
  readonly children: ReactNode;
}

export function SignedInFrame({ path, children }: Props) {
  const session = useSession();
  const [error, setError] = useState<unknown>();
  const side = useRef<HTMLElement>(null);
  useEffect(() => {
    if (session === 'unknown') void restore(true).catch(setError);
  }, [session]);
  useEffect(() => {
    const { current: nav } = side;
    const link = nav?.querySelector<HTMLElement>('[aria-current]');
    // On a phone it is a row that scrolls.
    if (nav && link) nav.scrollLeft = link.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
  }, [path, session]);
  if (session === 'signed-out')
    return <Redirect to={`/sign-in?next=${encodeURIComponent(path + location.search)}`} replace />;
  if (session === 'unknown')
    return error === undefined ? (
      <PageSkeleton />
    ) : (
      <ErrorState
        text={errorText(error)}
        onRetry={() => void restore(true).then(() => setError(undefined), setError)}
      />
    );
  return (
    <div className="with-side">
      <nav ref={side} className="side" aria-label="Dashboard">
        {PAGES.map(([href, text, icon]) => (
          <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
            <Icon name={icon} size={18} />
            {text}
          </a>
        ))}
      </nav>
      <div className="content">
        <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
      </div>
      {session === 'expired' && <ExpiredDialog />}
    </div>
  );
}
