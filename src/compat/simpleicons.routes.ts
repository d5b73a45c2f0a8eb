// URLs of cdn.simpleicons.org.
import { z } from 'zod';
import { parseSlug, type Slug } from '../catalog/entry.js';
import { pictureRequest, type PictureRequest } from '../pictures/picture-request.js';
import { parseColor, type Color } from '../platform/text/color.js';
import { querySchema } from '../platform/web/query-rules.js';
import { route } from '../platform/http/route.js';
import type { Services } from '../platform/services.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import { keyInPath } from '../accounts/key-in-path.routes.js';
import { COMPAT, compatPicture, PICTURE_ERRORS, pictureDocs } from './answer.routes.js';
import { clampedParameter, wordParameter } from './parameters.routes.js';

const slug = z.string().min(1).max(100, { error: 'longer than 100 characters' }).meta({
  description: 'Slug in simple-icons or in this catalog.',
  allowed: '1 to 100 characters',
  example: 'nodedotjs',
});
/** Creates a parameter for a color. A text that is not a color means the brand color. */
const color = (description: string) => z.string().meta({ description, example: '0cf' });
const query = querySchema(
  {
    viewbox: wordParameter({ auto: 'auto' } as const, { description: '`auto` removes the empty margins.' }),
    size: clampedParameter({ min: 8, max: 2048, description: 'Height of the picture in px. Default: none.' }),
  },
  [],
);

/**
 * Returns the slugs to try, in order. The CDN spells special characters out, such as `nodedotjs` for `node.js` and
 * `cplusplus` for `c++`.
 */
function slugsOf(text: string): readonly Slug[] {
  const spelled = text.toLowerCase().replaceAll(/[ +]/g, 'plus').replaceAll('.', 'dot');
  return [...new Set([spelled, text])].flatMap((each) => parseSlug(each) ?? []);
}

interface Ink {
  readonly color?: string;
  readonly darkColor?: string;
}

const colorOf = (text: string): Color | 'brand' => parseColor(text) ?? 'brand';

/** Returns the request for a picture in one color. The default is the brand color. */
function requestOf(
  { color: light = '', darkColor: dark }: Ink,
  { viewbox, size }: z.output<typeof query>,
): PictureRequest {
  const trimmed = viewbox === 'auto' ? ({ trim: 1, ...(size !== undefined && { height: size }) } as const) : { size };
  return {
    ...pictureRequest('svg', { ...trimmed, color: colorOf(light) }),
    preferred: ['mono'],
    ...(dark !== undefined && { darkColor: colorOf(dark) }),
  };
}

interface IconLookup {
  readonly catalog: AccountCatalog;
  readonly params: Ink & { readonly slug: string };
  readonly query: z.output<typeof query>;
}

const FIELDS = {
  ...COMPAT,
  bucket: 'svg',
  cost: 1,
  query,
  responses: pictureDocs('svg'),
  errors: PICTURE_ERRORS,
  handle: ({ catalog, params, query: given }: IconLookup, services: Services) =>
    compatPicture({ params, catalog }, services, () => ({
      wanted: { slugs: slugsOf(params.slug) },
      request: requestOf(params, given),
    })),
} as const;

export const simpleiconsRoutes = [
  route('GET /compat/{publishableKey}/simpleicons/{slug}', {
    ...FIELDS,
    replaces: { service: 'simple-icons', address: 'https://cdn.simpleicons.org/github' },
    summary: 'Get an icon, compatible with cdn.simpleicons.org',
    description: 'The icon has the brand color.',
    params: z.strictObject({ publishableKey: keyInPath, slug }),
  }),
  route('GET /compat/{publishableKey}/simpleicons/{slug}/{color}', {
    ...FIELDS,
    replaces: { service: 'simple-icons', address: 'https://cdn.simpleicons.org/github/0cf' },
    summary: 'Get an icon in a color, compatible with cdn.simpleicons.org',
    params: z.strictObject({ publishableKey: keyInPath, slug, color: color('Hex or a CSS color name.') }),
  }),
  route('GET /compat/{publishableKey}/simpleicons/{slug}/{color}/{darkColor}', {
    ...FIELDS,
    replaces: { service: 'simple-icons', address: 'https://cdn.simpleicons.org/github/181717/fff' },
    summary: 'Get an icon in two colors, compatible with cdn.simpleicons.org',
    description:
      'The first color is for light pages, the second for dark pages. The SVG switches between them with ' +
      '`prefers-color-scheme`.',
    params: z.strictObject({
      publishableKey: keyInPath,
      slug,
      color: color('Hex or a CSS color name.'),
      darkColor: color('Color for dark pages: hex or a CSS color name.'),
    }),
  }),
];
