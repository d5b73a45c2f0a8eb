// Interface of the sanitizer of untrusted SVG. Implementations don't block the event loop.
import type { CleanDrawing, Derivation } from './drawing.js';
import type { RejectedDrawing } from '../platform/drawing-rejections.js';

/** Outcome for one drawing, as plain data that one process can send to another. */
export type SanitizeOutcome = ({ readonly ok: true } & CleanDrawing) | RejectedDrawing;

export interface Sanitizer {
  /**
   * Returns one outcome per drawing, in order. A drawing that crashes or blocks its process is rejected with the code
   * `crashed`, and the other drawings are not affected. `derive` has one value per drawing.
   */
  sanitize(svgs: readonly string[], derive?: readonly Derivation[]): Promise<readonly SanitizeOutcome[]>;
  close(): Promise<void>;
}
