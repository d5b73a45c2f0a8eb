// URLs of cdn.brandfetch.io and of Brandfetch's search. Options are pairs of path segments in any order.
import { z } from 'zod';
import { parseSlug, type Background } from '../catalog/entry.js';
import { bucketOfFormat, pictureRequest, type AnswerFormat, type Fallback } from '../pictures/picture-request.js';
import { querySchema } from '../platform/web/query-rules.js';
import { route } from '../platform/http/route.js';
import { keyInPath } from '../accounts/key-in-path.routes.js';
import {
  COMPAT,
  compatPicture,
  PICTURE_ERRORS,
  pictureDocs,
  type CompatPicture,
  type WantedPicture,
} from './answer.routes.js';
import { nameInPath } from './by-name.routes.js';
import { clamped, siteOf } from './parameters.routes.js';
import { brandSuggestions, SEARCH_COST, searchDocs } from './search.routes.js';

const SUGGESTIONS = 10;
const SIDES = { min: 8, max: 2048 };
const DEFAULT_SIDE = 400;
const TYPES = new Set(['icon', 'logo', 'symbol']);
const FORMATS: ReadonlyMap<string, AnswerFormat> = new Map([
  ['png', 'png'],
  ['jpg', 'jpg'],
  ['jpeg', 'jpg'],
  ['webp', 'webp'],
  ['svg', 'svg'],
]);
/**
 * Brandfetch's theme → lightness of the web page. The theme states the lightness of the logo: a light logo is for dark
 * pages.
 */
const PAGES: ReadonlyMap<string, Background> = new Map([
  ['dark', 'light'],
  ['light', 'dark'],
]);
/** Brandfetch's fallback → Blazon's fallback. Where Brandfetch shows its own logo, Blazon shows a letter. */
const FALLBACKS: ReadonlyMap<string, '404' | Fallback> = new Map([
  ['404', '404'],
  ['brandfetch', 'monogram'],
  ['lettermark', 'monogram'],
  ['transparent', 'transparent'],
]);

interface Address {
  readonly wanted: WantedPicture;
  /** Option → value. `type` and `format` are options as well. If an option is repeated, its last value is used. */
  readonly options: ReadonlyMap<string, string>;
}

/** Kinds of identifiers that entries don't have, as in `ticker/NKE`. */
const UNKNOWN_KINDS = new Set(['ticker', 'isin', 'crypto']);

/**
 * Parses a path such as `nike.com/w/400/theme/dark/icon.png`. Both the prefix `domain/` and the segment `type/` are
 * optional.
 */
function readAddress(path: string): Address {
  const [first = '', ...rest] = path.split('/');
  if (UNKNOWN_KINDS.has(first)) return { wanted: { site: { text: path } }, options: new Map() };
  const isDomain = first === 'domain' && rest.length > 0;
  const [identifier = '', ...segments] = isDomain ? rest : [first, ...rest];
  const options = new Map<string, string>();
  for (let at = 0; at < segments.length; at++) {
    const [word = '', ofWord] = partsOf(segments[at]);
    const isType = TYPES.has(word);
    const [value = '', ofValue] = isType ? [word] : partsOf(segments[++at]);
    options.set(isType ? 'type' : word, value);
    const format = ofWord ?? ofValue;
    if (format !== undefined) options.set('format', format);
  }
  return { wanted: isDomain ? { site: siteOf(identifier) } : wantedOf(identifier), options };
}

/** Splits a path segment into a word and a file extension. */
const partsOf = (segment = ''): readonly (string | undefined)[] => segment.toLowerCase().split('.');

const formatOf = ({ options }: Address): AnswerFormat => FORMATS.get(options.get('format') ?? '') ?? 'webp';

