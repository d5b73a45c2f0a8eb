// Look of a drawing: the measured facts by which drawings of one brand are compared.
import type { Background } from './entry.js';

/** Measured facts of a drawing, of its thumbnail. */
export interface Look {
  /** Mean premultiplied RGBA of 12 × 12 cells of the ink, four bits each, base64; of one paint, alpha alone. */
  readonly print: string;
  /** Share of the ink that melts into such a page, 0..1. */
  readonly faded: Readonly<Record<Background, number>>;
  /** Share of the ink that is neither black, white nor gray, 0..1. */
  readonly chromatic: number;
  /** Colors that a person would count. */
  readonly hues: number;
  /** Share of the ink that each of the first `colors` covers. */
  readonly areas: readonly number[];
  /** Shapes of like height side by side; from four on it is most likely lettering. */
  readonly letters: number;
  /** Whether it stands on a filled disc or square. */
  readonly plate: 'disc' | 'square' | null;
  /** What drawing it takes, to compare; about µs at 256 px. */
  readonly cost: number;
}
