// GET /v1/favicon/{name}/{file}: website icons that are made from the logo of an entry.
import { z } from 'zod';
import { parseSlug, type Entry } from '../catalog/entry.js';
import { missingNames, NotFoundError } from '../platform/not-found.js';
import { FAVICON_FILES, FAVICON_HTML, type FaviconFile } from './favicon.js';
import { PICTURE_QUERIES } from './picture-request.js';
import { opaqueColorParameter } from '../platform/web/query-parameter.js';
import { querySchema } from '../platform/web/query-rules.js';
import { parseAnyHost, parseHost } from '../platform/web/host-name.js';
import { CONTENT_TYPES } from './pictures.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import type { ReadableEntry } from './favicons.js';
import type { PictureOutcome } from './rasterize-request.js';
import { contentDisposition, contentEncoding, lastModified, slugHeader } from '../platform/http/openapi/headers.js';
import { negotiated } from '../platform/http/response/content-coding.js';
import type { ConditionalReply, HeaderFields, Reply } from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import { route } from '../platform/http/route.js';
import {
  LOOKUP_HEADERS,
  NOT_MODIFIED,
  redirectDoc,
  redirectTo,
  SLUG_RULE,
  withdrawn,
} from '../catalog/lookup-replies.routes.js';
import { pictureFields, pictureReply } from './pictures.routes.js';

const ICO = 'image/x-icon';
const MANIFEST = 'application/manifest+json';
const ZIP = 'application/zip';

const ALLOWED = `a slug (${SLUG_RULE}), or a full domain such as github.com`;
const nameParameter = z
  .string()
  .refine((text) => parseSlug(text) !== undefined || parseAnyHost(text) !== undefined, {
    error: 'not a slug or domain',
  })
  .meta({
    description:
      'Slug or alias of an entry. If there is no such entry and the name has a dot, the brand of this domain.',
    allowed: ALLOWED,
    example: 'github',
  });

export const faviconParams = z.strictObject({
  name: nameParameter,
  file: z
    .enum(FAVICON_FILES, { error: 'not one of the allowed values' })
    .meta({ description: 'Name of the file.', allowed: FAVICON_FILES, example: 'favicon.ico' }),
});
const { variant, on, color } = PICTURE_QUERIES.png.shape;
export const faviconQuery = querySchema(
  {
    variant,
    on,
    color,
    background: opaqueColorParameter({
      description:
        'Background of all icons, an opaque color. Default: none for tabs; white for home screens, or a dark ' +
        'color with `on=dark`.',
      example: 'white',
    }),
  },
  [],
);

/**
 * A file counts as this many requests against the limit per second. The number is higher than for a picture, because a
 * file may contain several pictures.
 */
const COST = 3;
const ARCHIVE_UNITS = 5;

export const faviconRoute = route('GET /v1/favicon/{name}/{file}', {
  auth: 'key',
  bucket: 'png',
  cost: COST,
  publishable: 'query',
  summary: 'Get the favicon files of a site',
  description:
    'The files show a drawing that is clear at 16 px: a symbol rather than a wordmark, unless `variant` ' +
    'specifies one.\n\n- `favicon.ico`: 16, 32 and 48 px, for tabs\n- `icon.svg`: for tabs. It adapts to light ' +
    'and dark tabs with `prefers-color-scheme`, unless `on`, `color` or `background` is set\n- ' +
    '`apple-touch-icon.png`: 180 px, opaque, with padding\n- `icon-192.png`, `icon-512.png`: for the manifest\n- ' +
    '`icon-mask.png`: 512 px, opaque, with all content inside the safe zone of maskable icons (a circle of 80 ' +
    '%)\n- `manifest.webmanifest`: manifest with the PNG icons. Their URLs have the same query as this request\n' +
    '- `head.html`: HTML to paste into each page, for files in the root folder of the site\n- `favicon.zip`: all ' +
    'of these files; counts five times',
  params: faviconParams,
  query: faviconQuery,
  responses: {
    200: {
      description: 'The file',
      media: ICO,
      otherMedia: {
        [CONTENT_TYPES.svg]: undefined,
        [CONTENT_TYPES.png]: undefined,
        [MANIFEST]: undefined,
        'text/plain': FAVICON_HTML,
        [ZIP]: undefined,
      },
      headers: {
        ...LOOKUP_HEADERS,
        'Last-Modified': lastModified,
        'Content-Disposition': contentDisposition.optional(),
        'Content-Encoding': contentEncoding,
        'X-Blazon-Slug': slugHeader,
      },
    },
    304: { ...NOT_MODIFIED, headers: { ...NOT_MODIFIED.headers, 'X-Blazon-Slug': slugHeader } },
    308: redirectDoc('An alias; `Location` is the current URL'),
  },
  errors: ['not_found', 'gone', 'unprocessable', 'busy'],
  handle: (call, services) => faviconAnswer(call, services),
});

