// From an SVG document to pixels.
import { Resvg } from '@resvg/resvg-js';
import type { Pixels } from './pixels.js';
import { loadSharp } from './sharp.js';

interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/**
 * resvg is the faster one at every size, but for filters, where librsvg takes half the time, but for feMorphology, where
 * it takes up to ten times as long; both draw the same.
 */
export function draw(drawing: Drawing): Pixels | Promise<Pixels> {
  const { svg } = drawing;
  return svg.includes('<filter') && !svg.includes('<feMorphology') ? drawWithLibrsvg(drawing) : drawWithResvg(drawing);
}

function drawWithResvg({ svg, width, height }: Drawing): Pixels {
  const image = new Resvg(svg, { fitTo: { mode: 'width', value: width }, font: { loadSystemFonts: false } }).render();
  assertSize({ width, height }, image);
  return { width, height, bytes: image.pixels, premultiplied: true };
}

async function drawWithLibrsvg({ svg, width, height }: Drawing): Promise<Pixels> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  assertSize({ width, height }, info);
  return { width, height, bytes: data, premultiplied: false };
}

function assertSize(asked: { readonly width: number; readonly height: number }, drawn: { readonly width: number; readonly height: number }): void {
  if (drawn.width === asked.width && drawn.height === asked.height) return;
  throw new Error(`drawn ${drawn.width} x ${drawn.height} px instead of ${asked.width} x ${asked.height}`);
}
