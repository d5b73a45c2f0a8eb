// Parsing by resvg, and rasterizing at small sizes for measurements.
import { Resvg } from '@resvg/resvg-js';

/** For parsing. `em` is 16 px, the browsers' initial size of a font. resvg's own is 12. */
export const RESVG_FONT = { loadSystemFonts: false, defaultFontSize: 16 } as const;

/** Parsed, not yet drawn. Its longer side will have `px`. */
export function smallResvg(svg: string, [width, height]: readonly [width: number, height: number], px: number): Resvg {
  const mode = width >= height ? 'width' : 'height';
  return new Resvg(svg, { fitTo: { mode, value: px }, font: RESVG_FONT });
}
