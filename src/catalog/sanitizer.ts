// Sanitizer of untrusted SVG. It runs outside the event loop.
import type { CleanDrawing, Derivation } from './drawing.js';
import type { RejectedDrawing } from '../platform/drawing-rejections.js';

/** Plain data, because it crosses a process boundary. */
export type SanitizeOutcome = ({ readonly ok: true } & CleanDrawing) | RejectedDrawing;

export interface Sanitizer {
  /**
   * Returns one outcome per drawing, in order. If a drawing crashes or hangs its process, only this drawing fails, with
   * `crashed`. `derive` has one value per drawing.
   */
  sanitize(svgs: readonly string[], derive?: readonly Derivation[]): Promise<readonly SanitizeOutcome[]>;
  close(): Promise<void>;
}
