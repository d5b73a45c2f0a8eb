// All routes of accounts.
import { withPolicy, type Route } from '../platform/http/route.js';
import type { RouteContext } from '../platform/feature.js';
import { ownAccountRoutes } from './account-data.routes.js';
import { changePasswordRoute, regenerateKeyRoute } from './credentials.routes.js';
import { emailChangeRoutes } from './email-change.routes.js';
import { pendingEmailRoute } from './email-change-page.routes.js';
import { forgotPasswordRoute, resetPasswordRoute, verificationRoutes } from './email-links.routes.js';
import { publishableKeyRoutes } from './publishable-keys.routes.js';
import { sessionRoutes } from './sessions.routes.js';
import { registerRoute, signInRoutes } from './sign-in.routes.js';

export async function routes({ deployment, features }: RouteContext): Promise<readonly Route[]> {
  const { minPasswordCharacters } = deployment;
  const exported = await Promise.all(features.map(async ({ exportFields }) => exportFields?.() ?? []));
  const account = withPolicy({ tag: 'Account' }, [
    registerRoute(minPasswordCharacters),
    ...signInRoutes,
    ...sessionRoutes,
    regenerateKeyRoute,
    changePasswordRoute(minPasswordCharacters),
    ...emailChangeRoutes,
    forgotPasswordRoute,
    resetPasswordRoute(minPasswordCharacters),
    ...verificationRoutes,
    ...ownAccountRoutes(exported.flat()),
  ]);
  return [
    // These routes are throttled: each request blocks the event loop for about 0.1 ms, even if it is rejected. Without
    // throttling, a flood of requests would delay all pictures.
    ...withPolicy({ throttled: true }, [...account, ...withPolicy({ tag: 'In a page' }, publishableKeyRoutes)]),
    pendingEmailRoute,
  ];
}
