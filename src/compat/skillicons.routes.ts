// URLs of skillicons.dev: one picture with a row of icon tiles.
import { z } from 'zod';
import { parseSlug, type Slug } from '../catalog/entry.js';
import { TILE_INSETS, type StripLayout } from '../pictures/strip.js';
import type { Color } from '../platform/text/color.js';
import { enumParameter, integerParameter, parameter } from '../platform/web/query-parameter.js';
import { querySchema } from '../platform/web/query-rules.js';
import { NotFoundError } from '../platform/not-found.js';
import { shortened } from '../platform/errors.js';
import { route } from '../platform/http/route.js';
import { keyInPath } from '../accounts/key-in-path.routes.js';
import { pictureAnswer } from '../pictures/pictures.routes.js';
import { COMPAT, PICTURE_ERRORS, pictureDocs } from './answer.routes.js';

const MAX_ICONS = 100;
/** Number of icons that count as one request against the limit per second, as for `GET /v1/strip`. */
const ICONS_PER_TOKEN = 10;
/** Id of skillicons.dev → slug. All other ids are slugs or aliases of entries. */
const IDS: ReadonlyMap<string, string> = new Map([
  ['ae', 'adobe-after-effects'],
  ['ai', 'adobe-illustrator'],
  ['ps', 'adobe-photoshop'],
  ['pr', 'adobe-premiere'],
  ['adonis', 'adonisjs'],
  ['apollo', 'apollo-graphql'],
  ['bots', 'discord'],
  ['cs', 'c-sharp'],
  ['discordbots', 'discord'],
  ['echarts', 'apache-echarts'],
  ['gamemakerstudio', 'gamemaker'],
  ['gatsbyjs', 'gatsby'],
  ['gql', 'graphql'],
  ['idea', 'intellij-idea'],
  ['ktorio', 'ktor'],
  ['nest', 'nestjs'],
  ['net', 'dotnet'],
  ['next', 'nextjs'],
  ['pwsh', 'powershell'],
  ['sc', 'scala'],
  ['scss', 'sass'],
  ['unreal', 'unreal-engine'],
  ['windi', 'windicss'],
  ['workers', 'cloudflare-workers'],
]);

/** Width of a tile in px. On skillicons.dev, a tile has 256 units, and the gap between two tiles has 44 units. */
const SIDE = 48;
const GAP = (44 * SIDE) / 256;
const TILE_COLORS: StripLayout['tileColors'] = { light: 'f4f2edff' as Color, dark: '242938ff' as Color };

const icons = (description: string) =>
  parameter<readonly string[]>({
    description,
    allowed: `1 to ${MAX_ICONS} ids, separated by commas`,
    schema: { type: 'string', minLength: 1 },
    example: 'js,html,css,wasm',
    read: (text) => {
      const ids = text.split(',').map((id) => id.trim().toLowerCase());
      if (ids.length > MAX_ICONS) return { ok: false, reason: `more than ${MAX_ICONS} icons` };
      return text === '' ? { ok: false, reason: 'empty' } : { ok: true, value: ids };
    },
  });
const theme = (description: string) => enumParameter(['light', 'dark'], { description, example: 'light' });

const query = querySchema(
  {
    i: icons('Icon IDs of skillicons.dev, or slugs of this catalog, separated by commas. Unknown icons are omitted.'),
    icons: icons('Same as `i`.'),
    t: theme('Color of the tiles. Default: `dark`.'),
    theme: theme('Same as `t`.'),
    perline: integerParameter({ min: 1, max: 50, absent: 15, description: 'Icons per row.', example: 3 }),
  },
  [{ atLeastOneOf: ['i', 'icons'] }],
);

const slugsOf = (ids: readonly string[]): readonly Slug[] => ids.flatMap((id) => parseSlug(IDS.get(id) ?? id) ?? []);

export const skilliconsRoute = route('GET /compat/{publishableKey}/skillicons/icons', {
  ...COMPAT,
  bucket: 'svg',
  cost: ({ query: { i, icons: all = [] } }) => Math.max(1, Math.ceil((i ?? all).length / ICONS_PER_TOKEN)),
  replaces: { service: 'skillicons', address: 'https://skillicons.dev/icons?i=js,html,css,wasm&theme=light' },
  summary: 'Get a row of icons on tiles, compatible with skillicons.dev',
  description: 'Counts once for each icon in the picture.',
  params: z.strictObject({ publishableKey: keyInPath }),
  query,
  responses: pictureDocs('svg'),
  errors: PICTURE_ERRORS,
  async handle(
    { catalog, query: { i, icons: all = [], t, theme: named = 'dark', perline = 15 } },
    { strips, pictures },
  ) {
    const ids = i ?? all;
    const plan = await strips.plan(catalog, {
      names: slugsOf(ids),
      format: 'svg',
      layout: {
        ...{ theme: t ?? named, perLine: perline, side: SIDE, gap: GAP, tile: 'rounded', tileColors: TILE_COLORS },
        ...{ inset: TILE_INSETS.rounded, isBalanced: true, isSized: true },
      },
      hasTitles: false,
      fallback: 'skip',
    });
    if (plan.kind === 'missing')
      throw new NotFoundError(`There are no icons "${shortened(ids.join(), 80)}".`, plan.counted);
    return { ...pictureAnswer(plan.picture, { format: 'svg', download: false }, pictures), units: plan.entries };
  },
});