interface FaviconCall {
  readonly params: z.output<typeof faviconParams>;
  readonly query: z.output<typeof faviconQuery>;
  readonly url: string;
  readonly catalog: AccountCatalog;
}

/**
 * Returns the file. For an alias, returns a redirect. Throws AppError `not_found`, `gone`, and the errors of planning a
 * picture.
 */
export async function faviconAnswer(
  { params: { name, file }, query, url, catalog }: FaviconCall,
  services: Services,
): Promise<Reply | ConditionalReply> {
  const search = searchIn(url);
  const found = await entryNamed(name, catalog, services);
  const [, folder = ''] = url.split('/');
  if (typeof found === 'string') return redirectTo(`/${folder}/favicon/${found}/${file}${search}`, catalog);
  return answer({ entry: found, read: catalog.drawingsOf(found) }, file, { query, search }, services);
}

/**
 * Finds the entry by slug or domain. If the name is an alias, returns the current slug. Throws AppError `not_found` or
 * `gone`.
 */
async function entryNamed(
  name: string,
  catalog: AccountCatalog,
  { brands, search }: Pick<Services, 'brands' | 'search'>,
): Promise<Entry | string> {
  const slug = parseSlug(name);
  const bySlug = slug && (await catalog.find(slug));
  if (bySlug?.kind === 'entry') return bySlug.entry;
  if (bySlug?.kind === 'moved') return bySlug.to;
  if (bySlug?.kind === 'withdrawn') throw withdrawn(bySlug.reason);
  const outcome = parseHost(name);
  const host = outcome.kind === 'host' && name.includes('.') ? outcome : undefined;
  const owner = await brands.ownerOf({ anyHost: parseAnyHost(name), host }, catalog);
  const byDomain = owner && (await catalog.find(owner));
  if (byDomain?.kind === 'entry') return byDomain.entry;
  throw new NotFoundError(
    `There is no brand "${name}".`,
    host ? missingNames('domain', host.registrable) : missingNames('slug', ...(slug ? [name] : [])),
    () => search.similar(name, catalog),
  );
}

interface FaviconLookup {
  readonly query: z.output<typeof faviconQuery>;
  readonly search: string;
}

function answer(
  found: ReadableEntry,
  file: FaviconFile,
  { query, search }: FaviconLookup,
  { favicons }: Services,
): ConditionalReply {
  const { entry } = found;
  const planned = favicons.plan(found, file, {
    variant: query.variant ?? null,
    on: query.on ?? null,
    color: query.color ?? null,
    background: query.background ?? null,
    search,
  });
  const { etag, codings } = planned;
  const updated = new Date(entry.updatedAt);
  const isArchive = file === 'favicon.zip';
  const fields = pictureFields(
    {
      ...{ etag, lastModified: updated, immutable: false, fallback: null, filename: `${entry.slug}-${file}` },
      ...(entry.own && { isOwn: true }),
    },
    { format: file === 'icon.svg' ? 'svg' : 'png', download: isArchive },
  );
  const named = { 'X-Blazon-Slug': entry.slug };
  const reply = (outcome: PictureOutcome | undefined): Reply => pictureReply(outcome, typeOf(file));
  const prepared: ConditionalReply = {
    ...{ kind: 'prepared', slug: entry.slug, etag, lastModified: updated },
    headers: { ...fields.headers, ...named },
    publicHeaders: { ...fields.publicHeaders, ...named },
    ...(isArchive && { units: ARCHIVE_UNITS }),
    make: async (client) => reply(await planned.render(client)),
    peek: () => reply(planned.peek()),
  };
  return codings ? negotiated(prepared, codings) : prepared;
}

function typeOf(file: FaviconFile): HeaderFields {
  const types: Readonly<Record<string, string>> = {
    ...{ ico: ICO, svg: CONTENT_TYPES.svg, png: CONTENT_TYPES.png, zip: ZIP },
    // HTML is sent as plain text, so that people can read and copy it.
    ...{ webmanifest: MANIFEST, html: 'text/plain; charset=utf-8' },
  };
  return { 'Content-Type': types[file.slice(file.lastIndexOf('.') + 1)] ?? '' };
}

/** Returns the query of the URL unchanged, with its `?`. */
function searchIn(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}
