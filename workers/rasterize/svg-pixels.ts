// Rasterizes an SVG document. Very large documents, and documents with filters, are drawn in a smaller size and then
// enlarged: docs/adr/0009-filter-resolution.md.
import { Resvg } from '@resvg/resvg-js';
import type { Size } from './device-scale.js';
import { boundedPx } from './filter-cost.js';
import { loadSharp, resize } from './libvips.js';
import { withPatternBitmaps } from './pattern-tiles.js';
import { widenNarrowBlurs } from './narrow-blurs.js';
import type { Pixels } from '../pixels.js';

export interface SvgDocument extends Size {
  /** SVG text. The attributes `width` and `height` of its root must equal the fields `width` and `height`. */
  readonly svg: string;
}

/**
 * If the longer side of a picture with layers is at most `full` pixels, the picture is drawn in full size. Otherwise
 * its longer side is drawn with `beyond` pixels, and the picture is then enlarged.
 */
const LAYERS_PX = { full: 2048, beyond: 1536 } as const;
/**
 * Matches features that need a separate canvas or a bitmap. In a picture of 4096 px, each feature takes up to 0.8 s.
 */
const LAYER = / (?:clip-path|mask|opacity|style)="|<(?:image|pattern) /;
/**
 * Options of resvg. A crop with zeros means no crop. Without these zeros, resvg-js 2.6 copies every picture to crop it
 * to its own size.
 */
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

/**
 * Returns the maximum length of the longer side with which the document is drawn, px. `longer`: requested length of the
 * longer side, px.
 */
function largestPx(svg: string, longer: number): number {
  if (svg.includes('<filter')) return boundedPx(svg);
  return longer > LAYERS_PX.full && LAYER.test(svg) ? LAYERS_PX.beyond : longer;
}

/**
 * Matches filters that resvg must draw, because librsvg draws them differently from browsers, or takes ten times as
 * long.
 */
const OF_RESVG =
  /<fe(?:ComponentTransfer|ConvolveMatrix|DiffuseLighting|DisplacementMap|Morphology|SpecularLighting|Turbulence)/;

/**
 * Draws the document in its own size. librsvg draws documents with filters, because resvg omits parts of groups with
 * opacity that are far outside the picture. resvg draws documents with bitmaps, because it draws bitmaps more like
 * browsers do.
 */
function drawAsItIs(document: SvgDocument): Pixels | Promise<Pixels> {
  const { svg } = document;
  return svg.includes('<filter') && !svg.includes('<image ') && !OF_RESVG.test(svg)
    ? drawWithLibrsvg(document)
    : drawWithResvg(document);
}

/**
 * Draws the document with resvg in the document's own size. If resvg scaled the document to a width, the height would
 * sometimes be one pixel too large.
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
