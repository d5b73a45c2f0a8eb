// Texts of the document: the introduction, the tags, and the table of limits.
import { MAX_VISITOR_SIDE } from '../pages/dashboard-settings.js';

export const INTRODUCTION = `The logo of every brand as SVG, PNG or WebP, its metadata, search, lookup by domain and batch
lookup.

1. \`POST /auth/register\` answers with an API key. It is shown once.
2. Send it as \`X-API-Key\` with every request under \`/v1\`.
3. \`POST /auth/login\` answers with an access token for the routes under \`/auth\`; send it as
   \`Authorization: Bearer\`.
4. Requests are counted per UTC day and bucket; \`RateLimit\` has the remaining ones of the bucket,
   \`GET /v1/usage\` all buckets.

An \`<img>\` in a page cannot send a header, and a secret key must never stand there: see "In a page" below.

Unknown and repeated parameters and fields are rejected, and so is a body where a route takes none: nothing is ignored
silently. The addresses of other services (\`/compat/…\`) ignore what those ignore. Pages for browsers, such as \`/docs\` and those that links in mails lead to, ignore their query instead,
because trackers add to it; a secret key or a token in a URL is rejected everywhere.

Beside the day, each account has a burst of requests a second. A request takes from it what its work costs: most take 1, a batch 1 for five
slugs, icons of Iconify 1 for ten, a search 3 to 7, an Iconify search 5 and more by its words, a list of icons 10. What is missing is a debt,
which later requests wait for (429 \`rate_limited\`, \`Retry-After\`). \`HEAD\` and errors take as much. The requests of pages, by publishable keys, have a burst of
their own. One client address (IPv6: /48) takes at most half of it at once. Beyond that, it leaves three quarters to other addresses.

Errors are JSON of at most 8 KB: \`error\` is a code for programs, \`message\` a sentence for people, \`details\`
has the first ten invalid parameters or fields. A list of allowed values is given once. The codes, with what to do about
each, are in \`x-errors\` of this document.
\`HEAD\` works wherever \`GET\` does. A 304, a \`HEAD\` or an error is not counted, with one exception: a picture that
exceeds the time limit for drawing (422), because the work was done.

Text of 2 KB and more is sent in brotli or gzip, as \`Accept-Encoding\` says, where it carries no secret. Each form has a
strong \`ETag\` of its own, and \`If-None-Match\` may name any of those that the client accepts.

A route that answers in the place of another service's has an example of that address in \`x-replaces\`, and the same here.

Rules between parameters are stated in the description of the operation and, for programs, in its \`x-parameter-rules\`:
\`exactlyOneOf\`, \`atLeastOneOf\`, or a \`parameter\` that cannot be combined with others (\`notWith\`) or, with this
\`value\` or any, requires one of another (\`onlyWith\`) or excludes it (\`notWithValue\`).`;

const IN_A_PAGE = `A page cannot send \`X-API-Key\` for an \`<img>\`, and a secret key must never stand in one. A publishable key
(\`POST /auth/publishable-keys\`) may: it opens pictures only, from the hosts that you name, up to a daily limit of its own (half of your
daily pictures unless you say another). \`RateLimit\` then has what is left of the key's own day.

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

In React \`<img src={address} />\`, in Vue \`<img :src="…">\`, in Markdown \`![GitHub](…)\`, all with
the whole address of this service; Iconify's components for both take \`/iconify/blzp_…\` by \`addAPIProvider\`. The answers are
\`public\`: browsers and a CDN in front keep them for a day, with the current \`v\` for a year.`;

const TAGS = {
  Pictures:
    'Logos as SVG, PNG and WebP. The three formats take the same parameters and show the same picture. The previews of ' +
    `the dashboard, which need no key, have at most ${MAX_VISITOR_SIDE} px a side and \`scale\` 1 for visitors who are ` +
    'not signed in.',
  'In a page': IN_A_PAGE,
  Search: 'Find an entry by name, color or category, or the brand of a domain.',
  Iconify:
    "The protocol of Iconify's public API, so that its components take icons from here: their address is " +
    '`/iconify/{publishableKey}`.',
  'Drop-in addresses':
    'The address grammars of other services, so that moving from one of them is a change of the host: ' +
    '`/compat/{publishableKey}/{service}/…`. Unknown and repeated parameters are ignored, as there, and so are credentials for that ' +
    'service (`token`, `c`, `Authorization`). What each cannot do is in docs/migrate-from.md.',
  Developers:
    'Where components, editors and agents look: a registry for `shadcn`, and the Model Context Protocol. The API key may come as ' +
    '`Authorization: Bearer`, too.',
  Catalog: 'Metadata of entries and their variants.',
  'Own brands':
    "An account's own brands: private to it, and before the public ones in every route that takes a slug, a name or a domain. " +
    'Free of quota.',
  Usage: 'Requests per bucket, today and by day.',
  Billing:
    'Plans, and the subscription of an account, by Stripe. 503 `billing_unavailable` where the operator sells none.',
  'Visitor counters':
    'Visits of a page or a README, as JSON and as a badge. They need no key; the operator says which there are.',
  Account: 'Registration, API key, sessions, password and e-mail address.',
  Operation: 'Health checks and documents.',
} as const;

export const TAG_NAMES: readonly string[] = Object.keys(TAGS);

/** `limits`: Markdown about the limits of each plan. */
export function tagsOf(limits: string): { readonly name: string; readonly description: string }[] {
  return Object.entries(TAGS).map(([name, description]) => ({
    name,
    description: name === 'Usage' ? `${description}\n\n${limits}` : description,
  }));
}
