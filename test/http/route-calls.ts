// One good call per route, for the tests that run against all of them.
import { ask, from, newLinkToken, OWN_PAGE } from '../support/auth.js';
import { PASSWORD } from '../support/accounts.js';
import { isMetered, type Route } from '../../src/http/route.js';
import { assetNamed } from '../support/assets.js';
import { DASHBOARD_PAGES } from '../../src/http/routes/dashboard/pages.js';
import type { AccountId } from '../../src/domain/account/account.js';
import { REGISTRATION_LINK_MS, sealRegistration } from '../../src/domain/account/pending-registration.js';
import type { FakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';
import type { Customer, TestServer } from '../support/server.js';

/** Signs the events of Stripe. */
export const WEBHOOK_SECRET = 'whsec_of_every_route';

export interface RouteCall {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Some calls depend on who asks. */
type CallOf = (customer: Customer, server: TestServer, stripe: FakeStripe) => RouteCall | Promise<RouteCall>;

const OFFER = { plan: 'pro', interval: 'month' };

/** Customers of these tests have their tier from the operator, to whom nothing is sold. */
async function letBuy({ id }: Customer, { stores }: TestServer): Promise<void> {
  const account = (await stores.accounts.find(id as AccountId))!;
  await stores.accounts.save({ ...account, operatorTier: null, version: account.version + 1 });
}

async function buy(customer: Customer, server: TestServer, stripe: FakeStripe): Promise<void> {
  await letBuy(customer, server);
  const { body } = await ask(server, '/v1/billing/checkout', {
    body: OFFER,
    headers: { 'X-API-Key': customer.apiKey },
  });
  stripe.completeCheckout((body as { readonly id: string }).id);
  // Finds out what was bought.
  await ask(server, '/v1/billing/checkout', { body: OFFER, headers: { 'X-API-Key': customer.apiKey } });
}

interface KeyAnswer {
  readonly publishableKey: { readonly id: string; readonly key: string };
}

async function publishableKey({ accessToken }: Customer, server: TestServer): Promise<KeyAnswer['publishableKey']> {
  const { body } = await ask(server, '/auth/publishable-keys', { bearer: accessToken, body: { name: 'Website' } });
  return (body as unknown as KeyAnswer).publishableKey;
}

async function keyId(customer: Customer, server: TestServer): Promise<string> {
  return (await publishableKey(customer, server)).id;
}

/** With a key of the customer in the path. */
const iconify =
  (path: string): CallOf =>
  async (customer, server) => ({ path: `/iconify/${(await publishableKey(customer, server)).key}${path}` });

const bought =
  (path: string): CallOf =>
  async (customer, server, stripe) => {
    await buy(customer, server, stripe);
    return { path, body: {} };
  };

const confirmed: RouteCall['body'] = { currentPassword: PASSWORD };

const boughtWithPassword =
  (path: string): CallOf =>
  async (customer, server, stripe) => {
    await buy(customer, server, stripe);
    return { path, body: confirmed };
  };

/** `METHOD path` as in the route list → a call that answers well. */
export const ROUTE_CALLS: Readonly<Record<string, RouteCall | CallOf>> = {
  'POST /auth/register': ({ id }) => ({
    path: '/auth/register',
    body: { email: `${id}@new.example`, password: PASSWORD },
  }),
  'POST /auth/confirm-registration': ({ id }, { registrationSecret }) => ({
    path: '/auth/confirm-registration',
    body: {
      token: sealRegistration(
        {
          email: `${id}@confirmed.example`,
          passwordHash: '$argon2id$none',
          expiresAt: new Date(Date.now() + REGISTRATION_LINK_MS),
        },
        registrationSecret,
      ),
    },
  }),
  'POST /auth/login': ({ email }) => ({ path: '/auth/login', body: { email, password: PASSWORD } }),
  'POST /auth/refresh': { path: '/auth/refresh', body: {} },
  'POST /auth/logout': { path: '/auth/logout', body: {} },
  'GET /auth/sessions': { path: '/auth/sessions' },
  'DELETE /auth/sessions/{id}': async ({ accessToken }, server) => {
    const { body } = await ask(server, '/auth/sessions', { method: 'GET', bearer: accessToken });
    const { sessions } = body as { sessions: { id: string }[] };
    return { path: `/auth/sessions/${sessions[0]!.id}` };
  },
  'POST /auth/logout-all': { path: '/auth/logout-all', body: confirmed },
  'POST /auth/regenerate-key': { path: '/auth/regenerate-key', body: confirmed },
  'GET /auth/publishable-keys': { path: '/auth/publishable-keys' },
  'POST /auth/publishable-keys': {
    path: '/auth/publishable-keys',
    body: { name: 'Website', origins: ['example.com', '*.example.com'], dailyLimit: 1000 },
  },
  'PATCH /auth/publishable-keys/{id}': async (customer, server) => ({
    path: `/auth/publishable-keys/${await keyId(customer, server)}`,
    body: { dailyLimit: null },
  }),
  'DELETE /auth/publishable-keys/{id}': async (customer, server) => ({
    path: `/auth/publishable-keys/${await keyId(customer, server)}`,
  }),
  'POST /auth/change-password': {
    path: '/auth/change-password',
    body: { currentPassword: PASSWORD, newPassword: 'another long pass phrase' },
  },
  'POST /auth/forgot-password': ({ email }) => ({ path: '/auth/forgot-password', body: { email } }),
  'POST /auth/reset-password': async ({ email }, server) => {
    await ask(server, '/auth/forgot-password', { body: { email }, headers: from() });
    return {
      path: '/auth/reset-password',
      body: {
        token: await newLinkToken(server, email, { purpose: 'reset-password' }),
        newPassword: 'another long pass phrase',
      },
    };
  },
  'POST /auth/verify-email': async ({ email, accessToken }, server) => {
    await ask(server, '/auth/resend-verification', { bearer: accessToken });
    return {
      path: '/auth/verify-email',
      body: { token: await newLinkToken(server, email, { purpose: 'verify-email' }) },
    };
  },
  'POST /auth/change-email': ({ id }) => ({
    path: '/auth/change-email',
    body: { currentPassword: PASSWORD, newEmail: `${id}@another.example` },
  }),
  'POST /auth/confirm-email': async ({ id, accessToken }, server) => {
    const newEmail = `${id}@changed.example`;
    await ask(server, '/auth/change-email', { bearer: accessToken, body: { currentPassword: PASSWORD, newEmail } });
    return {
      path: '/auth/confirm-email',
      body: { token: await newLinkToken(server, newEmail, { purpose: 'confirm-email' }) },
    };
  },
  'POST /auth/resend-verification': { path: '/auth/resend-verification', body: {} },
  'GET /auth/me': { path: '/auth/me' },
  'GET /auth/activity': { path: '/auth/activity?limit=5' },
  'POST /auth/export': { path: '/auth/export', body: confirmed },
  'DELETE /auth/account': { path: '/auth/account', body: confirmed },
  'GET /v1/svg/{slug}': { path: '/v1/svg/github' },
  'GET /v1/png/{slug}': { path: '/v1/png/github?size=32' },
  'GET /v1/webp/{slug}': { path: '/v1/webp/github?size=32' },
  'GET /v1/logo/{domain}': { path: '/v1/logo/github.com?size=32' },
  'GET /v1/catalog/{slug}': { path: '/v1/catalog/github' },
  'POST /v1/catalog/batch': { path: '/v1/catalog/batch', body: { slugs: ['github', 'no-such-brand'] } },
  'GET /v1/search': { path: '/v1/search?q=github' },
  'GET /v1/brand': { path: '/v1/brand?domain=github.com' },
  'GET /iconify/{publishableKey}/{prefix}.json': iconify('/blazon.json?icons=github'),
  'GET /iconify/{publishableKey}/{prefix}/{name}.svg': iconify('/blazon/github.svg'),
  'GET /iconify/{publishableKey}/collections': iconify('/collections'),
  'GET /iconify/{publishableKey}/collection': iconify('/collection?prefix=blazon-dark'),
  'GET /iconify/{publishableKey}/last-modified': iconify('/last-modified'),
  'GET /iconify/{publishableKey}/version': iconify('/version'),
  'GET /iconify/{publishableKey}/search': iconify('/search?query=github'),
  'GET /iconify/{publishableKey}/keywords': iconify('/keywords?prefix=gi'),
  'GET /v1/usage': { path: '/v1/usage' },
  'POST /v1/billing/checkout': async (customer, server) => {
    await letBuy(customer, server);
    return { path: '/v1/billing/checkout', body: OFFER };
  },
  'POST /v1/billing/portal': bought('/v1/billing/portal'),
  'POST /v1/billing/webhook': (_customer, _server, stripe) => {
    const event = { id: 'evt_1', object: 'event', type: 'invoice.paid', created: 1, data: { object: {} } };
    const signature = stripe
      .client()
      .webhooks.generateTestHeaderString({ payload: JSON.stringify(event), secret: WEBHOOK_SECRET });
    return { path: '/v1/billing/webhook', body: event, headers: { 'Stripe-Signature': signature } };
  },
  'GET /v1/subscription': { path: '/v1/subscription' },
  'GET /v1/subscription/plans': { path: '/v1/subscription/plans' },
  'POST /v1/subscription/cancel': bought('/v1/subscription/cancel'),
  'POST /v1/subscription/resume': bought('/v1/subscription/resume'),
  'POST /v1/public/visitor-counter/{name}/hits': { path: '/v1/public/visitor-counter/example/hits', body: {} },
  'GET /v1/public/visitor-counter/{name}': { path: '/v1/public/visitor-counter/example' },
  'GET /v1/public/visitor-counter/{name}/badge.svg': { path: '/v1/public/visitor-counter/example/badge.svg' },
  'GET /v1/public/visitor-counter/{name}/shields.json': { path: '/v1/public/visitor-counter/example/shields.json' },
  'GET /v1/analytics/usage': { path: '/v1/analytics/usage?bucket=svg' },
  'GET /v1/analytics/responses': { path: '/v1/analytics/responses' },
  'GET /.well-known/security.txt': { path: '/.well-known/security.txt' },
  'GET /healthz': { path: '/healthz' },
  'GET /readyz': { path: '/readyz' },
  'GET /openapi.json': { path: '/openapi.json' },
  'GET /docs': { path: '/docs' },
  'GET /docs/{file}': { path: '/docs/example.svg' },
  'GET /favicon.ico': { path: '/favicon.ico' },
  ...Object.fromEntries(
    Object.keys(DASHBOARD_PAGES).map((path) => [`GET ${path}`, { path: path.replace('{slug}', 'github') }] as const),
  ),
  'GET /assets/{file}': () => ({ path: `/assets/${assetNamed('.css')}` }),
  'GET /dashboard/search': { path: '/dashboard/search?q=github' },
  'GET /dashboard/catalog/{slug}': { path: '/dashboard/catalog/github' },
  'GET /dashboard/svg/{slug}': { path: '/dashboard/svg/github' },
  'GET /dashboard/png/{slug}': { path: '/dashboard/png/github?size=32' },
  'GET /dashboard/webp/{slug}': { path: '/dashboard/webp/github?size=32' },
  'POST /dashboard/subscription/cancel': boughtWithPassword('/dashboard/subscription/cancel'),
  'POST /dashboard/subscription/resume': boughtWithPassword('/dashboard/subscription/resume'),
};

/** The kind of credential that its header fields carry; `path`: none, the key is in the path. */
export function kindOf(route: Route): string {
  return isMetered(route) && route.publishable === 'path' ? 'path' : route.auth;
}

/** Credentials that the route accepts, as header fields. */
export function credentialsOf(auth: string, { apiKey, accessToken, cookie }: Customer): Record<string, string> {
  switch (auth) {
    case 'key':
    case 'own-key':
    case 'key-or-bearer':
      return { 'X-API-Key': apiKey };
    case 'visitor':
      return { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
    case 'bearer':
      return { Authorization: `Bearer ${accessToken}` };
    case 'cookie':
    case 'bearer-or-cookie':
      return { Cookie: cookie, Origin: OWN_PAGE.Origin };
    default:
      return {};
  }
}
