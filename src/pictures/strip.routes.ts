// GET /v1/strip: several logos in one picture.
import { parseSlug, WRITTEN_SLUG_PATTERN, type Slug } from '../catalog/entry.js';
import { NotFoundError, type MissingName } from '../platform/not-found.js';
import { STRIP_THEMES, STRIP_TILES, TILE_COLORS, TILE_INSETS, type StripLayout } from './strip.js';
import { enumParameter, integerParameter, parameter } from '../platform/web/query-parameter.js';
import { querySchema } from '../platform/web/query-rules.js';
import type { AppError } from '../platform/errors.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import { CONTENT_TYPES } from './pictures.js';
import { contentEncoding, lastModified } from '../platform/http/openapi/headers.js';
import type { Services } from '../platform/services.js';
import { route } from '../platform/http/route.js';
import { LOOKUP_HEADERS, NOT_MODIFIED, SLUG_RULE } from '../catalog/lookup-replies.routes.js';
import { pictureAnswer, SVG_EXAMPLE } from './pictures.routes.js';

const MAX_ICONS = 100;
const DEFAULTS = { perLine: 15, side: 48 } as const;
const SLUG = WRITTEN_SLUG_PATTERN.source.slice(1, -1);
/** Maximum number of missing names in a message. */
const NAMED_MISSING = 10;
/**
 * Number of logos that count as one request against the limit per second. This many logos take about as much work as
 * one picture.
 */
const ICONS_PER_TOKEN = 10;

const iconsParameter = parameter<readonly Slug[]>({
  description:
    'Slugs, aliases or domains (`stripe.com`) of entries, separated by commas, in the order of the picture. Each ' +
    'one counts. A slug takes precedence over a domain.',
  allowed: `1 to ${MAX_ICONS} slugs or domains, separated by commas: ${SLUG_RULE}`,
  schema: { type: 'string', pattern: `^${SLUG}(?:,${SLUG}){0,${MAX_ICONS - 1}}$` },
  example: 'github,docker,figma',
  tryIt: 'github,docker,figma',
  read: (text) => {
    const slugs = text.split(',').map(parseSlug);
    if (slugs.length > MAX_ICONS) return { ok: false, reason: `more than ${MAX_ICONS} icons` };
    return slugs.every((slug) => slug !== undefined)
      ? { ok: true, value: slugs }
      : { ok: false, reason: 'not a list of slugs or domains' };
  },
});

export const stripQuery = querySchema(
  {
    icons: iconsParameter,
    format: enumParameter(['svg', 'png'], { absent: 'svg', description: 'Format of the picture.', example: 'png' }),
    theme: enumParameter(STRIP_THEMES, {
      description:
        "Page background. Each logo is shown in a form that is visible on this background. `auto` follows the visitor's color " +
        'scheme with a media query in the SVG. Default: `auto` for SVG, `light` for PNG.',
      example: 'dark',
    }),
    perline: integerParameter({
      min: 1,
      max: 50,
      absent: DEFAULTS.perLine,
      description: 'Logos per row.',
      example: 6,
    }),
    size: integerParameter({
      min: 16,
      max: 128,
      absent: DEFAULTS.side,
      description:
        'Height of a row in px. Logos are scaled to look equally large: a filled square is smaller than a thin ' +
        'outline, and a wordmark is up to 2.5 times as wide as high. A PNG has at most 4096 px per side.',
      example: 64,
    }),
    gap: integerParameter({
      min: 0,
      max: 128,
      description: 'Space between logos in px. Default: a quarter of `size`.',
      example: 16,
    }),
    tile: enumParameter(STRIP_TILES, {
      absent: 'none',
      description: 'Shape of the tile behind each logo.',
      example: 'rounded',
    }),
    titles: enumParameter([0, 1], {
      absent: 0,
      description: '`1` adds the titles of the logos to the SVG, for screen readers and as tooltips in inlined SVGs.',
      example: 1,
    }),
    fallback: enumParameter(['404', 'monogram', 'skip'], {
      absent: '404',
      description:
        'Response for unknown names: an error that lists them (`404`), pictures of their initials (`monogram`), or ' +
        'a strip without them (`skip`).',
      example: 'skip',
    }),
  },
  [
    { exactlyOneOf: ['icons'] },
    { parameter: 'theme', value: 'auto', notWithValue: { parameter: 'format', value: 'png' } },
    { parameter: 'titles', value: 1, notWithValue: { parameter: 'format', value: 'png' } },
  ],
);

export const stripCost = ({ icons = [] }: StripQuery): number => Math.max(1, Math.ceil(icons.length / ICONS_PER_TOKEN));

type StripQuery = (typeof stripQuery)['_zod']['output'];

const HEADERS = { ...LOOKUP_HEADERS, 'Last-Modified': lastModified };

export const stripRoute = route('GET /v1/strip', {
  auth: 'key',
  bucket: ({ format = 'svg' }) => format,
  cost: ({ query }) => stripCost(query),
  publishable: 'query',
  summary: 'Get several logos in one picture',
  description:
    'For READMEs and "trusted by" rows. Counts in the bucket of the format, once for each logo in the picture. ' +
    'Aliases are followed, and domains are looked up like in `GET /v1/brand`. Own brands take precedence over ' +
    'public ones.',
  query: stripQuery,
  responses: {
    200: {
      description: 'The picture',
      media: CONTENT_TYPES.svg,
      otherMedia: { [CONTENT_TYPES.png]: undefined },
      headers: { ...HEADERS, 'Content-Encoding': contentEncoding },
      example: SVG_EXAMPLE,
    },
    304: NOT_MODIFIED,
  },
  errors: ['not_found', 'unprocessable', 'busy'],
  handle: ({ query, catalog }, services) => stripAnswer(query, catalog, services),
});

/**
 * Answers with a strip. Throws AppError `not_found` if names are unknown and `fallback` is `404`, or if no logo
 * remains.
 */
export async function stripAnswer(
  query: StripQuery,
  catalog: AccountCatalog,
  { strips, pictures }: Pick<Services, 'strips' | 'pictures'>,
) {
  const { icons = [], format = 'svg', titles, fallback = '404' } = query;
  const plan = await strips.plan(catalog, {
    names: icons,
    format,
    layout: layoutOf(query),
    hasTitles: titles === 1,
    fallback: fallback === '404' ? null : fallback,
  });
  if (plan.kind === 'missing') throw noEntries(plan.names, plan.counted);
  return { ...pictureAnswer(plan.picture, { format, download: false }, pictures), units: plan.entries };
}

function layoutOf(query: StripQuery): StripLayout {
  const { format, theme = format === 'png' ? 'light' : 'auto', perline = DEFAULTS.perLine } = query;
  const { size = DEFAULTS.side, gap = Math.round(size / 4), tile = 'none' } = query;
  return {
    ...{ theme, perLine: perline, side: size, gap, tile },
    tileColors: TILE_COLORS,
    inset: TILE_INSETS[tile],
    isBalanced: true,
    isSized: true,
  };
}

function noEntries(names: readonly Slug[], counted: readonly MissingName[]): AppError {
  const named = names.slice(0, NAMED_MISSING).map((name) => `"${name}"`);
  const more = names.length > NAMED_MISSING ? ` and ${names.length - NAMED_MISSING} more` : '';
  return new NotFoundError(
    `There are no entries ${named.join(', ')}${more}. Add fallback=monogram to show their initials, or ` +
      'fallback=skip to omit them.',
    counted,
  );
}