function pictureOf(address: Address): CompatPicture {
  const { wanted, options } = address;
  const side = (name: string) => clamped(options.get(name) ?? '', SIDES);
  const [width, height] = [side('w'), side('h')];
  const type = options.get('type') ?? 'icon';
  const size = width === undefined && height === undefined ? { size: DEFAULT_SIDE } : { width, height };
  const fallback = FALLBACKS.get(options.get('fallback') ?? '') ?? (type === 'icon' ? 'monogram' : 'transparent');
  const request = pictureRequest(formatOf(address), { ...size, on: PAGES.get(options.get('theme') ?? ''), fallback });
  return {
    wanted,
    request: { ...request, preferred: type === 'logo' ? ['wordmark'] : 'symbol' },
  };
}

/**
 * Parses an identifier: a domain, or the `brandId` of a search result, which is a slug. Text without a dot may be
 * either of them.
 */
function wantedOf(identifier: string): WantedPicture {
  const slug = parseSlug(identifier);
  const site = siteOf(identifier);
  return slug === undefined || identifier.includes('.') ? { site } : { slugs: [slug], site };
}

const found = z
  .object({
    icon: z.string().meta({ description: 'URL of the icon on this service.' }),
    name: z.string().meta({ description: 'Name of the brand.', example: 'Nike' }),
    domain: z.string().meta({ description: 'Main domain of the brand.', example: 'nike.com' }),
    claimed: z.boolean().meta({ description: 'Always false.' }),
    brandId: z.string().meta({ description: 'Slug of the entry.', example: 'nike' }),
  })
  .meta({ id: 'BrandfetchResult' });

export const brandfetchRoutes = [
  route('GET /compat/{publishableKey}/brandfetch/v2/search/{name}', {
    ...COMPAT,
    bucket: 'search',
    cost: SEARCH_COST,
    replaces: { service: 'Brandfetch', address: 'https://api.brandfetch.io/v2/search/nike?c=…' },
    summary: 'Search brands, compatible with api.brandfetch.io',
    description: `Returns at most ${SUGGESTIONS} brands. Brands without a domain are omitted.`,
    params: z.strictObject({ publishableKey: keyInPath, name: nameInPath }),
    query: querySchema({}, []),
    responses: searchDocs(found),
    handle: ({ catalog, params: { publishableKey, name } }, services) =>
      brandSuggestions(
        {
          catalog,
          q: name,
          atMost: SUGGESTIONS,
          kind: `brandfetch ${publishableKey}`,
          present: ({ slug, title, domain }): z.output<typeof found> => ({
            icon: `${services.deployment.origin}/compat/${publishableKey}/brandfetch/${domain}/w/${DEFAULT_SIDE}/h/${DEFAULT_SIDE}/icon.webp`,
            name: title,
            domain,
            claimed: false,
            brandId: slug,
          }),
        },
        services,
      ),
  }),
  route('GET /compat/{publishableKey}/brandfetch/{+path}', {
    ...COMPAT,
    bucket: (_, { path }) => bucketOfFormat(formatOf(path)),
    cost: 1,
    replaces: {
      service: 'Brandfetch',
      address: 'https://cdn.brandfetch.io/nike.com/w/400/h/400/theme/dark/icon.png?c=…',
    },
    summary: 'Get a logo, compatible with cdn.brandfetch.io',
    description:
      'The path contains a domain or the `brandId` of a search result, and options in any order: `w/{px}`, ' +
      '`h/{px}`, `theme/dark|light`, `fallback/lettermark|transparent|404|brandfetch`, and ' +
      '`type/icon|symbol|logo` or only the type. It can end with `.png`, `.jpg`, `.svg` or `.webp` (default). ' +
      '`c` is ignored. `theme` is the color of the logo: use `theme/light` on dark pages.',
    params: z.strictObject({
      publishableKey: keyInPath,
      path: z.string().transform(readAddress).meta({
        description: 'Domain and options, separated by slashes.',
        type: 'string',
        example: 'nike.com/w/400/h/400/theme/dark/icon.png',
      }),
    }),
    query: querySchema({}, []),
    responses: pictureDocs('webp', 'png', 'jpg', 'svg'),
    errors: PICTURE_ERRORS,
    handle: ({ catalog, params }, services) =>
      compatPicture({ params, catalog }, services, () => pictureOf(params.path)),
  }),
];
