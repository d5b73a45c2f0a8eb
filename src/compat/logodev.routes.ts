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
    size: clampedParameter({ min: 16, max: 800, description: 'Width and height of the picture in px. Default: 128.' }),
    format: wordParameter({ jpg: 'jpg', jpeg: 'jpg', png: 'png', webp: 'webp', svg: 'svg' } as const, {
      description: '`jpg` (default), `png`, `webp` or `svg`.',
      example: 'png',
    }),
    theme: wordParameter({ light: 'light', dark: 'dark' } as const, {
      description:
        'Background of the page on which the logo is shown: `light` or `dark`. Default: `auto`, the unchanged logo.',
      example: 'dark',
    }),
    greyscale: switchParameter('Converts the picture to grayscale.'),
    retina: switchParameter('Doubles the resolution.'),
    fallback: wordParameter({ '404': '404', monogram: 'monogram' } as const, {
      description: 'Response for an unknown brand: `monogram` (default) or `404`.',
      example: '404',
    }),
  },
  [],
);
type Query = z.output<typeof query>;

/**
 * Returns the picture request. A JPEG gets the background color of a light or dark page, because JPEG has no
 * transparency.
 */
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
    summary: 'Get a logo, compatible with img.logo.dev',
    description: '`token` is ignored. JPEGs have a white background, or a black one with `theme=dark`.',
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
    summary: 'Get a logo by brand name, compatible with img.logo.dev',
    description: 'Works like the request by domain. If several brands have the name, the best-known brand is returned.',
    params: z.strictObject({ publishableKey: keyInPath, name: nameInPath }),
    query,
    responses: ANSWERS,
    errors: PICTURE_ERRORS,
    handle: ({ catalog, params, query: given }, services) =>
      compatPictureByName({ catalog, name: params.name }, requestOf(given), services),
  }),
];
