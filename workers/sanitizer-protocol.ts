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
  /** The form that its pictures are drawn from, with small pictures in the place of its blurs; where it has any. */
  readonly painted?: string;
  /** Sides of the viewBox. */
  readonly width: number;
  readonly height: number;
  /** `#rrggbb`, the largest area first, at most 16. */
  readonly colors: readonly string[];
  readonly recolorable: boolean;
  readonly on: readonly ('light' | 'dark')[];
  /** Where its ink lies, from the corner of the viewBox. */
  readonly ink: readonly [x: number, y: number, width: number, height: number];
  /** Not of what nothing is to be derived from. */
  readonly look?: Look;
  readonly derived: Derived;
}

/** Measured facts of a drawing, of its thumbnail. */
export interface Look {
  /** Equal for drawings that look alike, whatever their margins; base64. */
  readonly print: string;
  /** Share of the ink that melts into such a page, 0..1. */
  readonly faded: { readonly light: number; readonly dark: number };
  /** Share of the ink that is neither black, white nor gray, 0..1. */
  readonly chromatic: number;
  /** Colors that a person would count. */
  readonly hues: number;
  /** Share of the ink that each of the first `colors` covers, at most six. */
  readonly areas: readonly number[];
  /** Shapes of like height side by side; from four on it is most likely lettering. */
  readonly letters: number;
  /** Whether it stands on a filled disc or square. */
  readonly plate: 'disc' | 'square' | null;
  /** Estimated drawing time, to compare; about µs at 256 px. */
  readonly cost: number;
}

/** A drawing with the viewBox, look and margins of the one it is derived from. */
export interface DerivedDrawing {
  readonly svg: string;
  readonly painted?: string;
  readonly colors: readonly string[];
  readonly on: readonly ('light' | 'dark')[];
}

export interface Derived {
  /** In one color, written as `currentColor`. */
  readonly mono?: DerivedDrawing;
  /** Where the drawing itself cannot be seen on such a page: with paints that can. */
  readonly light?: DerivedDrawing;
  readonly dark?: DerivedDrawing;
}

/** Requested beside a drawing: its look; of several colors, also drawings for the grounds it is lost on, and a mono. */
export type Derivation = 'nothing' | 'look' | 'grounds' | 'all';

export interface RejectedSvg {
  readonly ok: false;
  readonly reason: SvgRejection;
  readonly message: string;
}

export type SanitizeReply = CleanSvg | RejectedSvg;

/** One message carries many drawings: sending costs more than a small icon. One batch at a time. */
export interface SanitizeBatch {
  readonly svgs: readonly string[];
  /** By drawing; nothing where it is missing. */
  readonly derive: readonly Derivation[];
  /** Whether painted forms are wanted: making them may break the process where the drawing itself does not. */
  readonly paint: boolean;
}
