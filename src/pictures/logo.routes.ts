// GET /v1/logo/{domain}: the picture of the brand that owns a domain.
import { domainToUnicode } from 'node:url';
import { z } from 'zod';
import type { Slug } from '../catalog/entry.js';
import { parseAnyHost, parseHost, type NoHost } from '../platform/web/host-name.js';
import { missingNames, NotFoundError, type MissingName } from '../platform/not-found.js';
import { monogramOfDomain } from './monogram.js';
import {
  domainQuerySchema,
  bucketOfFormat,
  formatOf,
  MAX_WAIT_SECONDS,
  pictureRequest,
  type PictureRequest,
} from './picture-request.js';
import { invalidField } from '../platform/errors.js';
import type { AskedHost } from '../brands/brands.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import { CONTENT_TYPES, type PicturePlan, type Pictures } from './pictures.js';
import { contentLocation, slugHeader, sourceHeader } from '../platform/http/openapi/headers.js';
import { memoizeByUrl } from '../platform/http/response/memoize.js';
import type { ConditionalReply, HeaderFields, Reply } from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import { route } from '../platform/http/route.js';
import { PICTURE_HEADERS, pictureAnswer, SVG_EXAMPLE, urlWithout } from './pictures.routes.js';
import { askedAnswer, siteAnswer, siteIconPicture, type MaybeSite } from './site-icon-answers.routes.js';
import { NOT_MODIFIED, redirectDoc, redirectTo } from '../catalog/lookup-replies.routes.js';

const ALLOWED = 'a full domain such as github.com, or a URL';

/** Host in the path. Only own brands can have a host that is a public suffix or not a full domain. */
export interface DomainParameter extends AskedHost {
  /** Reason why no brand of the catalog can have this host. Undefined if a brand can have it. */
  readonly unlisted?: NoHost;
}

export const domainParameter = z
  .string()
  .transform((text, { issues }): DomainParameter => {
    const outcome = parseHost(text);
    const anyHost = parseAnyHost(text);
    if (outcome.kind === 'host') return { anyHost, host: outcome };
    if (anyHost !== undefined) return { anyHost, host: outcome.suffix, unlisted: outcome };
    issues.push({ code: 'custom', message: outcome.reason, input: text });
    return z.NEVER;
  })
  .meta({
    description:
      'Host name, in Unicode or ASCII (IDN). A scheme, user, port and path (percent-encoded) and a leading ' +
      '`www.` are ignored.',
    allowed: ALLOWED,
    type: 'string',
    example: 'github.com',
  });

const NAMED_HEADERS = {
  'Content-Location': contentLocation.optional(),
  'X-Blazon-Slug': slugHeader.optional(),
  'X-Blazon-Source': sourceHeader.optional(),
};

const memoize = memoizeByUrl<MaybeSite>();

export const logoRoute = route('GET /v1/logo/{domain}', {
  auth: 'key',
  bucket: (query) => bucketOfFormat(formatOf(query)),
  cost: 1,
  publishable: 'query',
  summary: 'Get the logo of a domain',
  description:
    'Returns the picture of the brand that `GET /v1/brand?domain=` finds: it searches for the exact host first, ' +
    'then for its parent domains up to the registrable domain. All picture parameters are supported. ' +
    '`Content-Location` is the URL of the same picture by slug. With `fallback=monogram`, an unknown domain ' +
    'returns a tile with the first letter of its name, or two letters if the name has several words. With ' +
    '`fallback=site,monogram`, the response is the icon that the site itself declares, unless the icon is smaller than half of ' +
    'the requested size. Counts in the bucket of the format.\n\nThis route replaces `logo.clearbit.com/{domain}`: `size` and `format` have the ' +
    'same meaning, and `greyscale=1` corresponds to `greyscale=true`. To keep Clearbit URLs unchanged, use ' +
    '`/compat/{publishableKey}/clearbit/{domain}`.',
  params: z.strictObject({ domain: domainParameter }),
  query: domainQuerySchema,
  responses: {
    200: {
      description: 'The picture',
      media: CONTENT_TYPES.png,
      otherMedia: {
        [CONTENT_TYPES.svg]: SVG_EXAMPLE,
        [CONTENT_TYPES.webp]: undefined,
        [CONTENT_TYPES.jpg]: undefined,
      },
      headers: { ...PICTURE_HEADERS, ...NAMED_HEADERS },
    },
    304: { ...NOT_MODIFIED, headers: { ...NOT_MODIFIED.headers, ...NAMED_HEADERS } },
    308: redirectDoc('An old revision; `Location` is the URL without `v`'),
  },
  errors: ['not_found', 'unprocessable', 'busy'],
  handle: ({ params, query, url, catalog, credential }, services) =>
    askedAnswer(
      memoize(params, `${services.catalogVersion()} ${catalog.ownBrandPageIds}`, () =>
        pictureByDomain({ ...params, catalog, ...domainRequest(query), url }, services),
      ),
      credential,
    ),
});

type DomainQuery = z.output<typeof domainQuerySchema>;

interface DomainRequest {
  readonly request: PictureRequest;
  /** Maximum wait for the icon of the website, s. Undefined if the request does not ask for this icon. */
  readonly siteWait: number | undefined;
}

