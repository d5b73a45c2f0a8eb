// Candidate: one source's facts and sanitized drawings of one icon, not yet merged with other sources.
import type { Background, License, Provenance, Variant } from '../entry.js';
import type { IconSetFacts, SetIcon } from '../set-icon.js';

/** Facts about an icon, as its source states them. */
export interface IconFacts {
  /** The icon's name in its source. */
  readonly key: string;
  readonly title: string;
  /** The source has no titles: this one was made of the key. */
  readonly titleGuessed: boolean;
  readonly aliases: readonly string[];
  readonly categories: readonly string[];
  /** The brand color: `#RRGGBB` upper case in a candidate, any text in a source. */
  readonly hex: string | null;
  /** Hosts of the brand, where the source states them. */
  readonly domains?: readonly string[];
  readonly website: string | null;
  readonly origin: string | null;
  readonly guidelines: string | null;
}

export interface Candidate extends IconFacts {
  readonly license: License;
  /** By the source's names for them, in kebab case; the entry's names are given when it is merged. */
  readonly variants: readonly CandidateVariant[];
  /** Facts of the Iconify set that the icon is in. */
  readonly setIcon?: SetIcon;
  /** Its set has withdrawn it: it becomes no entry, and stands in the set's facts. */
  readonly hidden?: true;
  /** The version of its package that had it last: later ones have dropped it. */
  readonly retired?: string;
}

export interface CandidateVariant extends Variant {
  /** Missing where an earlier version imported it. */
  readonly look?: Look;
  /** The `etag` of the drawing that it is derived from, and what for. Its name is of no use then. */
  readonly derivedFrom?: { readonly etag: string; readonly role: 'mono' | 'light' | 'dark' };
}

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
  /** The filled disc or square that it stands on. */
  readonly plate: 'disc' | 'square' | null;
  /** Estimated drawing time, to compare; about µs at 256 px. */
  readonly cost: number;
}

/** Content hashes of all that a candidate has as drawings. */
export function etagsOf({ variants, setIcon }: Candidate): readonly string[] {
  const body = setIcon?.body ?? null;
  const drawings = variants.flatMap(({ etag, painted }) => (painted === undefined ? [etag] : [etag, painted]));
  return [...new Set([...drawings, ...(body === null ? [] : [body])])];
}

/** How a source's icons find their place in the catalog. */
export type SourceKind =
  /** Full logos, merged by brand. */
  | 'brands'
  /** One-color glyphs of brands, to be painted in the brand's color. */
  | 'glyphs'
  /** An icon set of its own, each icon an entry under the set's prefix. */
  | 'set';

/** A source of icons: a package, an Iconify JSON file, a folder. */
export interface SourceFacts extends Provenance {
  /** `package:simple-icons`, `iconify:mdi`, `folder:acme` */
  readonly id: string;
  readonly kind: SourceKind;
  /** Before the slugs of a `set`. */
  readonly prefix: string | null;
  /** Its drawings go before those of all other sources, whatever they show. */
  readonly isOverride?: boolean;
  /** Facts of the source as an Iconify set. */
  readonly iconSet?: IconSetFacts;
}
