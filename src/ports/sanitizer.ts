// Makes untrusted SVG safe, off the event loop.
import type { Background } from '../domain/catalog.js';

/** Plain data: it crosses a thread boundary. */
export type SanitizeOutcome =
  | {
      readonly ok: true;
      /** `<svg xmlns viewBox>…</svg>`; a single paint is written as `currentColor`. */
      readonly svg: string;
      readonly width: number;
      readonly height: number;
      readonly colors: readonly string[];
      readonly recolorable: boolean;
      readonly on: readonly Background[];
    }
  | { readonly ok: false; readonly reason: string; readonly message: string };

export interface Sanitizer {
  /** One outcome per drawing, in order. A drawing that crashes or hangs its thread costs only itself. */
  sanitize(svgs: readonly string[]): Promise<readonly SanitizeOutcome[]>;
  close(): Promise<void>;
}
