// What one source says about one icon, sanitised but not yet merged with what other sources say.
import type { License, Variant } from './catalog.js';

export interface Candidate {
  /** The icon's name in its source. */
  readonly key: string;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly categories: readonly string[];
  /** `#RRGGBB` upper case. */
  readonly hex: string | null;
  readonly website: string | null;
  readonly origin: string | null;
  readonly guidelines: string | null;
  readonly license: License;
  readonly variants: readonly Variant[];
}
