// Messages between the service and its sanitizer processes. They are plain data.
import type { CleanDrawing, Derivation } from '../src/catalog/drawing.js';
import type { RejectedDrawing } from '../src/platform/drawing-rejections.js';

export interface CleanSvg extends CleanDrawing {
  readonly ok: true;
}

export type SanitizeReply = CleanSvg | RejectedDrawing;

/**
 * Message with many drawings, because sending a message costs more than sanitizing a small drawing. The next one is
 * sent after the reply.
 */
export interface SanitizeBatch {
  readonly svgs: readonly string[];
  /** Derivation of each drawing. Missing items mean `nothing`. */
  readonly derive: readonly Derivation[];
  /**
   * True makes painted forms for drawings with a `derive` other than `nothing`. Painting may crash where the drawing
   * itself does not.
   */
  readonly paint: boolean;
}
