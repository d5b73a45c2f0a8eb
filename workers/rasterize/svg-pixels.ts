// Pixels of an SVG document; very large ones, and those with filters, are drawn smaller and enlarged:
// docs/adr/0009-filter-resolution.md.
import { Resvg } from '@resvg/resvg-js';
import type { Size } from './device-scale.js';
import { boundedPx } from './filter-cost.js';
import { loadSharp, resize } from './libvips.js';
import { withPatternBitmaps } from './pattern-tiles.js';
import { widenNarrowBlurs } from './narrow-blurs.js';
import type { Pixels } from '../pixels.js';

export interface SvgDocument extends Size {
  /** Its root has the same `width` and `height`. */
  readonly svg: string;
}

/** Longer side up to which layers are drawn at full size, and at which they are drawn beyond it, px. */
const LAYERS_PX = { full: 2048, beyond: 1536 } as const;
/** Attributes and elements that need a canvas of their own or a picture to be placed: up to 0.8 s for each that fills 4096 px. */
const LAYER = / (?:clip-path|mask|opacity|style)="|<(?:image|pattern) /;
/** Without `crop`, resvg-js 2.6 cuts every picture to its own size, which copies it; an empty part means no cut. */
const WHOLE = {
  fitTo: { mode: 'original' },
  font: { loadSystemFonts: false },
  crop: { left: 0, top: 0, right: 0, bottom: 0 },
} as const;
const ROOT_SIZE = /^(<svg xmlns="[^"]*") width="[\d.]+" height="[\d.]+"/;

export async function pixelsOf(document: SvgDocument): Promise<Pixels> {
  const { svg } = document;
  const longer = Math.max(document.width, document.height);
  const px = largestPx(svg, longer);
  if (px >= longer || !ROOT_SIZE.test(svg)) return drawAsItIs(document);
  const [width, height] = [document.width, document.height].map((side) =>
    Math.max(1, Math.round((side * px) / longer)),
  ) as [number, number];
  const smaller = svg.replace(ROOT_SIZE, `$1 width="${width}" height="${height}"`);
  return resize(await drawAsItIs({ svg: smaller, width, height }), document);
}

/** Longer side at which the document is drawn at most, px. */
function largestPx(svg: string, longer: number): number {
  if (svg.includes('<filter')) return boundedPx(svg);
  return longer > LAYERS_PX.full && LAYER.test(svg) ? LAYERS_PX.beyond : longer;
}

/** Effects that librsvg draws in another way than browsers, or for which it takes ten times as long. */
const OF_RESVG =
  /<fe(?:ComponentTransfer|ConvolveMatrix|DiffuseLighting|DisplacementMap|Morphology|SpecularLighting|Turbulence)/;

/**
 * librsvg where there are filters: resvg leaves out parts of what reaches far out of the picture in groups with opacity. In a
 * painted form, that is a bitmap, which resvg draws nearer to browsers.
 */
function drawAsItIs(document: SvgDocument): Pixels | Promise<Pixels> {
  const { svg } = document;
  return svg.includes('<filter') && !svg.includes('<image ') && !OF_RESVG.test(svg)
    ? drawWithLibrsvg(document)
    : drawWithResvg(document);
}

/**
 * At the document's own `width` and `height`: fitted to the width, the height is rounded up, now and then by one pixel
 * too many.
 */
export function drawWithResvg({ svg, width, height }: SvgDocument): Pixels {
  const size = { width, height };
  const isTiled = svg.includes('<pattern') && Math.max(width, height) <= LAYERS_PX.full;
  return drawAsWritten(isTiled ? withPatternBitmaps(svg, size, drawAsWritten) : svg, size);
}

function drawAsWritten(svg: string, size: Size): Pixels {
  const drawn = new Resvg(svg, WHOLE).render();
  assertSize(size, drawn);
  return { ...size, bytes: drawn.pixels, premultiplied: true };
}

async function drawWithLibrsvg({ svg, width, height }: SvgDocument): Promise<Pixels> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(Buffer.from(widenNarrowBlurs(svg, { width, height })))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assertSize({ width, height }, info);
  return { width, height, bytes: data, premultiplied: false };
}

function assertSize(expected: Size, drawn: Size): void {
  if (drawn.width === expected.width && drawn.height === expected.height) return;
  throw new Error(`drawn ${drawn.width} x ${drawn.height} px instead of ${expected.width} x ${expected.height}`);
}
