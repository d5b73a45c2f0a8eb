// Candidate: one source's facts and sanitized drawings of one icon, before the merge with other sources.
import type { Background, License, Provenance, Variant } from '../entry.js';
import type { IconSetFacts, SetIcon } from '../set-icon.js';

/** Facts about an icon, as its source states them. */
export interface IconFacts {
  /** Name of the icon in its source. */
  readonly key: string;
  readonly title: string;
  /** True if the source has no titles, so that the title was made from the key. */
  readonly titleGuessed: boolean;
  readonly aliases: readonly string[];
  readonly categories: readonly string[];
  /** Brand color: `#RRGGBB` upper case in a candidate, any text in a source. */
  readonly hex: string | null;
  readonly domains?: readonly string[];
  readonly website: string | null;
  readonly origin: string | null;
  readonly guidelines: string | null;
}

export interface Candidate extends IconFacts {
  readonly license: License;
  /** Variants with the names that the source uses, in kebab case. The merge gives them other names. */
  readonly variants: readonly CandidateVariant[];
  readonly setIcon?: SetIcon;
  /** True if the Iconify set has hidden the icon. The icon gets no entry, but the Iconify protocol still serves it. */
  readonly hidden?: true;
  /** Last version of the package that contained the icon. Missing if the current version contains it. */
  readonly retired?: string;
}

export interface CandidateVariant extends Variant {
  /** Measured facts. Missing if the drawing was imported by an older version of Blazon, which did not measure it. */
  readonly look?: Look;
  /**
   * `etag` of the original, and purpose of the copy. Only copies that the import has derived have this field. Their
   * `name` is not used.
   */
  readonly derivedFrom?: { readonly etag: string; readonly role: 'mono' | 'light' | 'dark' };
}

/** Facts that are measured on a thumbnail of a drawing. */
export interface Look {
  /**
   * Fingerprint in base64. The box of the visible parts is divided into 12 × 12 cells. The fingerprint has the mean
   * premultiplied RGBA of each cell, four bits per channel. For a drawing of one paint, it has only alpha.
   */
  readonly print: string;
  /** By background: share of the drawing's pixels that are invisible on it, 0..1. */
  readonly faded: Readonly<Record<Background, number>>;
  /** Share of the visible pixels that are not black, white or gray, 0..1. */
  readonly chromatic: number;
  /** Number of colors that a person would count. */
  readonly hues: number;
  /**
   * Share of the visible pixels that each color has, 0..1: `areas[i]` for `colors[i]` of the variant. May be shorter
   * than `colors`.
   */
  readonly areas: readonly number[];
  /** Number of shapes of similar height side by side. Four or more shapes are probably letters. */
  readonly letters: number;
  /** Filled disc or square behind the drawing; null if there is none. */
  readonly plate: 'disc' | 'square' | null;
  /** Estimated time in µs to rasterize the drawing at 256 px. Rough, for comparisons only. */
  readonly cost: number;
}

/**
 * Returns the content hashes of all texts that are stored for a candidate: its drawings, their SVG for PNG and WebP
 * (`painted`), and the body of its icon.
 */
export function etagsOf({ variants, setIcon }: Candidate): readonly string[] {
  const body = setIcon?.body ?? null;
  const drawings = variants.flatMap(({ etag, painted }) => (painted === undefined ? [etag] : [etag, painted]));
  return [...new Set([...drawings, ...(body === null ? [] : [body])])];
}

/** How the icons of a source become entries. */
export type SourceKind =
  /** Full logos, which are merged by brand. */
  | 'brands'
  /** One-color glyphs of brands, which are painted in the brand's color. */
  | 'glyphs'
  /** An icon set. Each icon becomes a separate entry, with a slug that starts with the prefix of the set. */
  | 'set';

/** A source of icons: a package, an Iconify JSON file or a folder. */
export interface SourceFacts extends Provenance {
  /** Unique id, such as `package:simple-icons`, `iconify:mdi`, `folder:acme`. */
  readonly id: string;
  readonly kind: SourceKind;
  /** Prefix of the slugs of a `set`. */
  readonly prefix: string | null;
  /** True if drawings of this source take precedence over drawings of all other sources. */
  readonly isOverride?: boolean;
  readonly iconSet?: IconSetFacts;
}
