// Sanitizer of untrusted SVG, off the event loop.
import type { CleanDrawing, Derivation } from './drawing.js';
import type { RejectedDrawing } from '../platform/drawing-rejections.js';

/** Plain data: it crosses a process boundary. */
export type SanitizeOutcome = ({ readonly ok: true } & CleanDrawing) | RejectedDrawing;

export interface Sanitizer {
  /** One outcome per drawing, in order. A drawing that crashes or hangs its process fails alone, as `crashed`. `derive` is by drawing. */
  sanitize(svgs: readonly string[], derive?: readonly Derivation[]): Promise<readonly SanitizeOutcome[]>;
  close(): Promise<void>;
}
