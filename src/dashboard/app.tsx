// The pages by their addresses, the large ones loaded when they are opened, in the frame of header and footer.
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, type ComponentType, type MouseEvent } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { queryClient } from './data/client.js';
import { me } from './data/queries.js';
import { ErrorBoundary } from './components/error-boundary.js';
import { Header } from './components/header.js';
import { ConnectionBanner, OriginBanner } from './components/banners.js';
import { PageSkeleton } from './components/states.js';
import { Toasts } from './components/toasts.js';
import { useFocusOnNavigation } from './hooks/use-page.js';
import Account from './pages/account.js';
import Billing from './pages/billing.js';
import ConfirmEmail from './pages/confirm-email.js';
import ConfirmRegistration from './pages/confirm-registration.js';
import ForgotPassword from './pages/forgot-password.js';
import Front from './pages/front.js';
import Keys from './pages/keys.js';
import NotFound from './pages/not-found.js';
import Overview from './pages/overview.js';
import Register from './pages/register.js';
import ResetPassword from './pages/reset-password.js';
import Sessions from './pages/sessions.js';
import SignIn from './pages/sign-in.js';
import Usage from './pages/usage.js';
import VerifyEmail from './pages/verify-email.js';
import { restore, sessionState, subscribe } from './session/session.js';
import { useSession } from './session/use-session.js';
import { SignedInFrame } from './signed-in-frame.js';

/** Pages for everybody. */
const OPEN: Readonly<Record<string, ComponentType>> = {
  '/': Front,
  '/register': Register,
  '/confirm-registration': ConfirmRegistration,
  '/sign-in': SignIn,
  '/forgot-password': ForgotPassword,
  '/reset-password': ResetPassword,
  '/verify-email': VerifyEmail,
  '/confirm-email': ConfirmEmail,
  '/catalog': lazy(() => import('./pages/catalog.js')),
  '/catalog/:slug': lazy(() => import('./pages/entry.js')),
};
/** Pages of an account. */
const SIGNED_IN: Readonly<Record<string, ComponentType>> = {
  '/overview': Overview,
  '/usage': Usage,
  '/keys': Keys,
  '/sessions': Sessions,
  '/account': Account,
  '/billing': Billing,
};

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
              {Object.entries(OPEN).map(([route, Page]) => (
                <Route key={route} path={route} component={Page} />
              ))}
              {Object.entries(SIGNED_IN).map(([route, Page]) => (
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
      <Toasts />
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
