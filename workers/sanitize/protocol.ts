// Messages to the sanitizer's processes and back: plain data only.

/** Why a drawing was rejected. */
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

export interface CleanSvg {
  readonly ok: true;
  /**
   * `<svg xmlns viewBox>…</svg>`, one line; a single paint is written as `currentColor`. `overflow="hidden"` is said of
   * drawings with ink outside of the viewBox only: clipping has its price.
   */
  readonly svg: string;
  /** Of the viewBox. */
  readonly width: number;
  readonly height: number;
  /** `#rrggbb`, the largest area first, at most 16. */
  readonly colors: readonly string[];
  readonly recolorable: boolean;
  readonly on: readonly ('light' | 'dark')[];
}

export interface RejectedSvg {
  readonly ok: false;
  readonly reason: SvgRejection;
  readonly message: string;
}

export type SanitizeReply = CleanSvg | RejectedSvg;

/** One message carries many drawings: sending costs more than a small icon. One batch at a time. */
export interface SanitizeBatch {
  readonly svgs: readonly string[];
}
