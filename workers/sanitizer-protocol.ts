// Messages to the sanitizer's processes and back: plain data only.
import type { CleanDrawing, Derivation } from '../src/catalog/drawing.js';
import type { RejectedDrawing } from '../src/catalog/drawing-rejections.js';

export interface CleanSvg extends CleanDrawing {
  readonly ok: true;
}

export type SanitizeReply = CleanSvg | RejectedDrawing;

/** One message carries many drawings: sending costs more than a small drawing. One batch at a time. */
export interface SanitizeBatch {
  readonly svgs: readonly string[];
  /** By drawing; nothing where it is missing. */
  readonly derive: readonly Derivation[];
  /** Painted forms are made, too, where `derive` wants them: that may break the process where the drawing itself does not. */
  readonly paint: boolean;
}
