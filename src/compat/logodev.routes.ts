// URLs of img.logo.dev.
import { z } from 'zod';
import { BLACK, WHITE } from '../platform/text/color.js';
import { bucketOfFormat, pictureRequest, type PictureRequest } from '../pictures/picture-request.js';
import { querySchema } from '../platform/web/query-rules.js';
import { route } from '../platform/http/route.js';
import { domainParameter } from '../pictures/logo.routes.js';
import { keyInPath } from '../accounts/key-in-path.routes.js';
import { COMPAT, compatPicture, PICTURE_ERRORS, pictureDocs } from './answer.routes.js';
import { BY_NAME_COST, compatPictureByName, nameInPath } from './by-name.routes.js';
import { clampedParameter, switchParameter, wordParameter } from './parameters.routes.js';

const query = querySchema(
  {
    size: clampedParameter({ min: 16, max: 800, description: 'Sides of the picture, px. Default: 128.' }),
    format: wordParameter({ jpg: 'jpg', jpeg: 'jpg', png: 'png', webp: 'webp', svg: 'svg' } as const, {
      description: '`jpg` (default), `png`, `webp` or `svg`.',
      example: 'png',
    }),
    theme: wordParameter({ light: 'light', dark: 'dark' } as const, {
      description: 'Page that the logo stands on: `light`, `dark`, or `auto` (default), which is the logo as it is.',
      example: 'dark',
    }),
    greyscale: switchParameter('Every color becomes grey.'),
    retina: switchParameter('Twice as many pixels.'),
    fallback: wordParameter({ '404': '404', monogram: 'monogram' } as const, {
      description: 'For an unknown brand: `monogram` (default) or `404`.',
      example: '404',
    }),
  },
  [],
);
type Query = z.output<typeof query>;

/** Returns the picture request. JPEG needs a background, so it gets the color of the page. */
function requestOf({
  size = 128,
  format = 'jpg',
  theme,
  greyscale,
  retina,
  fallback = 'monogram',
}: Query): PictureRequest {
  const ground = format === 'jpg' ? { background: theme === 'dark' ? BLACK : WHITE } : {};
  return pictureRequest(format, { size, on: theme, greyscale, fallback, ...(retina && { scale: 2 }), ...ground });
}

const bucket = ({ format = 'jpg' }: Query) => bucketOfFormat(format);
const ANSWERS = pictureDocs('jpg', 'png', 'webp', 'svg');

export const logodevRoutes = [
  route('GET /compat/{publishableKey}/logodev/{domain}', {
    ...COMPAT,
    bucket,
    cost: 1,
    replaces: { service: 'logo.dev', address: 'https://img.logo.dev/stripe.com?token=pk_…' },
    summary: 'Get a logo at the address of img.logo.dev',
    description: '`token` is ignored. JPEG is on white, with `theme=dark` on black.',
    params: z.strictObject({ publishableKey: keyInPath, domain: domainParameter }),
    query,
    responses: ANSWERS,
    errors: PICTURE_ERRORS,
    handle: ({ catalog, params, query: given }, services) =>
      compatPicture({ params, catalog }, services, () => ({
        wanted: { domain: params.domain },
        request: requestOf(given),
      })),
  }),
  route('GET /compat/{publishableKey}/logodev/name/{name}', {
    ...COMPAT,
    bucket,
    cost: BY_NAME_COST,
    replaces: { service: 'logo.dev', address: 'https://img.logo.dev/name/Stripe?token=pk_…' },
    summary: 'Get a logo by the name of its brand, at the address of img.logo.dev',
    description: 'As by domain; of several brands with the name, the best known one.',
    params: z.strictObject({ publishableKey: keyInPath, name: nameInPath }),
    query,
    responses: ANSWERS,
    errors: PICTURE_ERRORS,
    handle: ({ catalog, params, query: given }, services) =>
      compatPictureByName({ catalog, name: params.name }, requestOf(given), services),
  }),
];
