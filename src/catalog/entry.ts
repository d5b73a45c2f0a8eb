// Catalog entries: one brand or icon, its variants and provenance.
import type { Slug } from '../platform/web/slug.js';
import type { SetIcon } from './set-icon.js';

export { parseSlug, SLUG_PATTERN, WRITTEN_SLUG_PATTERN, type Slug } from '../platform/web/slug.js';

/** Formats of pictures. Each has a route and a bucket. */
export const PICTURE_FORMATS = ['svg', 'png', 'webp'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** A page color that a picture stands on. */
export type Background = 'light' | 'dark';

/** In user units. */
export type InkBox = readonly [x: number, y: number, width: number, height: number];

/** One named drawing of an entry. Its text is stored by `etag`. */
export interface Variant {
  /** `default`, `mono`, `light` (for light backgrounds), `dark` (for dark ones), `wordmark`, … */
  readonly name: string;
  /** Sides of the viewBox, in user units. */
  readonly width: number;
  readonly height: number;
  /** Paints in the drawing, most used first, `#rrggbb` lower case, at most 16. */
  readonly colors: readonly string[];
  /** One paint only, so that `color` may replace it. Its text then has `currentColor` in that place. */
  readonly recolorable: boolean;
  /** Backgrounds on which it is recognized: most of its outline stands out, and no part is lost. A tile is on both. */
  readonly on: readonly Background[];
  /** Where its ink lies, from the corner of the viewBox; without it, everywhere. */
  readonly ink?: InkBox;
  /** Share of that box that is ink, 0..1; missing where it was not measured. */
  readonly inkShare?: number;
  /** Made of another drawing of the entry at import, not by its source. */
  readonly derived?: true;
  /** Content hash of the sanitized SVG, 16 hex digits; the drawing is stored by it. */
  readonly etag: string;
  /**
   * Content hash of the form that PNG and WebP are rasterized from, with small bitmaps in the place of its blurs, which would take
   * ten times as long. Missing where there are none, and for icons of Iconify sets.
   */
  readonly painted?: string;
}

export interface License {
  /** SPDX identifier, or the source's own words. */
  readonly type: string;
  readonly url: string | null;
  readonly redistributable: boolean;
}

export interface Provenance {
  readonly package: string;
  readonly version: string;
}

/** One brand or icon as it is stored. Routes add the URLs of the pictures. */
export interface Entry {
  readonly slug: Slug;
  readonly title: string;
  /** Other names people use for it, as written ("k8s", "구글"). */
  readonly aliases: readonly string[];
  /** Lower case kebab, sorted. */
  readonly categories: readonly string[];
  /** Brand color, `#RRGGBB` upper case. */
  readonly hex: string | null;
  /** The brand's main host, ASCII. */
  readonly domain: string | null;
  readonly domains: readonly string[];
  readonly website: string | null;
  /** Where the drawing was taken from. */
  readonly source: string | null;
  readonly guidelines: string | null;
  readonly license: License;
  /** `default` is first and always there. */
  readonly variants: readonly [Variant, ...Variant[]];
  readonly provenance: readonly Provenance[];
  /** Its packages have dropped it: it stays available under its slug, and is found no more. */
  readonly retired?: true;
  /** An own brand of the account, private to it. */
  readonly own?: true;
  /** Facts of the Iconify set, where the entry is an icon of one. */
  readonly setIcon?: SetIcon;
  /** A brand's icons in Iconify sets. */
  readonly setIcons?: readonly SetIcon[];
  /** Changes whenever a variant or the brand color changes; 12 hex digits. */
  readonly revision: string;
  /** When anything of the entry last changed, RFC 3339 UTC with seconds. */
  readonly updatedAt: string;
}

/** The result of looking a slug up. */
export type Lookup =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'moved'; readonly to: Slug }
  | { readonly kind: 'withdrawn'; readonly slug: Slug; readonly reason: string }
  | { readonly kind: 'missing' };
