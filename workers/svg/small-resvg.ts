// Rasterizing at small sizes, for measurements.
import { Resvg } from '@resvg/resvg-js';

/** Parsed, not yet drawn. Its longer side will have `px`. */
export function smallResvg(svg: string, [width, height]: readonly [width: number, height: number], px: number): Resvg {
  const mode = width >= height ? 'width' : 'height';
  return new Resvg(svg, { fitTo: { mode, value: px }, font: { loadSystemFonts: false } });
}
