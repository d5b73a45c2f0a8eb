// URLs of favicon services: Google, Bitwarden and besticon.
import { domainToUnicode } from 'node:url';
import { z } from 'zod';
import { monogramOfDomain, type Monogram } from '../pictures/monogram.js';
import { bucketOfFormat, pictureRequest } from '../pictures/picture-request.js';
import { parseColor, type Color } from '../platform/text/color.js';
import { parameter } from '../platform/web/query-parameter.js';
import { querySchema } from '../platform/web/query-rules.js';
import type { Services } from '../platform/services.js';
import { route } from '../platform/http/route.js';
import { domainParameter } from '../pictures/logo.routes.js';
import { keyInPath } from '../accounts/key-in-path.routes.js';
import { COMPAT, compatPicture, PICTURE_ERRORS, pictureDocs } from './answer.routes.js';
import { clamped, clampedParameter, siteParameter, type Site } from './parameters.routes.js';

const keyOnly = z.strictObject({ publishableKey: keyInPath });
const GOOGLE_SIDES = { min: 16, max: 256 };
const googleSize = clampedParameter({
  ...GOOGLE_SIDES,
  description: 'Width and height of the picture in px. Default: 16.',
});
const GOOGLE_ANSWERS = {
  ...pictureDocs('png'),
  404: { description: 'The brand is unknown; the picture is a globe. Not counted', media: 'image/png' },
};
/**
 * Width and height of the icon in px. Bitwarden's clients show it at 19 to 32 CSS px, and screens have up to two device
 * pixels per CSS px.
 */
const BITWARDEN_SIDE = 64;

const BESTICON_SIDES = { min: 8, max: 500 };
/** Background of letter pictures, as in besticon. */
const LETTER_GROUND = '909090ff' as Color;

const besticonSize = parameter<number>({
  description:
    'Width and height of the picture in px: one number, or the minimum, preferred and maximum size, such as ' +
    '`32..64..120`.',
  example: '32..64..120',
  allowed: 'a number of px, or three numbers separated by ".."',
  schema: { type: 'string', pattern: '^[0-9]+(?:\\.\\.[0-9]+\\.\\.[0-9]+)?$' },
  read: (text) => {
    const sides = /^\d+(?:\.\.\d+\.\.\d+)?$/.test(text) ? besticonSides(text) : undefined;
    return sides === undefined ? { ok: false, reason: 'does not have the allowed format' } : { ok: true, value: sides };
  },
});
/**
 * Formats that the client accepts. The answer is an SVG if the client accepts SVG but not PNG, otherwise a PNG. In
 * besticon, this rule applies only to pictures of letters.
 */
const formats = parameter<'png' | 'svg'>({
  description:
    'Accepted formats, separated by commas. The response is an SVG if the list contains `svg` but not `png`, ' +
    'otherwise a PNG.',
  example: 'png,svg',
  allowed: ['png', 'svg'],
  schema: { type: 'string' },
  read: (text) => {
    const accepted = text.toLowerCase().split(',');
    return { ok: true, value: accepted.includes('svg') && !accepted.includes('png') ? 'svg' : 'png' };
  },
});
const letterGround = parameter<Color | undefined>({
  description: 'Background color of the letter, in hex.',
  example: 'ff0000',
  allowed: 'hex with 3 or 6 digits',
  schema: { type: 'string' },
  read: (text) => ({ ok: true, value: parseColor(text) }),
});

const site = (description: string) => siteParameter({ description, example: 'github.com' });

