// Drawing of an SVG document into pixels.
import { Resvg } from '@resvg/resvg-js';
import { enlarge } from './enlarge.js';
import { boundFilters, HALVED_PX, SMALL_PX } from './filter-layers.js';
import type { Pixels } from '../pixels.js';
import { loadSharp } from './sharp.js';
import { hasTurnedFilters } from './turned-filters.js';

interface Drawing {
  readonly svg: string;
  /** As it is: its filters come out right. */
  readonly direct?: boolean;
  readonly width: number;
  readonly height: number;
}

/** Longer side up to which layers are drawn at full size, and at which they are drawn beyond it, px. */
const LAYERS_PX = { full: 2048, beyond: 1536 } as const;
/** What makes the renderer draw on a canvas of its own: half a second for each that fills 4096 px. */
const LAYER = / (?:clip-path|mask|filter|opacity|mix-blend-mode)="/;
/** Without `crop`, resvg-js 2.6 cuts every picture to its own size, which copies it; an empty part means no cut. */
const WHOLE = {
  fitTo: { mode: 'original' },
  font: { loadSystemFonts: false },
  crop: { left: 0, top: 0, right: 0, bottom: 0 },
} as const;
const ROOT_SIZE = /^(<svg xmlns="[^"]*") width="[\d.]+" height="[\d.]+"/;

/** Very large pictures of drawings with layers are drawn smaller and enlarged: docs/adr/0009-filter-resolution.md. */
export async function draw(drawing: Drawing): Promise<Pixels> {
  const { svg, width, height } = drawing;
  // Unless the request turns it.
  if (drawing.direct === true && !hasTurnedFilters(svg)) return drawWithResvg(drawing);
  const longer = Math.max(width, height);
  if (longer <= LAYERS_PX.full || !LAYER.test(svg) || !ROOT_SIZE.test(svg)) return drawFilters(drawing);
  const [across, down] = [width, height].map((side) => Math.max(1, Math.round((side * LAYERS_PX.beyond) / longer))) as [
    number,
    number,
  ];
  const smaller = svg.replace(ROOT_SIZE, `$1 width="${across}" height="${down}"`);
  return enlarge(await drawFilters({ svg: smaller, width: across, height: down }), { ...drawing, kernel: 'linear' });
}

/** Filters at a bounded resolution: filter-layers.ts. */
async function drawFilters(drawing: Drawing): Promise<Pixels> {
  const longer = Math.max(drawing.width, drawing.height);
  if (longer < HALVED_PX) return drawDocument(drawing);
  if (!drawing.svg.includes('<filter')) return drawWithResvg(drawing);
  const bounded = await boundFilters(drawing.svg, drawing, { drawDocument, drawLayer });
  if (bounded.kind === 'picture') return enlarge(bounded.pixels, drawing);
  const document = { ...bounded.size, svg: bounded.svg };
  // At larger sizes only filters of single pixels are left, for which librsvg takes ten times as long.
  const pixels = await (longer <= SMALL_PX ? drawDocument(document) : drawLayer(document));
  return enlarge(pixels, { ...drawing, kernel: 'linear' });
}

/**
 * librsvg where there are filters: resvg leaves out parts of what reaches far out of the picture in groups with opacity.
 * But for feMorphology, for which librsvg takes ten times as long.
 */
function drawDocument(drawing: Drawing): Pixels | Promise<Pixels> {
  const { svg } = drawing;
  return svg.includes('<filter') && !svg.includes('<feMorphology') ? drawWithLibrsvg(drawing) : drawWithResvg(drawing);
}

/** resvg, since librsvg cuts off what a blur would bring in from outside of the picture; not for what is turned. */
export function drawLayer(drawing: Drawing): Pixels | Promise<Pixels> {
  return hasTurnedFilters(drawing.svg) ? drawWithLibrsvg(drawing) : drawWithResvg(drawing);
}

/**
 * At the document's own `width` and `height`: fitted to the width, the height is rounded up, now and then by one pixel
 * too many.
 */
function drawWithResvg({ svg, width, height }: Drawing): Pixels {
  const image = new Resvg(svg, WHOLE).render();
  assertSize({ width, height }, image);
  return { width, height, bytes: image.pixels, premultiplied: true };
}

export async function drawWithLibrsvg({ svg, width, height }: Drawing): Promise<Pixels> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  assertSize({ width, height }, info);
  return { width, height, bytes: data, premultiplied: false };
}

function assertSize(
  expected: { readonly width: number; readonly height: number },
  drawn: { readonly width: number; readonly height: number },
): void {
  if (drawn.width === expected.width && drawn.height === expected.height) return;
  throw new Error(`drawn ${drawn.width} x ${drawn.height} px instead of ${expected.width} x ${expected.height}`);
}
