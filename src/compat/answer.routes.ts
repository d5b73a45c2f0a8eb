// Answers at URLs that imitate other services. The answers contain Blazon's pictures. For an unknown brand, the answer
// has the same form as in the imitated service.
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import type { Slug } from '../catalog/entry.js';
import { GLOBE } from '../pictures/globe.js';
import { monogramOfSlug, type Monogram } from '../pictures/monogram.js';
import { MAX_WAIT_SECONDS, type AnswerFormat, type PictureRequest } from '../pictures/picture-request.js';
import { missingNames, NotFoundError, type MissingName } from '../platform/not-found.js';
import { shortened } from '../platform/errors.js';
import { CONTENT_TYPES, type PicturePlan } from '../pictures/pictures.js';
import { contentEncoding, slugHeader, sourceHeader } from '../platform/http/openapi/headers.js';
import { memoizeByUrl } from '../platform/http/response/memoize.js';
import {
  PICTURE_POLICY,
  type ConditionalReply,
  type HeaderFields,
  type Reply,
} from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import type { ResponseDoc } from '../platform/http/route.js';
import { countedDomain, planOfDomain, planPrivate, type DomainParameter } from '../pictures/logo.routes.js';
import { askedAnswer, siteAnswer, siteIconPicture, type MaybeSite } from '../pictures/site-icon-answers.routes.js';
import { NOT_MODIFIED } from '../catalog/lookup-replies.routes.js';
import { PICTURE_HEADERS, pictureAnswer, SVG_EXAMPLE } from '../pictures/pictures.routes.js';
import type { Site } from './parameters.routes.js';

/** Fields of all routes that imitate URLs of other services. */
export const COMPAT = { auth: 'key', publishable: 'path', isForeign: true } as const;
export const PICTURE_ERRORS = ['not_found', 'unprocessable', 'busy'] as const;

/** Brand to which a URL refers. */
export type WantedPicture =
  | { readonly domain: DomainParameter }
  | { readonly site: Site }
  /** Uses the first of these slugs that has an entry, or else the brand that owns the website. */
  | { readonly slugs: readonly Slug[]; readonly site?: Site }
  /** Name of a brand that was not found. */
  | { readonly name: string };

export interface CompatPicture {
  readonly wanted: WantedPicture;
  readonly request: PictureRequest;
  /**
   * Answer for an unknown brand: a globe with status 404, or a letter. Default: the `fallback` of this picture's own
   * `request`.
   */
  readonly missing?: 'globe' | { readonly monogram: Monogram; readonly request: PictureRequest };
}

const NAMED_HEADERS = { 'X-Blazon-Slug': slugHeader.optional(), 'X-Blazon-Source': sourceHeader.optional() };

/** Documents a route that can answer with these formats. `first` is the default format. */
export function pictureDocs(
  first: AnswerFormat,
  ...others: readonly AnswerFormat[]
): Readonly<Record<200 | 304, ResponseDoc>> {
  const isSvg = [first, ...others].includes('svg');
  return {
    200: {
      description: 'The picture',
      media: CONTENT_TYPES[first],
      ...(first === 'svg' && { example: SVG_EXAMPLE }),
      otherMedia: Object.fromEntries(
        others.map((format) => [CONTENT_TYPES[format], format === 'svg' ? SVG_EXAMPLE : undefined]),
      ),
      headers: { ...PICTURE_HEADERS, ...NAMED_HEADERS, ...(isSvg && { 'Content-Encoding': contentEncoding }) },
    },
    304: { ...NOT_MODIFIED, headers: { ...NOT_MODIFIED.headers, ...NAMED_HEADERS } },
  };
}

const memoize = memoizeByUrl<MaybeSite>();
/**
 * Credential of all requests with these addresses, because their path contains a publishable key. Answers to publishable
 * keys get public cache headers.
 */
const BY_PATH = { allowingOrigins: [] } as const;

/**
 * Answers with a picture. `params`: parsed parameters of the path, under which the answer is cached. `read` parses the
 * request, and is called only if there is no cached answer for the current catalog.
 */
export function compatPicture(
  { params, catalog }: { readonly params: object; readonly catalog: AccountCatalog },
  services: Services,
  read: () => CompatPicture,
): Reply | ConditionalReply | Promise<Reply | ConditionalReply> {
  const version = `${services.catalogVersion()} ${catalog.ownBrandPageIds}`;
  const answer = memoize(params, version, async () => answerOrSite({ catalog, ...read() }, services));
  return askedAnswer(answer, BY_PATH);
}

type CompatRequest = CompatPicture & { readonly catalog: AccountCatalog };

/** Answers with the picture of a brand. For an unknown brand, answers with the icon of the website. */
async function answerOrSite(
  asked: CompatRequest,
  { siteIcons, ...services }: Pick<Services, 'brands' | 'pictures' | 'siteIcons'>,
): Promise<MaybeSite> {
  const { catalog, wanted, request } = asked;
  const planned = await planOf({ catalog, wanted }, request, services);
  const next = () => answerPlanned(asked, planned, services);
  const domain = domainOf(wanted);
  if (!siteIcons || !domain || planned.slug !== undefined) return next();
  const icon = siteIconPicture(catalog, request, services.pictures);
  return {
    kind: 'site',
    ask: (credential) => siteAnswer({ ...{ asked: domain, credential, icon, next }, ...siteFacts(wanted) }, siteIcons),
  };
}

