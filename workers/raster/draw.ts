// Drawing of an SVG document into pixels.
import { Resvg } from '@resvg/resvg-js';
import { enlarge } from './enlarge.js';
import { boundFilters, HALVED_PX, SMALL_PX } from './filter-layers.js';
import type { Pixels } from '../pixels.js';
import { loadSharp } from './sharp.js';

interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Longer side up to which layers are drawn at full size, and at which they are drawn beyond it, px. */
const LAYERS_PX = { full: 2048, beyond: 1536 } as const;
/** What makes the renderer draw on a canvas of its own: half a second for each that fills 4096 px. */
const LAYER = / (?:clip-path|mask|filter|opacity|mix-blend-mode)="/;
const ROOT_SIZE = /^(<svg xmlns="[^"]*") width="[\d.]+" height="[\d.]+"/;

/** Very large pictures of drawings with layers are drawn smaller and enlarged: docs/adr/0009-filter-resolution.md. */
export async function draw(drawing: Drawing): Promise<Pixels> {
  const { svg, width, height } = drawing;
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
  const { svg, width, height } = drawing;
  const longer = Math.max(width, height);
  if (!svg.includes('<filter')) return drawWithResvg(drawing);
  if (longer < HALVED_PX) return drawDirectly(drawing);
  const bounded = await boundFilters(svg, drawing, drawDirectly);
  if (bounded.kind === 'picture') return enlarge(bounded.pixels, drawing);
  const document = { ...bounded.size, svg: bounded.svg };
  return longer <= SMALL_PX
    ? drawDirectly(document)
    : enlarge(drawWithResvg(document), { ...drawing, kernel: 'linear' });
}

/**
 * Of documents with filters or enlarged pictures. resvg is the faster one at every size, but for these, where librsvg
 * takes half the time, but for feMorphology, where it takes up to ten times as long; both draw the same. Beyond some
 * 1024 px librsvg takes ten times as long or more for twice the size.
 */
function drawDirectly(drawing: Drawing): Pixels | Promise<Pixels> {
  return drawing.svg.includes('<feMorphology') ? drawWithResvg(drawing) : drawWithLibrsvg(drawing);
}

/**
 * At the document's own `width` and `height`: fitted to the width, the height is rounded up, now and then by one pixel
 * too many.
 */
function drawWithResvg({ svg, width, height }: Drawing): Pixels {
  const image = new Resvg(svg, { fitTo: { mode: 'original' }, font: { loadSystemFonts: false } }).render();
  assertSize({ width, height }, image);
  return { width, height, bytes: image.pixels, premultiplied: true };
}

async function drawWithLibrsvg({ svg, width, height }: Drawing): Promise<Pixels> {
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
