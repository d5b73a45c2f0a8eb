// GET|PUT|PATCH|DELETE /v1/brands/{slug} and its variants: an account's own brands.
import { z } from 'zod';
import { MAX_UPLOADS, type OwnBrand } from './own-brand.js';
import { enumParameter, integerParameter, patternParameter } from '../platform/web/query-parameter.js';
import { querySchema } from '../platform/web/query-rules.js';
import { invalidField, type ErrorCode } from '../platform/errors.js';
import type { BrandOwner } from './change-brands.js';
import {
  MAX_ARCHIVE_BYTES,
  MAX_FILES,
  MAX_MESSAGE_CHARACTERS,
  MAX_PATH_CHARACTERS,
  MAX_UNPACKED_BYTES,
} from './archive.js';
import { MAX_DESCRIBED_BRANDS, MAX_DRAWINGS } from './archived-brands.js';
import { noSuchBrand, type BrandChange, type Precondition } from './brand-edits.js';
import type { Client } from '../accounts/client-info.js';
import { etag as etagHeader } from '../platform/http/openapi/headers.js';
import { errorDetail } from '../platform/http/openapi/responses.js';
import { count } from '../platform/http/openapi/times-and-counts.js';
import type { AccountOwner } from '../accounts/authentication/callers.js';
import type { AssertPrecondition } from '../platform/http/request/precondition.js';
import { parse } from '../platform/http/request/validation.js';
import { etagHeaders } from '../platform/http/response/conditional.js';
import type { ConditionalReply, HeaderFields, Reply } from '../platform/http/response/reply.js';
import { json, noContent } from '../platform/http/response/reply.js';
import { route, type ResponseDoc, type Route } from '../platform/http/route.js';
import { slugParameter, SLUG_RULE } from '../catalog/lookup-replies.routes.js';
import { DRAWING_BODY } from './drawings.routes.js';
import {
  brandSchema,
  factFields,
  factsBody,
  factsOfBody,
  linkName,
  presentBrand,
  variantParameter,
} from './fields.routes.js';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

/** Clients must revalidate each time, because changes must be visible at once. */
const OWN_CACHE: HeaderFields = { 'Cache-Control': 'private, no-cache', Vary: 'X-API-Key, Authorization' };

const brandInPath = slugParameter.meta({
  description: 'Slug of the own brand; it may equal that of a public one, and then stands before it.',
  allowed: SLUG_RULE,
  example: 'intranet',
});
const slugInPath = z.strictObject({ slug: brandInPath });
const variantInPath = z.strictObject({ slug: brandInPath, variant: variantParameter });

const oneBrand = z.object({ brand: brandSchema });
const TAGGED = { ETag: etagHeader };
const answered = (description: string): ResponseDoc => ({ description, schema: oneBrand, headers: TAGGED });

const CHANGE_ERRORS: readonly ErrorCode[] = [
  'precondition_failed',
  'rate_limited',
  'busy',
  'conflict',
  'account_suspended',
];

const listQuery = querySchema(
  {
    limit: integerParameter({ min: 1, max: MAX_LIMIT, absent: DEFAULT_LIMIT, description: 'Brands per page.' }),
    cursor: patternParameter(/^[0-9A-Za-z_-]{1,200}$/, {
      description: '`nextCursor` of the previous page.',
      allowed: 'nextCursor of the previous page',
    }),
  },
  [],
);

const brandList = z.object({
  brands: z.array(brandSchema).max(MAX_LIMIT).meta({ description: 'Brands of this page, by slug.' }),
  total: count.meta({ description: 'All own brands of the account.' }),
  limit: z.int().min(1).max(MAX_LIMIT).meta({ description: 'Brands per page, as asked for.', example: DEFAULT_LIMIT }),
  nextCursor: z.string().nullable().meta({ description: 'For `cursor`; null on the last page.', example: null }),
});

const archiveResults = z.object({
  applied: z.boolean().meta({ description: 'False: nothing was changed, since a file was not taken.', example: true }),
  results: z
    .array(
      z.object({
        file: z
          .string()
          .max(MAX_PATH_CHARACTERS + 1)
          .meta({
            description: 'Its path in the archive; a longer one is cut and ends with "…".',
            example: 'intranet.svg',
          }),
        slug: z
          .string()
          .nullable()
          .meta({ description: 'Slug of the brand; null: none could be made of the name.', example: 'intranet' }),
        status: z
          .union([z.literal(200), z.literal(201), z.literal(422)])
          .meta({ description: 'New, put, or not taken.', example: 201 }),
        message: z
          .string()
          .max(MAX_MESSAGE_CHARACTERS + 1)
          .optional()
          .meta({ description: 'Why the file was not taken.' }),
        details: z
          .array(errorDetail)
          .max(1)
          .optional()
          .meta({ description: 'Of a rejected drawing: code, element, line and advice.' }),
      }),
    )
    .max(MAX_FILES + MAX_DESCRIBED_BRANDS + MAX_DRAWINGS)
    .meta({ description: 'By file, and by name in the sidecars.' }),
});

