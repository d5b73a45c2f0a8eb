// Limits of a drawing. Real drawings stay far below: the largest known has 429 elements and 102 kB of path data.

export const LIMITS = {
  /** UTF-16 units of the source text, checked before parsing. */
  sourceChars: 1_000_000,
  elements: 4_000,
  /** Nested elements. Recursive functions rely on this limit. */
  depth: 64,
  /** UTF-16 units of all path data and points. */
  pathChars: 400_000,
  /** Drawn elements after following every `use`, mask, clip and pattern. */
  expandedElements: 20_000,
  /** Groups that need a separate canvas (opacity, mask, clip, filter, blending). */
  layers: 600,
  nestedLayers: 16,
  /** Filter primitives, each counted as often as it is applied, including through `use`. */
  primitives: 400,
  /** Blur and spread, as a share of the viewBox's longer side. */
  filterReach: 1,
  /**
   * Radius of feMorphology, as a share of the viewBox's longer side. resvg examines a window of this size for every pixel.
   */
  morphologyReach: 0.01,
  /** Applied feMorphology primitives. Each takes some 0.2 to 0.5 s at 1024 px. */
  morphologies: 4,
  /** Octaves of an feTurbulence, and matrix size of an feConvolveMatrix. */
  octaves: 8,
  kernelSide: 5,
  /**
   * Cost of drawing, in blurs of the whole picture. One blur takes some 0.09 s at 1024 px. Real drawings take up to 36
   * (`appwrite`), and only drawings with a dozen filters take more than 2.
   */
  drawingBlurs: 45,
  /**
   * Cost of the layers without filters. They are drawn at full size up to 2048 px, which takes some 1.1 s at this limit.
   * A higher cost could exceed the time limit on a slow machine. Real drawings take up to 2.2 (`lateral`).
   */
  layeredBlurs: 3,
  /** Cost without filters of a drawing that has filters, because the filters are added to it. Real drawings take up to 1.3. */
  unfilteredBlurs: 2,
  /**
   * Cost of a drawing without layers. It is drawn at full size up to 4096 px, in some 1.2 s, and lossy WebP adds 0.5 s.
   * Measurements vary by a third. The costliest real drawing, `microsoft-powerpoint`, takes 0.49 to 0.68. The limit is above
   * that, so that a drawing is not in one catalog and missing in the next.
   */
  flatBlurs: 0.8,
  /** Side of a filter's region, in sides of its object. */
  filterRegion: 8,
  /**
   * Extent of a drawing with layers, in sides of the viewBox, up to which it is not probed for crashes. An extent of two
   * is too much for resvg, which also overestimates rotated boxes.
   */
  span: 1.3,
  dashes: 64,
  /** UTF-16 units of all `<style>` blocks. */
  styleChars: 60_000,
  /** Rules × elements × depth^combinators, the maximum cost of matching selectors. */
  styleMatches: 4_000_000,
  /** Bounds of each viewBox side and of its distance from the origin. */
  viewBoxSide: { min: 0.01, max: 1_000_000 },
  /** Longer side of the viewBox divided by the shorter one. */
  aspect: 60,
} as const;