/**
 * Returns the maximum wait for a website's icon, and the names to count as missing. The wait is always the longest one,
 * because URLs of other services have no parameter for it.
 */
export function siteFacts(wanted: WantedPicture) {
  return { wait: MAX_WAIT_SECONDS, missing: missingOf(wanted) };
}

export async function answerOf(
  asked: CompatRequest,
  services: Pick<Services, 'brands' | 'pictures'>,
): Promise<ConditionalReply> {
  return answerPlanned(asked, await planOf(asked, asked.request, services), services);
}

function answerPlanned(
  { catalog, wanted, request, missing }: CompatRequest,
  { plan, slug }: Planned,
  services: Pick<Services, 'pictures'>,
): ConditionalReply {
  const { pictures } = services;
  if (plan.kind === 'picture') return withSlug(pictureAnswer(plan, request, pictures), slug);
  if (missing === 'globe') return { ...globe(request, catalog, services), missing: missingOf(wanted) };
  const letter = missing && pictures.planMissing(catalog, missing.monogram, missing.request);
  if (letter?.kind === 'picture')
    return { ...pictureAnswer(letter, missing?.request ?? request, pictures), missing: missingOf(wanted) };
  throw new NotFoundError(`No brand is known for "${shortened(textOf(wanted), 80)}".`, missingOf(wanted));
}

interface Planned {
  readonly plan: PicturePlan;
  readonly slug?: Slug | undefined;
}

async function planOf(
  { catalog, wanted }: { readonly catalog: AccountCatalog; readonly wanted: WantedPicture },
  request: PictureRequest,
  services: Pick<Services, 'brands' | 'pictures'>,
): Promise<Planned> {
  if ('slugs' in wanted) return planOfSlugs({ catalog, ...wanted }, request, services);
  const { brands, pictures } = services;
  const domain = domainOf(wanted);
  if (!domain) return { plan: { kind: 'missing' } };
  const { anyHost, host, unlisted } = domain;
  const isOwnOnly = host === undefined || unlisted !== undefined;
  // These routes show a letter even for hosts that `/v1/logo` rejects, such as public suffixes.
  if (anyHost !== undefined && isOwnOnly && (await brands.ownerOf(domain, catalog)) === undefined) {
    const letter = planPrivate({ catalog, host: anyHost }, request, pictures);
    if (letter.kind === 'picture' || unlisted === undefined) return { plan: letter };
  }
  return planOfDomain({ catalog, domain }, request, services);
}

async function planOfSlugs(
  { catalog, slugs, site }: { readonly catalog: AccountCatalog } & Extract<WantedPicture, { slugs: unknown }>,
  request: PictureRequest,
  { brands, pictures }: Pick<Services, 'brands' | 'pictures'>,
): Promise<Planned> {
  for (const slug of slugs) {
    const plan = await pictures.plan(catalog, slug, { ...request, fallback: null });
    if (plan.kind === 'moved') return { plan: await pictures.plan(catalog, plan.to, request), slug: plan.to };
    if (plan.kind !== 'missing') return { plan, slug };
  }
  const owner = site?.domain && (await brands.ownerOf(site.domain, catalog));
  if (owner) return { plan: await pictures.plan(catalog, owner, request), slug: owner };
  const [first] = slugs;
  return {
    plan: first === undefined ? { kind: 'missing' } : pictures.planMissing(catalog, monogramOfSlug(first), request),
  };
}

function domainOf(wanted: WantedPicture): DomainParameter | undefined {
  if ('site' in wanted) return wanted.site.domain;
  return 'domain' in wanted ? wanted.domain : undefined;
}

function textOf(wanted: WantedPicture): string {
  if ('name' in wanted) return wanted.name;
  if ('slugs' in wanted) return wanted.slugs.at(-1) ?? '';
  return 'site' in wanted ? wanted.site.text : (wanted.domain.anyHost ?? '');
}

export function missingOf(wanted: WantedPicture): readonly MissingName[] {
  if ('name' in wanted) return missingNames('name', wanted.name);
  if ('slugs' in wanted) return missingNames('slug', ...wanted.slugs.slice(0, 1));
  const domain = domainOf(wanted);
  return domain ? countedDomain(domain) : [];
}

function withSlug(picture: ConditionalReply, slug: Slug | undefined): ConditionalReply {
  if (slug === undefined || 'X-Blazon-Fallback' in picture.headers) return picture;
  const name: HeaderFields = { 'X-Blazon-Slug': slug };
  return {
    ...picture,
    slug,
    headers: { ...picture.headers, ...name },
    ...(picture.publicHeaders && { publicHeaders: { ...picture.publicHeaders, ...name } }),
  };
}

export function notFoundLifetime({ own }: AccountCatalog): HeaderFields {
  return { 'Cache-Control': own ? 'public, no-cache' : 'public, max-age=3600' };
}

/** Returns a globe with status 404. Browsers display it in spite of the status. The request is not counted. */
function globe(
  request: PictureRequest,
  catalog: AccountCatalog,
  { pictures }: Pick<Services, 'pictures'>,
): ConditionalReply {
  const { make, peek } = pictureAnswer(pictures.planDrawing(GLOBE, request), request, pictures);
  return {
    kind: 'prepared',
    headers: { ...PICTURE_POLICY, ...notFoundLifetime(catalog) },
    units: 0,
    make: async (client) => ({ ...(await make(client)), status: 404 }),
    ...(peek && { peek: async () => ({ ...(await peek()), status: 404 }) }),
  };
}
