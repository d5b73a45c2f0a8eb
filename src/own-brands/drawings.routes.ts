// POST /v1/drawings: previews an SVG file before it is stored. Also defines the request body of all routes that accept
// an SVG.
import { MAX_DRAWING_BYTES } from './own-brand.js';
import { PREVIEWS_A_DAY, PREVIEWS_A_MINUTE } from './drawing-previews.js';
import { CONTENT_TYPES } from '../pictures/pictures.js';
import type { BinaryBody } from '../platform/http/request/binary-body.js';
import { content, NO_STORE, PICTURE_POLICY, SVG_POLICY } from '../platform/http/response/reply.js';
import { route } from '../platform/http/route.js';
import { SVG_EXAMPLE } from '../pictures/pictures.routes.js';

export const DRAWING_BODY: BinaryBody = {
  media: 'image/svg+xml',
  maxBytes: MAX_DRAWING_BYTES,
  arriving: 20,
  slots: { all: 100, ofOwner: 10 },
  otherMedia: 'Send an SVG as image/svg+xml. Bitmaps (PNG, WebP, JPEG) are not accepted.',
  description: 'The SVG, at most 1 MiB. A .svgz file must also have at most 1 MiB when unzipped.',
  example: SVG_EXAMPLE,
};

export const drawingRoute = route('POST /v1/drawings', {
  auth: 'account',
  summary: 'Preview a drawing',
  description:
    'The sanitized drawing that `PUT /v1/brands/{slug}/variants/{variant}` would store, in its own colors, or ' +
    `the reason why it would be rejected. Stores nothing. Not counted. At most ${PREVIEWS_A_MINUTE} previews per ` +
    `minute and ${PREVIEWS_A_DAY} per day.`,
  binary: DRAWING_BODY,
  responses: {
    200: { description: 'The sanitized drawing', media: CONTENT_TYPES.svg, example: SVG_EXAMPLE },
  },
  errors: ['unprocessable', 'rate_limited', 'busy'],
  handle: async ({ owner, bytes }, { ownBrands }) =>
    content(await ownBrands.previewDrawing(owner.accountId, bytes), {
      'Content-Type': CONTENT_TYPES.svg,
      ...NO_STORE,
      ...SVG_POLICY,
      ...PICTURE_POLICY,
    }),
});
