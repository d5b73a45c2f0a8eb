// Catalog entries: one brand or icon, its variants and provenance.
import type { Slug } from '../platform/web/slug.js';
import type { SetIcon } from './set-icon.js';

export { parseSlug, SLUG_PATTERN, WRITTEN_SLUG_PATTERN, type Slug } from '../platform/web/slug.js';

/** Formats of pictures. Each format has its own route and its own usage bucket. */
export const PICTURE_FORMATS = ['svg', 'png', 'webp'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** Lightness of the web page on which a picture is shown. */
export type Background = 'light' | 'dark';

/** Bounding box of the visible parts of a drawing, in user units of the viewBox. */
export type InkBox = readonly [x: number, y: number, width: number, height: number];

/** One named drawing of an entry. The SVG text is stored under `etag`. */
export interface Variant {
  /** `default`, `mono`, `light` (for light backgrounds), `dark` (for dark ones), `wordmark`, … */
  readonly name: string;
  /** Sides of the viewBox, in user units. */
  readonly width: number;
  readonly height: number;
  /** Paints in the drawing, `#rrggbb` in lower case, most used first, at most 16. */
  readonly colors: readonly string[];
  /**
   * True if the drawing has a single paint, which clients can replace with `color`. Its text then has `currentColor` in
   * place of the paint.
   */
  readonly recolorable: boolean;
  /**
   * Backgrounds on which the drawing is recognizable, because most of its outline and all its parts are visible. A
   * drawing with its own background tile is recognizable on both.
   */
  readonly on: readonly Background[];
  /**
   * Bounding box of the visible parts, relative to the corner of the viewBox. Missing if it is equal to the viewBox.
   */
  readonly ink?: InkBox;
  /** Share of the box `ink` that visible parts cover, 0..1. Missing if the drawing was not measured. */
  readonly inkShare?: number;
  /** True if the import derived this variant from another drawing of the entry. */
  readonly derived?: true;
  /** Content hash of the sanitized SVG, under which the SVG is stored, 16 hex digits. */
  readonly etag: string;
  /**
   * Content hash of the SVG text from which PNG and WebP are rasterized. That text has small bitmaps instead of blurs,
   * which take ten times as long to draw. Missing if the drawing has no blurs, and for icons of Iconify sets.
   */
  readonly painted?: string;
}

export interface License {
  /** SPDX identifier, or the source's own wording. */
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
  /** Other names of the brand, as people write them ("k8s", "구글"). */
  readonly aliases: readonly string[];
  /** Lower kebab case, sorted. */
  readonly categories: readonly string[];
  /** Brand color, `#RRGGBB` upper case. */
  readonly hex: string | null;
  /** The brand's main host, ASCII. */
  readonly domain: string | null;
  readonly domains: readonly string[];
  readonly website: string | null;
  /** Origin of the drawing, usually a URL. */
  readonly source: string | null;
  readonly guidelines: string | null;
  readonly license: License;
  /** `default` is always present and first. */
  readonly variants: readonly [Variant, ...Variant[]];
  readonly provenance: readonly Provenance[];
  /**
   * True if newer versions of the source packages no longer contain the entry. It stays available under its slug, but
   * lists and searches omit it.
   */
  readonly retired?: true;
  /** True for an own brand, which only its account sees. */
  readonly own?: true;
  /** The icon as its Iconify set describes it; missing if the entry is not an icon of a set. */
  readonly setIcon?: SetIcon;
  /** Icons of this brand in Iconify sets. */
  readonly setIcons?: readonly SetIcon[];
  /** 12 hex digits that change whenever a variant or the brand color changes. */
  readonly revision: string;
  /** Time of the last change to any field, RFC 3339 UTC with seconds. */
  readonly updatedAt: string;
}

export type Lookup =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'moved'; readonly to: Slug }
  | { readonly kind: 'withdrawn'; readonly slug: Slug; readonly reason: string }
  | { readonly kind: 'missing' };
