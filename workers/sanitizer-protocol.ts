// Messages to the sanitizer's processes and back: plain data only.
import type { CleanDrawing, Derivation } from '../src/domain/catalog/drawing.js';

/** Reason for the rejection of a drawing. */
export type SvgRejection =
  | 'too-large'
  | 'malformed'
  | 'not-svg'
  | 'entities'
  | 'no-viewbox'
  | 'bad-viewbox'
  | 'too-many-elements'
  | 'too-deep'
  | 'path-too-long'
  | 'text'
  | 'embedded-image'
  | 'external-reference'
  | 'animation'
  | 'unsupported-element'
  | 'reference-cycle'
  | 'too-costly'
  | 'filter-too-costly'
  | 'style-too-complex'
  | 'empty'
  | 'undrawable';

export interface CleanSvg extends CleanDrawing {
  readonly ok: true;
}

export type SanitizeReply = CleanSvg | { readonly ok: false; readonly reason: SvgRejection; readonly message: string };

/** One message carries many drawings: sending costs more than a small drawing. One batch at a time. */
export interface SanitizeBatch {
  readonly svgs: readonly string[];
  /** By drawing; nothing where it is missing. */
  readonly derive: readonly Derivation[];
  /** Painted forms are made, too, where `derive` wants them: that may break the process where the drawing itself does not. */
  readonly paint: boolean;
}
