// Messages between the service and its sanitizer processes. They are plain data.
import type { CleanDrawing, Derivation } from '../src/catalog/drawing.js';
import type { RejectedDrawing } from '../src/platform/drawing-rejections.js';

export interface CleanSvg extends CleanDrawing {
  readonly ok: true;
}

export type SanitizeReply = CleanSvg | RejectedDrawing;

/**
 * Message with many drawings, because sending a message costs more than sanitizing a small drawing. The service sends
 * the next one after the reply.
 */
export interface SanitizeBatch {
  readonly svgs: readonly string[];
  /** Drawings to derive: one item for each item of `svgs`. Nothing is derived from an svg without an item. */
  readonly derive: readonly Derivation[];
  /**
   * True to make painted forms (bitmaps in place of blurs). Drawings whose `derive` is `nothing` get none. Making
   * painted forms may crash, even if the drawing itself can be drawn.
   */
  readonly paint: boolean;
}
