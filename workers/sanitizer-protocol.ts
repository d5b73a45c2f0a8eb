// Messages between the service and its sanitizer processes: plain data only.
import type { CleanDrawing, Derivation } from '../src/catalog/drawing.js';
import type { RejectedDrawing } from '../src/platform/drawing-rejections.js';

export interface CleanSvg extends CleanDrawing {
  readonly ok: true;
}

export type SanitizeReply = CleanSvg | RejectedDrawing;

/** Many drawings per message, because sending costs more than a small drawing. One batch at a time. */
export interface SanitizeBatch {
  readonly svgs: readonly string[];
  /** By drawing. Missing for drawings without derived ones. */
  readonly derive: readonly Derivation[];
  /** Whether to make painted forms for drawings in `derive`. Painting may crash where the drawing itself does not. */
  readonly paint: boolean;
}
