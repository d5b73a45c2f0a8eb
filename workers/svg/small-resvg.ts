// Parses drawings with resvg, and rasterizes them at small sizes for measurements.
import { Resvg } from '@resvg/resvg-js';

/** Options for parsing. The unit `em` is 16 px, like in browsers. The default of resvg is 12 px. */
export const RESVG_FONT = { loadSystemFonts: false, defaultFontSize: 16 } as const;

/** Returns a parsed drawing. The longer side of the rendered picture has `px` pixels. */
export function smallResvg(svg: string, [width, height]: readonly [width: number, height: number], px: number): Resvg {
  const mode = width >= height ? 'width' : 'height';
  return new Resvg(svg, { fitTo: { mode, value: px }, font: RESVG_FONT });
}
