// Interface of the sanitizer of untrusted SVG. Implementations don't block the event loop.
import type { CleanDrawing, Derivation } from './drawing.js';
import type { RejectedDrawing } from '../platform/drawing-rejections.js';

/** Outcome for one drawing. Contains only plain data, because another process sends it. */
export type SanitizeOutcome = ({ readonly ok: true } & CleanDrawing) | RejectedDrawing;

export interface Sanitizer {
  /**
   * Returns one outcome per drawing, in order. If a drawing crashes or blocks its process, only this drawing is
   * rejected, with the code `crashed`. `derive` has one value per drawing.
   */
  sanitize(svgs: readonly string[], derive?: readonly Derivation[]): Promise<readonly SanitizeOutcome[]>;
  close(): Promise<void>;
}
