// Shows the page of the current path between a header and a footer. Large pages are loaded when they are opened.
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, type ComponentType, type MouseEvent } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import type { ACCOUNT_PAGES } from './account-pages.js';
import { forgetConfirmed } from './api/confirmation.js';
import { restore, session, useSession } from './api/session.js';
import { ConnectionBanner, OriginBanner } from './components/banners.js';
import { ErrorBoundary } from './components/error-boundary.js';
import { Header } from './components/header.js';
import { PageSkeleton } from './components/query-states.js';
import { Toasts } from './components/toasts.js';
import { queryClient, refetch } from './data/client.js';
import { me } from './data/queries.js';
import { usePlaceOnPage } from './hooks/history-entries.js';
import Account from './pages/account/account.js';
import Billing from './pages/account/billing.js';
import Keys from './pages/account/keys.js';
import OwnBrands from './pages/account/own-brands.js';
import Overview from './pages/account/overview.js';
import Reports from './pages/account/reports.js';
import Sessions from './pages/account/sessions.js';
import { SignedInFrame } from './pages/account/signed-in-frame.js';
import Usage from './pages/account/usage.js';
import Webhooks from './pages/account/webhooks.js';
import FrontPage from './pages/front/front-page.js';
import type * as LogoPages from './pages/logo-pages.js';
import NotFound from './pages/not-found.js';
import AccountDeleted from './pages/sign-in/account-deleted.js';
import ConfirmEmail from './pages/sign-in/confirm-email.js';
import ConfirmRegistration from './pages/sign-in/confirm-registration.js';
import ForgotPassword from './pages/sign-in/forgot-password.js';
import Register from './pages/sign-in/register.js';
import ResetPassword from './pages/sign-in/reset-password.js';
import SignIn from './pages/sign-in/sign-in.js';
import VerifyEmail from './pages/sign-in/verify-email.js';

const logoPage = (name: keyof typeof LogoPages) =>
  lazy(async () => ({ default: (await import('./pages/logo-pages.js'))[name] }));

/** Pages for everybody. */
const OPEN: Readonly<Record<string, ComponentType>> = {
  '/': FrontPage,
  '/register': Register,
  '/confirm-registration': ConfirmRegistration,
  '/sign-in': SignIn,
  '/forgot-password': ForgotPassword,
  '/reset-password': ResetPassword,
  '/verify-email': VerifyEmail,
  '/confirm-email': ConfirmEmail,
  '/account-deleted': AccountDeleted,
  '/catalog': lazy(() => import('./pages/catalog/catalog.js')),
  '/catalog/:slug': logoPage('Entry'),
  '/migration': logoPage('Migration'),
  '/strip': logoPage('Strip'),
};
/** Pages of an account, shown beside the account's navigation. */
const SIGNED_IN: Readonly<Record<(typeof ACCOUNT_PAGES)[number][0], ComponentType>> = {
  '/overview': Overview,
  '/usage': Usage,
  '/keys': Keys,
  '/brands': OwnBrands,
  '/webhooks': Webhooks,
  '/sessions': Sessions,
  '/account': Account,
  '/billing': Billing,
  '/reports': Reports,
};

/** Paths that are not pages of the dashboard. A link to one of them loads a document. */
const OTHER_DOCUMENTS = /^\/(?:docs|openapi\.json|licenses|v1|auth|dashboard|assets)(?:\/|$)/;

export function App() {
  const [path, navigate] = useLocation();
  const { data: account } = useQuery({ ...me, enabled: useSession() === 'signed-in' });
  usePlaceOnPage(path);
  useEffect(() => {
    void restore(false).catch(() => undefined);
    return session.subscribe(followSession);
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

/** After a sign-out, clears the cached answers, because they belong to the account. After a sign-in, reloads them. */
function followSession(): void {
  if (session.get() === 'signed-out') {
    queryClient.clear();
    forgetConfirmed();
  }
  if (session.get() === 'signed-in') void refetch();
}

/** Follows links within the dashboard without loading a document. */
function followLink(event: MouseEvent, navigate: (path: string) => void): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || !isPlainClick(event) || !isWithinDashboard(link)) return;
  event.preventDefault();
  for (const open of document.querySelectorAll<HTMLElement>('[popover]:popover-open')) open.hidePopover();
  navigate(link.pathname + link.search + link.hash);
}

/**
 * Returns true for a click with the main button and without other keys. All other clicks are left to the browser, which
 * may open new tabs and windows.
 */
function isPlainClick({ defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return !defaultPrevented && button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);
}

function isWithinDashboard(link: HTMLAnchorElement): boolean {
  const { origin, target, pathname } = link;
  const isFragment = link.getAttribute('href')?.startsWith('#') === true;
  const isPage = origin === location.origin && !OTHER_DOCUMENTS.test(pathname);
  return isPage && !isFragment && target === '' && !link.hasAttribute('download');
}
