// Parses with resvg and rasterizes at small sizes for measurements.
import { Resvg } from '@resvg/resvg-js';

/** Options for parsing. `em` is 16 px, the initial font size of browsers. resvg's default is 12. */
export const RESVG_FONT = { loadSystemFonts: false, defaultFontSize: 16 } as const;

/** Returns a parsed drawing that will have `px` on its longer side. */
export function smallResvg(svg: string, [width, height]: readonly [width: number, height: number], px: number): Resvg {
  const mode = width >= height ? 'width' : 'height';
  return new Resvg(svg, { fitTo: { mode, value: px }, font: RESVG_FONT });
}
