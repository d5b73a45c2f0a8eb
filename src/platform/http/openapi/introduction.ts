// Texts of the OpenAPI document: introduction, tags, and table of limits.
import { MAX_VISITOR_SIDE } from '../pages/dashboard-settings.js';

export const INTRODUCTION = `Brand logos as SVG, PNG and WebP, with metadata, search, lookup by domain and batch lookup.

1. \`POST /auth/register\` returns an API key. It is shown only once.
2. Send it in the \`X-API-Key\` header with every request under \`/v1\`.
3. \`POST /auth/login\` returns an access token for the routes under \`/auth\`. Send it as \`Authorization: Bearer\`.
4. Requests are counted per UTC day and bucket. \`RateLimit\` contains the remaining requests of the bucket, and
   \`GET /v1/usage\` those of all buckets.

An \`<img>\` in a page cannot send a header, and a secret key must never be used in a page. See "In a page" below.

Unknown or repeated parameters and fields are rejected, and so is a body for a route that has none. There are two
exceptions. \`/compat/…\` ignores the same parameters as the services that it is compatible with. Pages for browsers, such as
\`/docs\`, ignore their query, because other sites append tracking parameters. A secret key or a token in a URL is always
rejected.

In addition to the daily quota, each account has a burst limit. Each second, the account gets a number of tokens, and each
request uses tokens according to its cost. Most requests use 1 token, a batch 1 for every five slugs, an Iconify request
1 for every ten icons, a search 3 to 7, an Iconify search at least 5, and a list of icons 10. Without enough tokens, requests
get 429 \`rate_limited\` with \`Retry-After\`. \`HEAD\` requests and errors use the same number of tokens. Requests with
publishable keys have a separate burst limit, and one client IP address (IPv6: /48 network) can use at most half of it at once.

Errors are JSON of at most 8 KB. \`error\` is a machine-readable code, \`message\` a human-readable sentence, and \`details\`
lists the first ten invalid parameters or fields. A list of allowed values appears only once. \`x-errors\` in this
document lists all codes and what to do about each.
\`HEAD\` works wherever \`GET\` does. 304 responses, \`HEAD\` requests and errors are not counted, with one exception: a
picture that exceeds the time limit for drawing (422).

Text responses of 2 KB or more are compressed with brotli or gzip, depending on \`Accept-Encoding\`, unless they contain
secrets. Each encoding has its own strong \`ETag\`. \`If-None-Match\` can contain any of them.

For a route that replaces a route of another service, \`x-replaces\` contains an example URL of that service and the
corresponding URL here.

Rules between parameters are part of the description of each operation. \`x-parameter-rules\` contains the same rules for
programs: \`exactlyOneOf\`, \`atLeastOneOf\`, or a rule about a \`parameter\` (with any value, or only with this \`value\`). The
parameter cannot be combined with other parameters (\`notWith\`) or with a value of another parameter (\`notWithValue\`), or it
requires a value of another parameter (\`onlyWith\`).`;

const IN_A_PAGE = `A page cannot send \`X-API-Key\` for an \`<img>\`, and a secret key must never be used in a page. Use a publishable key
instead (\`POST /auth/publishable-keys\`). It gives access to pictures only, from the hosts that you specify, up to its own daily
limit. The default limit is half of your daily pictures. \`RateLimit\` then refers to this limit.

\`\`\`html
<img src="/v1/svg/github?key=blzp_…" width="24" height="24" alt="GitHub">
<img src="/v1/logo/stripe.com?size=64&key=blzp_…" width="32" height="32" alt="Stripe">

<picture>
  <source media="(prefers-color-scheme: dark)" srcset="/v1/svg/github?on=dark&key=blzp_…">
  <img src="/v1/svg/github?key=blzp_…" width="24" height="24" alt="GitHub">
</picture>

<!-- After window.IconifyProviders = { '': { resources: ['/iconify/blzp_…'] } } -->
<iconify-icon icon="blazon:github"></iconify-icon>
\`\`\`

In React, use \`<img src={url} />\`, in Vue \`<img :src="url">\`, and in Markdown \`![GitHub](url)\`, with the complete
URL of this service. Iconify's components for React and Vue can load icons from \`/iconify/blzp_…\` with \`addAPIProvider\`. The responses are
\`public\`: browsers and CDNs cache them for a day, or for a year with the current \`v\`.`;

const TAGS = {
  Pictures:
    'Logos as SVG, PNG and WebP. The three formats have the same parameters and show the same picture. The ' +
    'previews of the dashboard need no key. For visitors who are not signed in, they are limited to ' +
    `${MAX_VISITOR_SIDE} px per side and \`scale\` 1.`,
  'In a page': IN_A_PAGE,
  Search: 'Find an entry by name, color or category, or the brand of a domain.',
  Iconify:
    "Compatible with Iconify's public API, so that its components can load icons from this service. The base URL " +
    'is `/iconify/{publishableKey}`.',
  'Drop-in addresses':
    'Compatible with the URLs of other services: to switch to this service, replace the host with ' +
    '`/compat/{publishableKey}/{service}/…`. As in those services, unknown and repeated parameters are ignored, ' +
    'and so are their credentials (`token`, `c`, `Authorization`). docs/migrate-from.md lists the differences.',
  Developers:
    'Routes for components, editors and agents: a registry for `shadcn`, and the Model Context Protocol. They ' +
    'also accept the API key as `Authorization: Bearer`.',
  Catalog: 'Metadata of entries and their variants.',
  'Own brands':
    'Brands that are private to an account. They take precedence over public brands in all routes that take a ' +
    'slug, a name or a domain. Not counted.',
  Usage: 'Requests per bucket, today and by day.',
  Billing:
    'Plans, and the subscription of an account with Stripe. Returns 503 `billing_unavailable` if the operator ' +
    'does not sell plans.',
  'Visitor counters':
    'Visit counts of a page or a README, as JSON or as a badge. No key is needed. The operator configures the ' +
    'counters.',
  Account: 'Registration, API key, sessions, password and e-mail address.',
  Webhooks:
    'Signed requests about events of an account to its own endpoints, after the Standard Webhooks specification, and mails about quotas.',
  Operation: 'Health checks and documents.',
} as const;

export const TAG_NAMES: readonly string[] = Object.keys(TAGS);

/** `limits`: Markdown text about the limits of each plan. */
export function tagsOf(limits: string): { readonly name: string; readonly description: string }[] {
  return Object.entries(TAGS).map(([name, description]) => ({
    name,
    description: name === 'Usage' ? `${description}\n\n${limits}` : description,
  }));
}
