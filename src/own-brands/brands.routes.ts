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

/** Cache headers. Clients must revalidate before each use, because changes must be visible at once. */
const OWN_CACHE: HeaderFields = { 'Cache-Control': 'private, no-cache', Vary: 'X-API-Key, Authorization' };

const brandInPath = slugParameter.meta({
  description: 'Slug of the own brand. If a public brand has the same slug, the own brand takes precedence.',
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
      allowed: 'the nextCursor of the previous page',
    }),
  },
  [],
);

const brandList = z.object({
  brands: z.array(brandSchema).max(MAX_LIMIT).meta({ description: 'Brands of this page, ordered by slug.' }),
  total: count.meta({ description: 'Number of own brands of the account.' }),
  limit: z.int().min(1).max(MAX_LIMIT).meta({ description: 'Applied limit.', example: DEFAULT_LIMIT }),
  nextCursor: z.string().nullable().meta({ description: 'Value for `cursor`; null on the last page.', example: null }),
});

const archiveResults = z.object({
  applied: z.boolean().meta({ description: '`false` if a file was rejected and `atomic=1` was set.', example: true }),
  results: z
    .array(
      z.object({
        file: z
          .string()
          .max(MAX_PATH_CHARACTERS + 1)
          .meta({
            description: 'Path of the file in the archive. A long path is shortened and ends with "…".',
            example: 'intranet.svg',
          }),
        slug: z.string().nullable().meta({
          description: 'Slug of the brand; null if the file name cannot be turned into a slug.',
          example: 'intranet',
        }),
        status: z
          .union([z.literal(200), z.literal(201), z.literal(422)])
          .meta({ description: '201: created, 200: updated, 422: rejected.', example: 201 }),
        message: z
          .string()
          .max(MAX_MESSAGE_CHARACTERS + 1)
          .optional()
          .meta({ description: 'Why the file was rejected.' }),
        details: z
          .array(errorDetail)
          .max(1)
          .optional()
          .meta({ description: 'For rejected drawings: code, element, line and advice.' }),
      }),
    )
    .max(MAX_FILES + MAX_DESCRIBED_BRANDS + MAX_DRAWINGS)
    .meta({ description: 'One result per file, and per name in the sidecar files.' }),
});

const patchBody = z.strictObject({
  title: factFields.title.optional(),
  hex: factFields.hex.optional(),
  domains: factFields.domains
    .nullable()
    .optional()
    .meta({ description: 'Hosts; replaces the whole list. Null clears it.' }),
  aliases: factFields.aliases
    .nullable()
    .optional()
    .meta({ description: 'Other names; replaces the whole list. Null clears it.' }),
  categories: factFields.categories
    .nullable()
    .optional()
    .meta({ description: 'Replaces the whole list; null clears it.' }),
  guidelines: factFields.guidelines.optional(),
  links: z
    .record(linkName, z.string({ error: 'must be an object with URLs or null' }).nullable(), {
      error: 'must be an object with URLs or null',
    })
    .nullable()
    .optional()
    .meta({
      description:
        'Links to set or replace. A link with the value null is removed; null instead of the object removes all links.',
      allowed: 'an object with URLs or null',
      example: { website: 'https://intranet.example.com' },
    }),
});