/**
 * Returns the picture request of a query about a domain, and the maximum wait for the website's icon. `maxSide`:
 * maximum width and height, as in `pictureRequest`.
 */
export function domainRequest(query: DomainQuery, maxSide?: number): DomainRequest {
  const { fallback, wait = MAX_WAIT_SECONDS, ...rest } = query;
  const request = pictureRequest(formatOf(query), { ...rest, fallback: fallback?.picture }, maxSide);
  return { request, siteWait: fallback?.site === true && request.revision === null ? wait : undefined };
}

interface DomainPicture extends DomainRequest {
  readonly catalog: AccountCatalog;
  readonly domain: DomainParameter;
  readonly url: string;
}

export async function pictureByDomain(
  { siteWait: wait, ...asked }: DomainPicture,
  { siteIcons, ...services }: Pick<Services, 'brands' | 'pictures' | 'siteIcons'>,
): Promise<MaybeSite> {
  const { catalog, domain, request } = asked;
  const planned = await planOfDomain({ catalog, domain }, request, services);
  const next = () => answer({ ...asked, ...planned }, services.pictures);
  if (!siteIcons || wait === undefined || planned.slug !== undefined) return next();
  const icon = siteIconPicture(catalog, request, services.pictures);
  const missing = countedDomain(domain);
  return {
    kind: 'site',
    ask: (credential) => siteAnswer({ asked: domain, wait, credential, missing, icon, next }, siteIcons),
  };
}

/**
 * Returns a list with the domain, to be counted as a missing name. The list is empty for a host of a private network.
 */
export function countedDomain({ host, unlisted }: DomainParameter): readonly MissingName[] {
  return host && !unlisted ? missingNames('domain', host.registrable) : [];
}

/** Plans the picture of the brand that owns a domain, or the fallback if no brand owns it. */
export async function planOfDomain(
  { catalog, domain }: { readonly catalog: AccountCatalog; readonly domain: DomainParameter },
  request: PictureRequest,
  { brands, pictures }: Pick<Services, 'brands' | 'pictures'>,
): Promise<Pick<Planned, 'plan' | 'slug'>> {
  const slug = await brands.ownerOf(domain, catalog);
  if (slug !== undefined) return { slug, plan: await pictures.plan(catalog, slug, request) };
  const { anyHost, host, unlisted } = domain;
  if (anyHost === undefined || (unlisted && unlisted.isHostName !== true))
    throw invalidField('domain', unlisted?.reason ?? 'not a domain', ALLOWED);
  if (unlisted || !host) return { slug, plan: planPrivate({ catalog, host: anyHost }, request, pictures) };
  const { registrable } = host;
  const monogram = monogramOfDomain(registrable, domainToUnicode(registrable));
  return { slug, plan: pictures.planMissing(catalog, monogram, request) };
}

/**
 * Plans the fallback for a host of a private network. The host is not counted as missing, because the operator's list
 * of missing names must not contain private names.
 */
export function planPrivate(
  { catalog, host }: { readonly catalog: AccountCatalog; readonly host: string },
  request: PictureRequest,
  pictures: Pictures,
): PicturePlan {
  const plan = pictures.planMissing(catalog, monogramOfDomain(host, domainToUnicode(host)), request);
  return plan.kind === 'picture' ? { ...plan, missing: [] } : plan;
}

interface Planned {
  readonly catalog: AccountCatalog;
  readonly plan: PicturePlan;
  /** Slug of the brand that owns the domain. Undefined if no brand owns it. */
  readonly slug: Slug | undefined;
  readonly request: PictureRequest;
  readonly url: string;
  readonly domain: DomainParameter;
}

function answer({ catalog, plan, slug, request, url, domain }: Planned, pictures: Pictures): Reply | ConditionalReply {
  if (plan.kind === 'stale-version') return redirectTo(urlWithout(url, ['v']), catalog);
  if (plan.kind !== 'picture')
    throw new NotFoundError(
      `No brand is known for "${domain.anyHost}".${domain.unlisted ? ` This host ${domain.unlisted.reason}.` : ''} To ` +
        'get a picture of the first letter instead, add fallback=monogram.',
      plan.kind === 'missing' ? countedDomain(domain) : [],
    );
  const picture = pictureAnswer(plan, request, pictures);
  if (slug === undefined) return picture;
  const names = named(slug, request, url);
  return {
    slug,
    ...picture,
    headers: Object.assign({}, picture.headers, names),
    ...(picture.publicHeaders && { publicHeaders: Object.assign({}, picture.publicHeaders, names) }),
  };
}

/**
 * Returns the headers with the slug and the canonical URL of the picture. The canonical URL is without `key`, and
 * without the parameters that only this route has. A JPEG has no canonical URL.
 */
function named(slug: Slug, { format }: PictureRequest, url: string): HeaderFields {
  if (format === 'jpg') return { 'X-Blazon-Slug': slug };
  const [, search] = urlWithout(url, ['format', 'fallback', 'wait', 'key']).split('?', 2);
  return {
    'Content-Location': `/v1/${format}/${slug}${search === undefined ? '' : `?${search}`}`,
    'X-Blazon-Slug': slug,
  };
}
