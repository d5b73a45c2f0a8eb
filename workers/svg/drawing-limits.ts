// Limits of a drawing. Real drawings stay far below them: the largest known one has 429 elements and 102 kB of path
// data.

export const LIMITS = {
  /** Length of the source text, UTF-16 units. Checked before parsing. */
  sourceChars: 1_000_000,
  elements: 4_000,
  /** Depth of nested elements. Recursive functions rely on this limit. */
  depth: 64,
  /** Length of all path data and points, UTF-16 units. */
  pathChars: 400_000,
  /** Number of drawn elements, as if every `use`, mask, clip and pattern were replaced by its target. */
  expandedElements: 20_000,
  /** Number of layers: groups that need a separate canvas (opacity, mask, clip, filter, blending). */
  layers: 600,
  nestedLayers: 16,
  /** Number of filter primitives. A primitive counts each time it is applied, including through `use`. */
  primitives: 400,
  /** Maximum blur radius and offset, as a share of the viewBox's longer side. */
  filterReach: 1,
  /**
   * Radius of feMorphology, as a share of the viewBox's longer side. resvg reads a window of this size for every pixel.
   */
  morphologyReach: 0.01,
  /** Number of applied feMorphology primitives. Each of them takes 0.2 to 0.5 s at 1024 px. */
  morphologies: 4,
  /** Two limits: the number of octaves of feTurbulence, and the side of the matrix of feConvolveMatrix. */
  octaves: 8,
  kernelSide: 5,
  /**
   * Maximum cost of a drawing with filters. The unit is one blur of the whole picture, which takes about 0.09 s at 1024
   * px. Real drawings with about twelve filters cost up to 36 blurs (the brand `appwrite`). Real drawings with fewer
   * filters cost at most 2 blurs.
   */
  drawingBlurs: 45,
  /**
   * Maximum cost of a drawing that has layers but no filters. The unit is one blur of the whole picture. Up to 2048 px,
   * such drawings are drawn in full size. A drawing with the maximum cost then takes about 1.1 s. A higher cost could
   * exceed the time limit on a slow machine. The costliest real drawing, of the brand `lateral`, costs 2.2 blurs.
   */
  layeredBlurs: 3,
  /**
   * Maximum cost of a drawing that has filters, not counting the filters. The unit is one blur of the whole picture.
   * This limit is low, because the filters add their own cost. Real drawings cost up to 1.3 blurs.
   */
  unfilteredBlurs: 2,
  /**
   * Maximum cost of a drawing that has neither layers nor filters. The unit is one blur of the whole picture. Up to
   * 4096 px, such drawings are drawn in full size, which takes about 1.2 s. Lossy WebP takes another 0.5 s. The
   * costliest real drawing, `microsoft-powerpoint`, was measured at 0.49 to 0.68 blurs. The limit is higher, because
   * all imports must accept this drawing.
   */
  flatBlurs: 0.8,
  /** Side of a filter region, as a multiple of the object's side. */
  filterRegion: 8,
  /**
   * Drawings with layers are tested for crashes if their extent is larger than this multiple of the viewBox's side.
   * resvg can crash if it computes an extent of more than two sides. The limit is lower, because resvg overestimates
   * the boxes of rotated objects.
   */
  span: 1.3,
  dashes: 64,
  /** Length of all `<style>` blocks, UTF-16 units. */
  styleChars: 60_000,
  /** Maximum cost of matching selectors: rules × elements × depth^combinators. */
  styleMatches: 4_000_000,
  /** Minimum and maximum of the viewBox's sides. `max` also limits the distance of the viewBox from the origin. */
  viewBoxSide: { min: 0.01, max: 1_000_000 },
  /** Maximum aspect ratio: longer side of the viewBox divided by the shorter one. */
  aspect: 60,
} as const;
