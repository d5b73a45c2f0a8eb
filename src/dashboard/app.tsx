// The pages by their addresses, each loaded when it is opened, in the frame of header and footer.
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, type ComponentType, type MouseEvent } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { queryClient } from './data/client.js';
import { me } from './data/queries.js';
import { ErrorBoundary } from './components/error-boundary.js';
import { Header } from './components/header.js';
import { ConnectionBanner, OriginBanner } from './components/banners.js';
import { PageSkeleton } from './components/states.js';
import { useFocusOnNavigation } from './hooks/use-page.js';
import { restore, sessionState, subscribe } from './session/session.js';
import { useSession } from './session/use-session.js';
import { SignedInFrame } from './signed-in-frame.js';

type Load = () => Promise<{ readonly default: ComponentType }>;

/** Pages for everybody. */
const OPEN: Readonly<Record<string, Load>> = {
  '/': () => import('./pages/front.js'),
  '/register': () => import('./pages/register.js'),
  '/sign-in': () => import('./pages/sign-in.js'),
  '/forgot-password': () => import('./pages/forgot-password.js'),
  '/reset-password': () => import('./pages/reset-password.js'),
  '/verify-email': () => import('./pages/verify-email.js'),
  '/catalog': () => import('./pages/catalog.js'),
  '/catalog/:slug': () => import('./pages/entry.js'),
};
/** Pages of an account. */
const SIGNED_IN: Readonly<Record<string, Load>> = {
  '/overview': () => import('./pages/overview.js'),
  '/usage': () => import('./pages/usage.js'),
  '/keys': () => import('./pages/keys.js'),
  '/sessions': () => import('./pages/sessions.js'),
  '/account': () => import('./pages/account.js'),
  '/billing': () => import('./pages/billing.js'),
};

const lazyPages = (loads: Readonly<Record<string, Load>>) =>
  Object.entries(loads).map(([path, load]) => [path, lazy(load)] as const);
const openPages = lazyPages(OPEN);
const signedInPages = lazyPages(SIGNED_IN);
const NotFound = lazy(() => import('./pages/not-found.js'));

/** Documents of their own. */
const OTHER_DOCUMENTS = /^\/(?:docs|openapi\.json|v1|auth|dashboard|assets)(?:\/|$)/;

export function App() {
  const [path, navigate] = useLocation();
  const { data: account } = useQuery({ ...me, enabled: useSession() === 'signed-in' });
  useFocusOnNavigation(path);
  useEffect(() => {
    void restore(false).catch(() => undefined);
    return subscribe(followSession);
  }, []);
  return (
    <div onClick={(event) => followLink(event, navigate)}>
      <OriginBanner />
      <Header path={path} navigate={navigate} email={account?.email} />
      <ConnectionBanner />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={path}>
          <Suspense fallback={<PageSkeleton />}>
            <Switch>
              {openPages.map(([route, Page]) => (
                <Route key={route} path={route} component={Page} />
              ))}
              {signedInPages.map(([route, Page]) => (
                <Route key={route} path={route}>
                  <SignedInFrame path={path}>
                    <Page />
                  </SignedInFrame>
                </Route>
              ))}
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
    </div>
  );
}

/** Cached answers are of one account. */
function followSession(): void {
  if (sessionState() === 'signed-out') queryClient.clear();
  else if (sessionState() === 'signed-in') void queryClient.invalidateQueries();
}

/** Links within the dashboard load no document. */
function followLink(event: MouseEvent, navigate: (path: string) => void): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || !isPlainClick(event) || !isWithinDashboard(link)) return;
  event.preventDefault();
  for (const open of document.querySelectorAll<HTMLElement>('[popover]:popover-open')) open.hidePopover();
  navigate(link.pathname + link.search + link.hash);
}

/** Others open new tabs and windows. */
function isPlainClick({ defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return !defaultPrevented && button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);
}

function isWithinDashboard(link: HTMLAnchorElement): boolean {
  const { origin, target, pathname } = link;
  const isPart = link.getAttribute('href')?.startsWith('#') === true;
  return (
    origin === location.origin &&
    target === '' &&
    !link.hasAttribute('download') &&
    !isPart &&
    !OTHER_DOCUMENTS.test(pathname)
  );
}