const patchBody = z.strictObject({
  title: factFields.title.optional(),
  hex: factFields.hex.optional(),
  domains: factFields.domains
    .nullable()
    .optional()
    .meta({ description: 'Hosts of the brand, all of them; null: none.' }),
  aliases: factFields.aliases.nullable().optional().meta({ description: 'Other names, all of them; null: none.' }),
  categories: factFields.categories.nullable().optional().meta({ description: 'Categories, all of them; null: none.' }),
  guidelines: factFields.guidelines.optional(),
  links: z
    .record(linkName, z.string({ error: 'must be web addresses, or null, by name' }).nullable(), {
      error: 'must be web addresses, or null, by name',
    })
    .nullable()
    .optional()
    .meta({
      description: 'Those that are named are replaced; null removes one, or all.',
      allowed: 'web addresses, or null, by name',
      example: { website: 'https://intranet.example.com' },
    }),
});

export const brandRoutes: readonly Route[] = [
  route('GET /v1/brands', {
    auth: 'account',
    summary: 'List own brands',
    description: 'By slug. Not counted.',
    query: listQuery,
    responses: { 200: { description: 'A page of own brands', schema: brandList } },
    async handle({ query: { limit = DEFAULT_LIMIT, cursor }, owner }, { ownBrands, deployment: { origin } }) {
      const brands = (await ownBrands.read(owner.accountId)).brands();
      const after = cursor === undefined ? '' : slugOfCursor(cursor);
      const rest = brands.filter(({ slug }) => slug > after);
      const page = rest.slice(0, limit);
      const last = page.at(-1);
      const nextCursor = rest.length > limit && last ? Buffer.from(last.slug).toString('base64url') : null;
      const shown = page.map((brand) => presentBrand(brand, origin));
      return json(200, { brands: shown, total: brands.length, limit, nextCursor }, OWN_CACHE);
    },
  }),
  route('PUT /v1/brands', {
    auth: 'account',
    summary: 'Put many own brands, from an archive',
    description:
      'A ZIP archive of SVG files: `name.svg`, `name--variant.svg` (or `.svgz`), and facts in `name.json` or `icons.json`, as `catalog import` takes them ' +
      'from a folder; a folder is a category. It is one change. `If-None-Match: *` is for all of its brands: none is changed that there is.\n\n' +
      `An archive is rejected as a whole (413) with more than ${MAX_FILES} files, ${MAX_UNPACKED_BYTES / 2 ** 20} MiB unpacked, ` +
      `${MAX_DESCRIBED_BRANDS} brands in its sidecars, or ${MAX_DRAWINGS} drawings; each name under \`variants\` in a sidecar is one. ` +
      'It is rejected (403 `brand_limit`) before any drawing is read if the plan has no room for its brands.\n\n' +
      'A file that cannot be taken has a result with the status 422, and the others are taken; with `atomic=1` nothing is changed then. ' +
      `Such a file is larger than 1 MiB, has a path of more than ${MAX_PATH_CHARACTERS} characters, another CRC-32 than the archive states, ` +
      `a name of which no slug or variant can be made, facts that do not fit, or a drawing beyond the ${MAX_UPLOADS} of its brand.`,
    query: querySchema({ atomic: enumParameter([0, 1], { absent: 0, description: 'All or none.', example: 1 }) }, []),
    binary: {
      media: 'application/zip',
      maxBytes: MAX_ARCHIVE_BYTES,
      arriving: 2,
      // An unpacked archive may take four times as much memory.
      slots: { all: 2, ofOwner: 1 },
      otherMedia: 'Send a ZIP archive, as application/zip.',
      description: 'The archive, at most 32 MiB.',
    },
    responses: { 200: { description: 'A result for each file', schema: archiveResults } },
    errors: ['brand_limit', ...CHANGE_ERRORS],
    handle: async ({ query: { atomic }, bytes, ...call }, { ownBrands }) => {
      const archive = { archive: bytes, atomic: atomic === 1 };
      return json(200, await ownBrands.putArchive(ownerOf(call), archive, byTag(call.precondition)), OWN_CACHE);
    },
  }),
  route('GET /v1/brands/{slug}', {
    auth: 'account',
    summary: 'Get an own brand',
    description: 'Not counted.',
    params: slugInPath,
    responses: { 200: answered('The brand'), 304: { description: 'Not modified', headers: TAGGED } },
    errors: ['not_found'],
    async handle({ params: { slug }, owner }, { ownBrands, deployment: { origin } }): Promise<ConditionalReply> {
      const brand = (await ownBrands.read(owner.accountId)).brand(slug);
      if (!brand) throw noSuchBrand(slug);
      const etag = tagOf(brand);
      return {
        kind: 'prepared',
        etag,
        headers: { ...OWN_CACHE, ...etagHeaders(etag) },
        make: () => json(200, { brand: presentBrand(brand, origin) }),
      };
    },
  }),
  route('PUT /v1/brands/{slug}', {
    auth: 'account',
    summary: 'Make an own brand, or replace what it says',
    description:
      'Private to the account, and before a public brand of the same slug in every route, from the answer on. Drawings stay as ' +
      'they are: `PUT /v1/brands/{slug}/variants/default` puts the first one, without which the brand is in no other route. ' +
      '`If-Match` with the `ETag`, or `If-None-Match: *`, for a change that must not overwrite another.',
    params: slugInPath,
    body: factsBody,
    responses: { 200: answered('The brand, which there was'), 201: answered('The brand, which is new') },
    errors: ['brand_limit', ...CHANGE_ERRORS],
    handle: async ({ params: { slug }, body, ...call }, { ownBrands, deployment: { origin } }) =>
      changed(await ownBrands.put(ownerOf(call), slug, factsOfBody(body), byTag(call.precondition)), origin),
  }),
  route('PATCH /v1/brands/{slug}', {
    auth: 'account',
    summary: 'Change what an own brand says',
    description: 'A merge patch (RFC 7396): fields that are left out stay, null removes one.',
    params: slugInPath,
    body: patchBody,
    responses: { 200: answered('The brand as it is now') },
    errors: ['brand_limit', 'not_found', ...CHANGE_ERRORS],
    handle: async ({ params: { slug }, body, ...call }, { ownBrands, deployment: { origin } }) =>
      changed(
        await ownBrands.patch(ownerOf(call), slug, (brand) => patched(brand, body), byTag(call.precondition)),
        origin,
      ),
  }),
  route('DELETE /v1/brands/{slug}', {
    auth: 'account',
    summary: 'Remove an own brand',
    description: 'With its drawings. A public brand of the same slug takes its place.',
    params: slugInPath,
    responses: { 204: { description: 'The brand is removed' } },
    errors: ['not_found', ...CHANGE_ERRORS],
    async handle({ params: { slug }, ...call }, { ownBrands }) {
      await ownBrands.remove(ownerOf(call), slug, byTag(call.precondition));
      return noContent();
    },
  }),
  route('PUT /v1/brands/{slug}/variants/{variant}', {
    auth: 'account',
    summary: 'Put a drawing of an own brand',
    description:
      'An SVG or .svgz, which is sanitized as those of the catalog are. Its encoding is UTF-8, UTF-16, or what its XML declaration names. A missing `mono` is derived from it as for the catalog, and marked ' +
      '`derived`. So are `light` and `dark` where the default drawing cannot be seen on such a page. ' +
      `\`default\` comes first; a brand has at most ${MAX_UPLOADS}.`,
    params: variantInPath,
    binary: DRAWING_BODY,
    responses: {
      200: answered('The brand, whose drawing was replaced'),
      201: answered('The brand with a new drawing'),
    },
    errors: ['brand_limit', 'not_found', 'unprocessable', ...CHANGE_ERRORS],
    handle: async ({ params: { slug, variant: name }, bytes, ...call }, { ownBrands, deployment: { origin } }) =>
      changed(await ownBrands.putDrawing(ownerOf(call), { slug, name, bytes }, byTag(call.precondition)), origin),
  }),
  route('DELETE /v1/brands/{slug}/variants/{variant}', {
    auth: 'account',
    summary: 'Remove a drawing of an own brand',
    description: '`default` goes with its brand only.',
    params: variantInPath,
    responses: { 204: { description: 'The drawing is removed' } },
    errors: ['not_found', ...CHANGE_ERRORS],
    async handle({ params: { slug, variant: name }, ...call }, { ownBrands }) {
      await ownBrands.removeDrawing(ownerOf(call), { slug, name }, byTag(call.precondition));
      return noContent();
    },
  }),
];

