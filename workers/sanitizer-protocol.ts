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
  /**
   * Derivation for each item of `svgs`, in the same order. The list may be shorter than `svgs`: nothing is derived from
   * the remaining items.
   */
  readonly derive: readonly Derivation[];
  /**
   * True to also make painted forms: copies of drawings with bitmaps in place of blurs. A drawing whose `derive` is
   * `nothing` gets no painted form. The process may crash while it makes a painted form, even if the drawing itself can
   * be drawn.
   */
  readonly paint: boolean;
}
