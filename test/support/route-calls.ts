// A valid request for each route, for tests that cover all routes.
import { strToU8, zipSync } from 'fflate';
import { ask, from, newLinkToken, OWN_PAGE } from './auth.js';
import { PASSWORD } from './accounts.js';
import { isMetered, type Route } from '../../src/platform/http/route.js';
import { assetNamed } from './assets.js';
import type { AccountId } from '../../src/accounts/account.js';
import type { LinkPurpose } from '../../src/accounts/email-link.js';
import { REGISTRATION_LINK_MS, sealRegistration } from '../../src/accounts/pending-registration.js';
import type { FakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';
import { accountToken } from '../../src/accounts/account-token.js';
import { newDelivery } from '../../src/webhooks/delivery.js';
import { UNSUBSCRIBE } from '../../src/quota-alerts/quota-alerts.js';
import type { Customer, TestServer } from './server.js';

/** Secret that signs Stripe's events. */
export const WEBHOOK_SECRET = 'whsec_of_every_route';

export interface RouteCall {
  readonly path: string;
  readonly body?: unknown;
  /** Body, as it is sent. Overrides `body`. */
  readonly text?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

type Given = Partial<RouteCall>;
/** Valid request, or function that prepares one for a customer. */
type CallOf = (customer: Customer, server: TestServer, stripe: FakeStripe) => Given | Promise<Given>;

const OFFER = { plan: 'pro', interval: 'month' };

/** Removes the tier that the operator has set, because an account with this tier cannot buy anything. */
async function letBuy({ id }: Customer, { change }: TestServer): Promise<void> {
  await change(id as AccountId, () => ({ operatorTier: null }));
}

/** Value of OPERATOR_EMAILS for servers that receive these requests. */
export const OPERATOR_EMAIL = 'operator@example.com';

/**
 * Sets the customer's e-mail address to the operator's address. If another account has this address, changes the
 * address of that account first.
 */
async function becomeOperator({ id }: Customer, { change, stores }: TestServer): Promise<void> {
  const previous = await stores.accounts.findByEmail(OPERATOR_EMAIL);
  if (previous) await change(previous.id, () => ({ email: `not-${previous.id.toLowerCase()}@example.com` }));
  await change(id as AccountId, () => ({ email: OPERATOR_EMAIL, emailVerified: true }));
}

const bought =
  (body: object): CallOf =>
  async (customer, server, stripe) => {
    await letBuy(customer, server);
    const checkout = () =>
      ask(server, '/v1/billing/checkout', { body: OFFER, headers: { 'X-API-Key': customer.apiKey } });
    stripe.completeCheckout(((await checkout()).body as { readonly id: string }).id);
    // Starts a second checkout, because this makes the service read the first purchase from Stripe.
    await checkout();
    return { body };
  };

interface KeyAnswer {
  readonly publishableKey: { readonly id: string; readonly key: string };
}

export async function publishableKey(
  { accessToken }: Customer,
  server: TestServer,
): Promise<KeyAnswer['publishableKey']> {
  const { body } = await ask(server, '/auth/publishable-keys', { bearer: accessToken, body: { name: 'Website' } });
  return (body as unknown as KeyAnswer).publishableKey;
}

const oneKey =
  (body?: object): CallOf =>
  async (customer, server) => ({
    path: `/auth/publishable-keys/${(await publishableKey(customer, server)).id}`,
    ...(body && { body }),
  });

/** Request with the customer's publishable key in the path. */
const iconify =
  (path: string): CallOf =>
  async (customer, server) => ({ path: `/iconify/${(await publishableKey(customer, server)).key}${path}` });

const compat =
  (path: string): CallOf =>
  async (customer, server) => ({ path: `/compat/${(await publishableKey(customer, server)).key}${path}` });

const token = async (server: TestServer, email: string, purpose: LinkPurpose) => ({
  token: await newLinkToken(server, email, { purpose }),
});

const confirmed = { body: { currentPassword: PASSWORD } };
const newPassword = 'another long pass phrase';

const ENDPOINT = { url: 'https://example.com/hook', kinds: ['key.regenerated'] };

/** Request that needs a webhook endpoint and a delivery. They are created first. */
const webhook =
  (path: string, call: Given = {}): CallOf =>
  async ({ accessToken }, server) => {
    const added = await ask(server, '/auth/webhooks', { bearer: accessToken, body: ENDPOINT });
    const { id } = (added.body as { webhook: { id: string } }).webhook;
    const event = { id: `evt_${'0'.repeat(18)}`, kind: 'webhook.test', atMs: Date.now(), data: {} } as const;
    const delivery = newDelivery({ id }, event);
    await server.stores.webhookDeliveries.add([delivery]);
    return { path: `/auth/webhooks/${id}${path.replace('{deliveryId}', delivery.id)}`, ...call };
  };

const OWN_BRAND = '/v1/brands/intranet';
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path fill="#f00" d="M0 0h2v2H0z"/></svg>';
const SVG = { 'Content-Type': 'image/svg+xml' };

/** Request that needs an own brand. The brand is created first, with these variants. */
const ownBrand =
  (call: Given = {}, variants: readonly string[] = []): CallOf =>
  async ({ apiKey }, { base }) => {
    const put = (path: string, body: string, headers = {}) =>
      fetch(base + path, { method: 'PUT', body, headers: { 'X-API-Key': apiKey, ...headers } });
    await put(OWN_BRAND, '{"title":"Intranet"}', { 'Content-Type': 'application/json' });
    for (const variant of variants) await put(`${OWN_BRAND}/variants/${variant}`, DRAWING, SVG);
    return { path: OWN_BRAND, ...call };
  };

/** `METHOD path` of a route → valid request. */
const CALLS: Readonly<Record<string, Given | CallOf>> = {
  'POST /auth/register': ({ id }) => ({ body: { email: `${id}@new.example`, password: PASSWORD } }),
  'POST /auth/confirm-registration': ({ id }, { registrationSecret }) => {
    const expiresAt = new Date(Date.now() + REGISTRATION_LINK_MS);
    const registration = { email: `${id}@confirmed.example`, passwordHash: '$argon2id$none', expiresAt };
    return { body: { token: sealRegistration(registration, registrationSecret) } };
  },
  'POST /auth/login': ({ email }) => ({ body: { email, password: PASSWORD } }),
  'DELETE /auth/sessions/{id}': async ({ accessToken }, server) => {
    const { body } = await ask(server, '/auth/sessions', { method: 'GET', bearer: accessToken });
    const { sessions } = body as { sessions: { id: string }[] };
    return { path: `/auth/sessions/${sessions[0]!.id}` };
  },
  'POST /auth/logout-all': confirmed,
  'POST /auth/regenerate-key': confirmed,
  'POST /auth/publishable-keys': {
    body: { name: 'Website', origins: ['example.com', '*.example.com'], dailyLimit: 1000 },
  },
  'PATCH /auth/publishable-keys/{id}': oneKey({ dailyLimit: null }),
  'DELETE /auth/publishable-keys/{id}': oneKey(),
  'PATCH /auth/alerts': { body: { quota: false } },
  'POST /auth/alerts/unsubscribe': ({ id }, { linkSecret }) => ({
    path: `/auth/alerts/unsubscribe?token=${accountToken(id as AccountId, UNSUBSCRIBE.purpose, linkSecret)}`,
  }),
  'POST /auth/webhooks': { body: ENDPOINT },
  'GET /auth/webhooks/{id}': webhook(''),
  'PATCH /auth/webhooks/{id}': webhook('', { body: { description: 'Team' } }),
  'DELETE /auth/webhooks/{id}': webhook(''),
  'POST /auth/webhooks/{id}/rotate-secret': webhook('/rotate-secret'),
  'POST /auth/webhooks/{id}/test': webhook('/test'),
  'GET /auth/webhooks/{id}/deliveries': webhook('/deliveries?limit=5'),
  'POST /auth/webhooks/{id}/deliveries/{deliveryId}/replay': webhook('/deliveries/{deliveryId}/replay'),
  'POST /auth/webhooks/{id}/replay': webhook('/replay', { body: { since: '2026-01-01T00:00:00Z' } }),
  'POST /auth/change-password': { body: { ...confirmed.body, newPassword } },
  'POST /auth/forgot-password': ({ email }) => ({ body: { email } }),
  'POST /auth/reset-password': async ({ email }, server) => {
    await ask(server, '/auth/forgot-password', { body: { email }, headers: from() });
    return { body: { ...(await token(server, email, 'reset-password')), newPassword } };
  },
  'POST /auth/verify-email': async ({ email, accessToken }, server) => {
    await ask(server, '/auth/resend-verification', { bearer: accessToken });
    return { body: await token(server, email, 'verify-email') };
  },
  'POST /auth/change-email': ({ id }) => ({ body: { ...confirmed.body, newEmail: `${id}@another.example` } }),
  'POST /auth/confirm-email': async ({ id, accessToken }, server) => {
    const newEmail = `${id}@changed.example`;
    await ask(server, '/auth/change-email', { bearer: accessToken, body: { ...confirmed.body, newEmail } });
    return { body: await token(server, newEmail, 'confirm-email') };
  },
  'GET /auth/activity': { path: '/auth/activity?limit=5' },
  'POST /auth/export': confirmed,
  'DELETE /auth/account': confirmed,
  'GET /v1/png/{slug}': { path: '/v1/png/github?size=32' },
  'GET /v1/webp/{slug}': { path: '/v1/webp/github?size=32' },
  'GET /v1/logo/{domain}': { path: '/v1/logo/github.com?size=32' },
  'GET /v1/strip': { path: '/v1/strip?icons=github' },
  'GET /v1/favicon/{name}/{file}': { path: '/v1/favicon/github/favicon.ico' },
  'POST /v1/catalog/batch': { body: { slugs: ['github', 'no-such-brand'] } },
  'GET /v1/search': { path: '/v1/search?q=github' },
  'GET /v1/brand': { path: '/v1/brand?domain=github.com' },
  'PUT /v1/brands': {
    text: zipSync({ 'intranet.svg': strToU8(DRAWING) }),
    headers: { 'Content-Type': 'application/zip' },
  },
  'GET /v1/brands/{slug}': ownBrand(),
  'PUT /v1/brands/{slug}': {
    body: { title: 'Intranet', domains: ['intranet.corp'], links: { website: 'https://a.b' } },
  },
  'PATCH /v1/brands/{slug}': ownBrand({ body: { title: 'Wiki' } }),
  'DELETE /v1/brands/{slug}': ownBrand(),
  'PUT /v1/brands/{slug}/variants/{variant}': ownBrand({
    path: `${OWN_BRAND}/variants/default`,
    text: DRAWING,
    headers: SVG,
  }),
  'DELETE /v1/brands/{slug}/variants/{variant}': ownBrand({ path: `${OWN_BRAND}/variants/wordmark` }, [
    'default',
    'wordmark',
  ]),
  'POST /v1/drawings': { text: DRAWING, headers: SVG },
  'GET /iconify/{publishableKey}/{prefix}.json': iconify('/blazon.json?icons=github'),
  'GET /iconify/{publishableKey}/{prefix}/{name}.svg': iconify('/blazon/github.svg'),
  'GET /iconify/{publishableKey}/collections': iconify('/collections'),
  'GET /iconify/{publishableKey}/collection': iconify('/collection?prefix=blazon-dark'),
  'GET /iconify/{publishableKey}/last-modified': iconify('/last-modified'),
  'GET /iconify/{publishableKey}/version': iconify('/version'),
  'GET /iconify/{publishableKey}/search': iconify('/search?query=github'),
  'GET /iconify/{publishableKey}/keywords': iconify('/keywords?prefix=gi'),
  'GET /compat/{publishableKey}/clearbit/{domain}': compat('/clearbit/github.com?size=32'),
  'GET /compat/{publishableKey}/clearbit/v1/companies/suggest': compat('/clearbit/v1/companies/suggest?query=git'),
  'GET /compat/{publishableKey}/clearbit/v1/domains/find': compat('/clearbit/v1/domains/find?name=GitHub'),
  'GET /compat/{publishableKey}/logodev/{domain}': compat('/logodev/github.com?size=32'),
  'GET /compat/{publishableKey}/logodev/name/{name}': compat('/logodev/name/GitHub?size=32'),
  'GET /compat/{publishableKey}/brandfetch/v2/search/{name}': compat('/brandfetch/v2/search/git'),
  'GET /compat/{publishableKey}/brandfetch/{+path}': compat('/brandfetch/github.com/w/32/h/32/icon.png'),
  'GET /compat/{publishableKey}/google/s2/favicons': compat('/google/s2/favicons?domain=github.com'),
  'GET /compat/{publishableKey}/google/faviconV2': compat('/google/faviconV2?url=https://github.com'),
  'GET /compat/{publishableKey}/bitwarden/{domain}/icon.png': compat('/bitwarden/github.com/icon.png'),
  'GET /compat/{publishableKey}/besticon/icon': compat('/besticon/icon?url=github.com&size=32'),
  'GET /compat/{publishableKey}/duckduckgo/ip3/{domain}.ico': compat('/duckduckgo/ip3/github.com.ico'),
  'GET /compat/{publishableKey}/skillicons/icons': compat('/skillicons/icons?i=js,github'),
  'GET /compat/{publishableKey}/simpleicons/{slug}': compat('/simpleicons/github'),
  'GET /compat/{publishableKey}/simpleicons/{slug}/{color}': compat('/simpleicons/github/0cf'),
  'GET /compat/{publishableKey}/simpleicons/{slug}/{color}/{darkColor}': compat('/simpleicons/github/0cf/fff'),
  'GET /r/registry.json': { path: '/r/registry.json?q=github' },
  'GET /r/{name}.json': { path: '/r/github.json' },
  'POST /mcp': {
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_variants', arguments: { slug: 'github' } },
    },
  },
  'POST /v1/billing/checkout': async (customer, server) => {
    await letBuy(customer, server);
    return { body: OFFER };
  },
  'POST /v1/billing/portal': bought({}),
  'POST /v1/billing/webhook': (_customer, _server, stripe) => {
    const event = { id: 'evt_1', object: 'event', type: 'invoice.paid', created: 1, data: { object: {} } };
    const signature = stripe
      .client()
      .webhooks.generateTestHeaderString({ payload: JSON.stringify(event), secret: WEBHOOK_SECRET });
    return { body: event, headers: { 'Stripe-Signature': signature } };
  },
  'POST /v1/subscription/cancel': bought({}),
  'POST /v1/subscription/resume': bought({}),
  'GET /v1/analytics/usage': { path: '/v1/analytics/usage?bucket=svg' },
  'GET /docs/{file}': { path: '/docs/example.svg' },
  'GET /docs/guides/{page}': { path: '/docs/guides/api' },
  'GET /docs/guides/pictures/{file}': { path: '/docs/guides/pictures/plain.png' },
  'GET /assets/{file}': () => ({ path: `/assets/${assetNamed('.css')}` }),
  'GET /dashboard/search': { path: '/dashboard/search?q=github' },
  'POST /v1/catalog/{slug}/reports': { path: '/v1/catalog/github/reports', body: { reason: 'outdated' } },
  'DELETE /dashboard/reports/{slug}': async (customer, server) => {
    await becomeOperator(customer, server);
    return {};
  },
  'POST /dashboard/missing': { body: { name: 'Acme' } },
  'GET /dashboard/logo/{domain}': { path: '/dashboard/logo/github.com?size=32' },
  'GET /dashboard/strip': { path: '/dashboard/strip?icons=github,stripe' },
  'GET /dashboard/favicon/{name}/{file}': { path: '/dashboard/favicon/github/favicon.ico' },
  'GET /dashboard/png/{slug}': { path: '/dashboard/png/github?size=32' },
  'GET /dashboard/webp/{slug}': { path: '/dashboard/webp/github?size=32' },
  'POST /dashboard/billing/checkout': async (customer, server) => {
    await letBuy(customer, server);
    return { body: { ...OFFER, ...confirmed.body } };
  },
  'POST /dashboard/billing/portal': bought(confirmed.body),
  'POST /dashboard/subscription/cancel': bought(confirmed.body),
  'POST /dashboard/subscription/resume': bought(confirmed.body),
};

/** Returns a valid request for the route. If `CALLS` contains none, returns the path without fields. */
export async function callOf(
  { method, path, body }: Route,
  ...who: readonly [Customer, TestServer, FakeStripe]
): Promise<RouteCall> {
  const given = CALLS[`${method} ${path}`] ?? {};
  const call = typeof given === 'function' ? await given(...who) : given;
  const own = path.replace('{slug}', 'github').replace('{name}', 'example');
  return { path: own, ...(body && { body: {} }), ...call };
}

/** Returns the kind of credential that the headers must contain, or `path` if the path contains the key instead. */
export function kindOf(route: Route): string {
  return isMetered(route) && route.publishable === 'path' ? 'path' : route.auth;
}

/** Returns headers with a credential that the route accepts. */
export function credentialsOf(auth: string, { apiKey, accessToken, cookie }: Customer): Record<string, string> {
  switch (auth) {
    case 'key':
    case 'account':
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