export const faviconRoutes = [
  route('GET /compat/{publishableKey}/google/s2/favicons', {
    ...COMPAT,
    bucket: 'png',
    cost: 1,
    replaces: { service: 'Google', address: 'https://www.google.com/s2/favicons?domain=github.com&sz=64' },
    summary: 'Get an icon, compatible with www.google.com/s2/favicons',
    params: keyOnly,
    query: querySchema({ domain: site('Host of the site.'), domain_url: site('URL of the site.'), sz: googleSize }, [
      { atLeastOneOf: ['domain', 'domain_url'] },
    ]),
    responses: GOOGLE_ANSWERS,
    errors: PICTURE_ERRORS,
    handle: ({ catalog, params, query }, services) =>
      googleIcon({ catalog, params }, services, { site: query.domain ?? query.domain_url, size: query.sz }),
  }),
  route('GET /compat/{publishableKey}/google/faviconV2', {
    ...COMPAT,
    bucket: 'png',
    cost: 1,
    replaces: {
      service: 'Google',
      address:
        'https://t1.gstatic.com/faviconV2?client=SOCIAL&type=FAVICON&fallback_opts=TYPE,SIZE,URL&url=https://github.com&size=32',
    },
    summary: 'Get an icon, compatible with t1.gstatic.com/faviconV2',
    params: keyOnly,
    query: querySchema({ url: site('URL of the site.'), size: googleSize }, [{ exactlyOneOf: ['url'] }]),
    responses: GOOGLE_ANSWERS,
    errors: PICTURE_ERRORS,
    handle: ({ catalog, params, query }, services) =>
      googleIcon({ catalog, params }, services, { site: query.url, size: query.size }),
  }),
  route('GET /compat/{publishableKey}/bitwarden/{domain}/icon.png', {
    ...COMPAT,
    bucket: 'png',
    cost: 1,
    replaces: { service: 'Bitwarden', address: 'https://icons.bitwarden.net/github.com/icon.png' },
    summary: 'Get an icon, compatible with icons.bitwarden.net',
    description: `Returns a picture of ${BITWARDEN_SIDE} × ${BITWARDEN_SIDE} px.`,
    params: z.strictObject({ publishableKey: keyInPath, domain: domainParameter }),
    query: querySchema({}, []),
    responses: pictureDocs('png'),
    errors: PICTURE_ERRORS,
    handle: ({ catalog, params }, services) =>
      compatPicture({ params, catalog }, services, () => ({
        wanted: { domain: params.domain },
        request: { ...pictureRequest('png', { size: BITWARDEN_SIDE }), preferred: 'symbol' },
      })),
  }),
  route('GET /compat/{publishableKey}/besticon/icon', {
    ...COMPAT,
    bucket: ({ formats = 'png' }) => bucketOfFormat(formats),
    cost: 1,
    replaces: { service: 'besticon', address: 'https://besticon.example/icon?url=github.com&size=32..64..120' },
    summary: 'Get an icon, compatible with besticon servers',
    description:
      'For an unknown brand, the response is a picture of its first letter. besticon responds with a redirect instead.',
    params: keyOnly,
    query: querySchema(
      { url: site('URL of the site.'), size: besticonSize, formats, fallback_icon_color: letterGround },
      [{ exactlyOneOf: ['url'] }, { exactlyOneOf: ['size'] }],
    ),
    responses: pictureDocs('png', 'svg'),
    errors: PICTURE_ERRORS,
    handle: (
      {
        catalog,
        params,
        query: { url = { text: '' }, size = 0, formats: format = 'png', fallback_icon_color: ground },
      },
      services,
    ) =>
      compatPicture({ params, catalog }, services, () => {
        const request = { ...pictureRequest(format, { size }), preferred: 'symbol' } as const;
        const letter = pictureRequest(format, { size, fallback: 'monogram', background: ground ?? LETTER_GROUND });
        return { wanted: { site: url }, request, missing: { monogram: monogramOfSite(url), request: letter } };
      }),
  }),
];

/** Parses the `size` of besticon. It is one number, or minimum, wanted and maximum side, separated by `..`. */
function besticonSides(text: string): number | undefined {
  const sides = text.split('..');
  return clamped(sides[1] ?? sides[0] ?? '', BESTICON_SIDES);
}

function googleIcon(
  call: Parameters<typeof compatPicture>[0],
  services: Services,
  {
    site: wanted = NO_SITE,
    size = GOOGLE_SIDES.min,
  }: { readonly site?: Site | undefined; readonly size?: number | undefined },
) {
  return compatPicture(call, services, () => ({
    wanted: { site: wanted },
    request: { ...pictureRequest('png', { size }), preferred: 'symbol' },
    missing: 'globe',
  }));
}

const NO_SITE: Site = { text: '' };

function monogramOfSite({ text, domain }: Site): Monogram {
  const name = domain?.host?.registrable ?? text.replace(/^[a-z]+:\/\//i, '');
  return monogramOfDomain(name, domainToUnicode(name));
}
