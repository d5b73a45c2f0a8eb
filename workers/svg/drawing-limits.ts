// Limits of a drawing. Real drawings stay far below them: the largest known one has 429 elements and 102 kB of path
// data.

export const LIMITS = {
  /** UTF-16 units of the source text, checked before parsing. */
  sourceChars: 1_000_000,
  elements: 4_000,
  /** Depth of nested elements. Recursive functions rely on this limit. */
  depth: 64,
  /** UTF-16 units of all path data and points. */
  pathChars: 400_000,
  /** Number of drawn elements if every `use`, mask, clip and pattern is followed. */
  expandedElements: 20_000,
  /** Number of groups that need a separate canvas (opacity, mask, clip, filter, blending). */
  layers: 600,
  nestedLayers: 16,
  /** Number of filter primitives. A primitive is counted each time it is applied, including through `use`. */
  primitives: 400,
  /** Maximum blur radius and offset, as a share of the viewBox's longer side. */
  filterReach: 1,
  /**
   * Radius of feMorphology, as a share of the viewBox's longer side. resvg examines a window of this size for every
   * pixel.
   */
  morphologyReach: 0.01,
  /** Number of applied feMorphology primitives. Each takes 0.2 to 0.5 s at 1024 px. */
  morphologies: 4,
  /** Maximum number of octaves of an feTurbulence, and maximum side of the matrix of an feConvolveMatrix. */
  octaves: 8,
  kernelSide: 5,
  /**
   * Cost of a drawing with filters, in blurs of the whole picture. One blur takes about 0.09 s at 1024 px. Real
   * drawings take up to 36 (`appwrite`). Only drawings with a dozen filters take more than 2.
   */
  drawingBlurs: 45,
  /**
   * Cost of a drawing with layers but without filters, in blurs. It is drawn at full size up to 2048 px, which takes
   * about 1.1 s at this limit. A higher cost could exceed the time limit on a slow machine. Real drawings take up to
   * 2.2 (`lateral`).
   */
  layeredBlurs: 3,
  /**
   * Cost of a drawing with filters, measured without its filters, in blurs. The limit is low, because the filters are
   * added to it. Real drawings take up to 1.3.
   */
  unfilteredBlurs: 2,
  /**
   * Cost of a drawing without layers and filters, in blurs. It is drawn at full size up to 4096 px in about 1.2 s, and
   * lossy WebP adds 0.5 s. Measurements vary by a third. The costliest real drawing, `microsoft-powerpoint`, takes 0.49
   * to 0.68. The limit is above that, so that no drawing is accepted in one import and rejected in the next.
   */
  flatBlurs: 0.8,
  /** Side of a filter's region, as a multiple of the object's side. */
  filterRegion: 8,
  /**
   * Maximum extent of a drawing with layers that is not probed for crashes, as a multiple of the viewBox's side. resvg
   * crashes from an extent of two. The limit is lower, because resvg overestimates rotated boxes.
   */
  span: 1.3,
  dashes: 64,
  /** UTF-16 units of all `<style>` blocks. */
  styleChars: 60_000,
  /** Maximum cost of matching selectors: rules × elements × depth^combinators. */
  styleMatches: 4_000_000,
  /** Minimum and maximum of each viewBox side. `max` also limits its distance from the origin. */
  viewBoxSide: { min: 0.01, max: 1_000_000 },
  /** Maximum aspect ratio: longer side of the viewBox divided by the shorter one. */
  aspect: 60,
} as const;
