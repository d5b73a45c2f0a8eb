// Rasterizes an SVG document. Very large documents, and documents with filters, are drawn smaller and enlarged:
// docs/adr/0009-filter-resolution.md.
import { Resvg } from '@resvg/resvg-js';
import type { Size } from './device-scale.js';
import { boundedPx } from './filter-cost.js';
import { loadSharp, resize } from './libvips.js';
import { withPatternBitmaps } from './pattern-tiles.js';
import { widenNarrowBlurs } from './narrow-blurs.js';
import type { Pixels } from '../pixels.js';

export interface SvgDocument extends Size {
  /** SVG text. Its root must have the attributes `width` and `height` with these values. */
  readonly svg: string;
}

/**
 * `full`: maximum longer side at which layers are drawn at full size. `beyond`: the size at which layers of larger
 * pictures are drawn. Both in px.
 */
const LAYERS_PX = { full: 2048, beyond: 1536 } as const;
/**
 * Matches features that need a separate canvas or a bitmap. Each one that fills a picture of 4096 px takes up to 0.8 s.
 */
const LAYER = / (?:clip-path|mask|opacity|style)="|<(?:image|pattern) /;
/**
 * Options of resvg. A crop of 0 means no crop. Without this option, resvg-js 2.6 crops every picture to its own size,
 * which copies it.
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

/** Returns the longer side at which the document is drawn, px. */
function largestPx(svg: string, longer: number): number {
  if (svg.includes('<filter')) return boundedPx(svg);
  return longer > LAYERS_PX.full && LAYER.test(svg) ? LAYERS_PX.beyond : longer;
}

/** Matches filters that librsvg draws differently from browsers, or ten times as slowly. */
const OF_RESVG =
  /<fe(?:ComponentTransfer|ConvolveMatrix|DiffuseLighting|DisplacementMap|Morphology|SpecularLighting|Turbulence)/;

/**
 * Draws the document at its own size. librsvg draws filters: resvg omits parts of groups with opacity that extend far
 * beyond the picture. resvg draws bitmaps, which painted forms contain, because it draws them more like browsers.
 */
function drawAsItIs(document: SvgDocument): Pixels | Promise<Pixels> {
  const { svg } = document;
  return svg.includes('<filter') && !svg.includes('<image ') && !OF_RESVG.test(svg)
    ? drawWithLibrsvg(document)
    : drawWithResvg(document);
}

/**
 * Draws the document with resvg at the document's own size. If resvg had to fit the width, it would sometimes round the
 * height up by one pixel too many.
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