interface ChangeCall {
  readonly owner: AccountOwner;
  readonly client: Client;
  readonly precondition: AssertPrecondition;
}

function ownerOf({ owner, client }: ChangeCall): BrandOwner {
  return { ...owner, by: client.actor };
}

const tagOf = ({ version }: OwnBrand): string => `"${version}"`;

function byTag(precondition: AssertPrecondition): Precondition {
  return (brand) => precondition(brand && tagOf(brand));
}

function changed({ brand, isNew }: BrandChange, origin: string): Reply {
  return json(isNew ? 201 : 200, { brand: presentBrand(brand, origin) }, OWN_CACHE, etagHeaders(tagOf(brand)));
}

function slugOfCursor(cursor: string): string {
  const slug = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!/^[a-z0-9._-]{1,100}$/.test(slug)) throw invalidField('cursor', 'is not a cursor of this service');
  return slug;
}

/** Returns the facts after a merge patch (RFC 7396, section 2). */
function patched(brand: OwnBrand, patch: z.output<typeof patchBody>) {
  const { title, hex, domains, aliases, categories, guidelines, links } = brand;
  const merged = { title, hex, domains, aliases, categories, guidelines, ...withoutUndefined(patch) };
  const mergedLinks = patch.links === null ? {} : withoutNull({ ...links, ...patch.links });
  // In a brand, only the color and the guidelines may be null.
  return factsOfBody(parse(factsBody, { ...withoutNull(merged), links: mergedLinks }, 'field'));
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function withoutNull(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