export const brandRoutes: readonly Route[] = [
  route('GET /v1/brands', {
    auth: 'account',
    summary: 'List own brands',
    description: 'Ordered by slug. Not counted.',
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
    summary: 'Upload many own brands in an archive',
    description: `Body: a ZIP archive with SVG files named \`name.svg\` or \`name--variant.svg\` (or \`.svgz\`), and metadata in \`name.json\` or \`icons.json\`, in the same format as for \`catalog import\`. Subfolders become categories. All brands change at once. With \`If-None-Match: *\`, existing brands are not changed.\n\nAn archive is rejected as a whole with 413 if it exceeds one of these limits: ${MAX_FILES} files, ${MAX_UNPACKED_BYTES / 2 ** 20} MiB unpacked, ${MAX_DESCRIBED_BRANDS} brands in sidecar files, or ${MAX_DRAWINGS} drawings. Each name under \`variants\` in a sidecar file counts as a drawing. If the plan does not allow that many own brands, the archive is rejected with 403 \`brand_limit\`.\n\nA file that cannot be used gets a result with the status 422, and the other files are still applied. With \`atomic=1\`, nothing is changed in this case. Reasons to reject a file:\n\n- It is larger than 1 MiB, or its path has more than ${MAX_PATH_CHARACTERS} characters.\n- Its CRC-32 is wrong.\n- Its name cannot be turned into a slug and variant.\n- Its metadata or drawing is not accepted.\n- Its brand would have more than ${MAX_UPLOADS} drawings.`,
    query: querySchema(
      {
        atomic: enumParameter([0, 1], {
          absent: 0,
          description: '`1`: if a file is rejected, nothing is changed.',
          example: 1,
        }),
      },
      [],
    ),
    binary: {
      media: 'application/zip',
      maxBytes: MAX_ARCHIVE_BYTES,
      arriving: 2,
      // Few uploads may run at once, because an unpacked archive may take four times the memory of the request body.
      slots: { all: 2, ofOwner: 1 },
      otherMedia: 'Send a ZIP archive as application/zip.',
      description: 'The archive, at most 32 MiB.',
    },
    responses: { 200: { description: 'One result per file', schema: archiveResults } },
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
    summary: 'Create or replace an own brand',
    description:
      'The brand is private to the account. Right after the response, it takes precedence over a public brand with the same slug in all routes. Drawings are not changed: upload the first one with `PUT /v1/brands/{slug}/variants/default`. Until then, the brand does not appear in other routes. To avoid overwriting concurrent changes, send `If-Match` with the `ETag`, or `If-None-Match: *`.',
    params: slugInPath,
    body: factsBody,
    responses: { 200: answered('The updated brand'), 201: answered('The created brand') },
    errors: ['brand_limit', ...CHANGE_ERRORS],
    handle: async ({ params: { slug }, body, ...call }, { ownBrands, deployment: { origin } }) =>
      changed(await ownBrands.put(ownerOf(call), slug, factsOfBody(body), byTag(call.precondition)), origin),
  }),
  route('PATCH /v1/brands/{slug}', {
    auth: 'account',
    summary: 'Update an own brand',
    description: 'JSON merge patch (RFC 7396): omitted fields keep their values, and null removes a field.',
    params: slugInPath,
    body: patchBody,
    responses: { 200: answered('The updated brand') },
    errors: ['brand_limit', 'not_found', ...CHANGE_ERRORS],
    handle: async ({ params: { slug }, body, ...call }, { ownBrands, deployment: { origin } }) =>
      changed(
        await ownBrands.patch(ownerOf(call), slug, (brand) => patched(brand, body), byTag(call.precondition)),
        origin,
      ),
  }),
  route('DELETE /v1/brands/{slug}', {
    auth: 'account',
    summary: 'Delete an own brand',
    description:
      'Also deletes the drawings of the brand. If a public brand has the same slug, it becomes visible again.',
    params: slugInPath,
    responses: { 204: { description: 'The brand is deleted' } },
    errors: ['not_found', ...CHANGE_ERRORS],
    async handle({ params: { slug }, ...call }, { ownBrands }) {
      await ownBrands.remove(ownerOf(call), slug, byTag(call.precondition));
      return noContent();
    },
  }),
  route('PUT /v1/brands/{slug}/variants/{variant}', {
    auth: 'account',
    summary: 'Upload a drawing of an own brand',
    description: `Body: an SVG or .svgz file in UTF-8, UTF-16 or the encoding that its XML declaration names. It is sanitized like the drawings of the catalog. A missing \`mono\` variant is derived from the drawing and marked as \`derived\`. The same applies to \`light\` and \`dark\`, if the default drawing is not visible on that background. Upload \`default\` first. A brand can have at most ${MAX_UPLOADS} drawings.`,
    params: variantInPath,
    binary: DRAWING_BODY,
    responses: {
      200: answered('The brand with the replaced drawing'),
      201: answered('The brand with a new drawing'),
    },
    errors: ['brand_limit', 'not_found', 'unprocessable', ...CHANGE_ERRORS],
    handle: async ({ params: { slug, variant: name }, bytes, ...call }, { ownBrands, deployment: { origin } }) =>
      changed(await ownBrands.putDrawing(ownerOf(call), { slug, name, bytes }, byTag(call.precondition)), origin),
  }),
  route('DELETE /v1/brands/{slug}/variants/{variant}', {
    auth: 'account',
    summary: 'Delete a drawing of an own brand',
    description: '`default` cannot be deleted. Delete the brand instead.',
    params: variantInPath,
    responses: { 204: { description: 'The drawing is deleted' } },
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

/** Applies a merge patch to the facts of a brand (RFC 7396, section 2). */
function patched(brand: OwnBrand, patch: z.output<typeof patchBody>) {
  const { title, hex, domains, aliases, categories, guidelines, links } = brand;
  const merged = { title, hex, domains, aliases, categories, guidelines, ...withoutUndefined(patch) };
  const mergedLinks = patch.links === null ? {} : withoutNull({ ...links, ...patch.links });
  // In a merge patch, null removes a field, so null fields are omitted before validation. `factsOfBody` sets a missing
  // color or missing guidelines to null.
  return factsOfBody(parse(factsBody, { ...withoutNull(merged), links: mergedLinks }, 'field'));
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function withoutNull(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
