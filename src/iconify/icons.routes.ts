// GET /iconify/{publishableKey}/{prefix}.json and {prefix}/{name}.svg: icons as data for components, and as pictures.
import { z } from 'zod';
import { querySchema } from '../platform/web/query-rules.js';
import { missingNames, NotFoundError } from '../platform/not-found.js';
import { PICTURE_POLICY, SVG_POLICY } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { docsOf, ICONIFY, iconifyAnswer, noSet, seconds } from './answer.routes.js';
import { keyInPath } from '../accounts/key-in-path.routes.js';
import * as parameters from './parameters.routes.js';

const iconFields = {
  left: z.number().optional().meta({ description: 'Left edge of the viewBox. Default: 0.' }),
  top: z.number().optional().meta({ description: 'Top edge of the viewBox. Default: 0.' }),
  width: z.number().optional().meta({ description: 'Width of the viewBox. Default: the width of the set, or 16.' }),
  height: z.number().optional().meta({ description: 'Height of the viewBox. Default: the height of the set, or 16.' }),
  rotate: z.number().optional().meta({ description: 'Rotation in clockwise quarter turns.' }),
  hFlip: z.boolean().optional().meta({ description: 'Whether the icon is mirrored horizontally.' }),
  vFlip: z.boolean().optional().meta({ description: 'Whether the icon is mirrored vertically.' }),
  hidden: z.boolean().optional().meta({ description: 'Whether the set no longer lists the icon.' }),
};
const { left, top, width, height } = iconFields;
const iconsSchema = z
  .object({
    prefix: z.string().meta({ description: 'Prefix of the set.' }),
    lastModified: seconds.optional(),
    icons: z
      .record(
        z.string(),
        z.object({ body: z.string().meta({ description: 'Content of the <svg> element.' }), ...iconFields }),
      )
      .meta({
        description: 'Icons by name.',
        example: { github: { body: '<path fill="currentColor" d="M12 2 2 22h20z"/>', width: 24, height: 24 } },
      }),
    aliases: z
      .record(
        z.string(),
        z.object({
          parent: z.string().meta({ description: 'Name of the icon or alias to which this alias refers.' }),
          ...iconFields,
        }),
      )
      .meta({ description: 'Requested aliases.', example: { octocat: { parent: 'github' } } }),
    ...{ left, top, width, height },
    not_found: z.array(z.string()).optional().meta({ description: 'Requested names that the set does not contain.' }),
  })
  .meta({
    id: 'IconifyIcons',
    example: {
      prefix: 'blazon',
      lastModified: 1_764_000_000,
      icons: { github: { body: '<path fill="currentColor" d="M12 2 2 22h20z"/>', width: 24, height: 24 } },
      aliases: { octocat: { parent: 'github' } },
      not_found: ['no-such-brand'],
    },
  });

const iconsQuery = querySchema({ icons: parameters.iconsParameter, pretty: parameters.prettyParameter }, [
  { exactlyOneOf: ['icons'] },
]);

const svgQuery = querySchema(
  {
    width: parameters.sizeParameter('Width'),
    height: parameters.sizeParameter('Height'),
    color: parameters.svgColorParameter,
    rotate: parameters.rotateParameter,
    flip: parameters.flipParameter,
    box: parameters.flagParameter(
      'Adds an invisible rectangle around the drawing, for programs that would otherwise crop it.',
    ),
    download: parameters.flagParameter('Sends the icon as a file download.'),
  },
  [],
);

/**
 * Number of icons that count as one request against the limit per second. This many icons take about as much work as
 * one picture.
 */
const ICONS_PER_TOKEN = 10;

const SVG_EXAMPLE = '<svg xmlns="http://www.w3.org/2000/svg" width="1em" height="1em" viewBox="0 0 24 24">…</svg>';
const SVG_TYPE = { 'Content-Type': 'image/svg+xml; charset=utf-8' };

export const iconRoutes: readonly Route[] = [
  route('GET /iconify/{publishableKey}/{prefix}.json', {
    ...ICONIFY,
    bucket: 'svg',
    cost: ({ query: { icons = [] } }) => Math.ceil(icons.length / ICONS_PER_TOKEN),
    summary: 'Get icons as Iconify JSON',
    description: 'Each icon in the response counts as one request. Unknown names are listed in `not_found`.',
    params: z.strictObject({ publishableKey: keyInPath, prefix: parameters.prefixInPath }),
    query: iconsQuery,
    responses: docsOf({ description: 'The icons', schema: iconsSchema }),
    errors: ['not_found'],
    handle: ({ params: { prefix }, query, catalog }, services) =>
      iconifyAnswer({ query, catalog }, services, ['icons', prefix, query], (answers) => {
        const icons = answers.icons(prefix, query.icons ?? []);
        if (icons === undefined) throw noSet(prefix);
        const missing = missingNames('slug', ...icons.unknown);
        return { units: icons.answered, missing, body: (form) => icons.bytes(form) };
      }),
  }),
  route('GET /iconify/{publishableKey}/{prefix}/{name}.svg', {
    ...ICONIFY,
    bucket: 'svg',
    cost: 1,
    summary: "Get an icon as SVG, rendered like Iconify's API",
    params: z.strictObject({
      publishableKey: keyInPath,
      prefix: parameters.prefixInPath,
      name: parameters.nameInPath,
    }),
    query: svgQuery,
    responses: docsOf({ description: 'The picture', media: 'image/svg+xml', example: SVG_EXAMPLE }),
    errors: ['not_found'],
    handle: ({ params: { prefix, name }, query, catalog }, services) =>
      iconifyAnswer({ query, catalog }, services, ['svg', prefix, name, query], (answers) => {
        const { width, height, color, rotate, flip, box, download } = query;
        const icons = answers.icons(prefix, [name]);
        const svg = answers.svg(prefix, name, { width, height, color, rotate, flip, box: box !== undefined });
        if (icons === undefined) throw noSet(prefix);
        if (svg === undefined) {
          const missing = missingNames('slug', ...icons.unknown);
          throw new NotFoundError(`There is no icon "${name}" in "${prefix}".`, missing);
        }
        return {
          headers: {
            ...PICTURE_POLICY,
            ...SVG_POLICY,
            ...(download && { 'Content-Disposition': `attachment; filename="${name}.svg"` }),
          },
          type: SVG_TYPE,
          body: ({ reader }) => svg(reader),
        };
      }),
  }),
];
