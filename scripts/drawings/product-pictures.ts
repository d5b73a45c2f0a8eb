// Draws an SVG like the service does: the response of the SVG route, and the PNG of `?size=256`.
import { availableParallelism } from 'node:os';
import { openDrawingTools } from './drawing-tools.js';
import type { CleanDrawing } from '../../src/catalog/drawing.js';
import { decodeSvg } from '../../src/catalog/svg-bytes.js';
import { MAX_DRAWING_BYTES } from '../../src/own-brands/own-brand.js';
import { composeSvg } from '../../src/pictures/compose-svg.js';
import { pictureGeometry } from '../../src/pictures/geometry.js';
import { pictureRequest, type AnswerFormat } from '../../src/pictures/picture-request.js';
import type { PictureSpec } from '../../src/pictures/picture-spec.js';
import { colorOfHex } from '../../src/platform/text/color.js';
import { pictureOf, PICTURE_PX } from './browser-pictures.js';
import type { Picture } from './compare-pictures.js';

export type Product =
  | { readonly kind: 'rejected'; readonly reason: string; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'drawn';
      readonly clean: CleanDrawing;
      readonly svg: Buffer;
      readonly png: Picture;
    };

export type ProductPictures = ReturnType<typeof openProductPictures>;

export function openProductPictures({ processes = availableParallelism() } = {}) {
  const { sanitizer, rasterizer, close } = openDrawingTools({ processes });

  async function drawn(clean: CleanDrawing): Promise<Product> {
    const { svg, painted = svg } = clean;
    const { box } = specOf(clean, 'png').geometry;
    const outcome = await rasterizer.rasterize({
      ...{ svg: composeSvg(painted, specOf(clean, 'png')), width: box.width, height: box.height },
      ...({ format: 'png', quality: null } as const),
    });
    if (!outcome.ok) return { kind: 'failed', message: `${outcome.failure}: ${outcome.message}` };
    const answer = Buffer.from(composeSvg(svg, specOf(clean, 'svg')));
    return { kind: 'drawn', clean, svg: answer, png: await pictureOf(outcome.bytes) };
  }

  return {
    /** Returns one result per SVG, in order. */
    async make(svgs: readonly Buffer[]): Promise<readonly Product[]> {
      const texts = await Promise.all(svgs.map((bytes) => decodeSvg(bytes, MAX_DRAWING_BYTES)));
      const outcomes = await sanitizer.sanitize(
        texts.map(({ svg }) => svg),
        texts.map(() => 'painted'),
      );
      const products: Product[] = [];
      // Draws one picture at a time, because the rasterizer has no queue.
      for (const [at, { rejected }] of texts.entries()) {
        const outcome = rejected ?? outcomes[at];
        if (outcome?.ok === true) products.push(await drawn(outcome));
        else products.push({ kind: 'rejected', reason: 'undrawable', message: 'no answer', ...outcome });
      }
      return products;
    },
    close,
  };
}

/** Returns the specification of a picture that shows the whole drawing in its own colors. */
function specOf({ width, height, recolorable, colors }: CleanDrawing, format: AnswerFormat): PictureSpec {
  const { layout } = pictureRequest(format, format === 'svg' ? {} : { size: PICTURE_PX });
  const paint = recolorable ? (colorOfHex(colors[0] ?? '') ?? null) : null;
  return { geometry: pictureGeometry({ width, height }, layout), paint, background: null, greyscale: false };
}
