// Limits of a drawing. Real drawings stay far below: the largest known has 429 elements and 102 kB of path data.

export const LIMITS = {
  /** UTF-16 units of the source text, looked at before parsing. */
  sourceChars: 1_000_000,
  elements: 4_000,
  /** Nested elements; recursive walks rely on it. */
  depth: 64,
  /** UTF-16 units of all path data and points together. */
  pathChars: 400_000,
  /** Elements drawn when every `use`, mask, clip and pattern is followed. */
  expandedElements: 20_000,
  /** Groups that need a canvas of their own (opacity, mask, clip, filter, blending). */
  layers: 600,
  nestedLayers: 16,
  /** Steps of filters, each counted as often as something is drawn with it, `use` included. */
  primitives: 400,
  /** Blur and spread, as a share of the viewBox's longer side. */
  filterReach: 1,
  /**
   * Radius of feMorphology, as a share of the viewBox's longer side: resvg looks at a window of that size for
   * every pixel.
   */
  morphologyReach: 0.01,
  /** Steps that are feMorphology, counted likewise; some 0.2 to 0.5 s each at 1024 px. */
  morphologies: 4,
  /** Layers of noise of an feTurbulence, and sides of the matrix of an feConvolveMatrix. */
  octaves: 8,
  kernelSide: 5,
  /**
   * Cost of drawing, in blurs of the whole picture; one takes some 0.09 s at 1024 px. Real drawings take up to 36
   * (`appwrite`), and only those with a dozen filters more than 2.
   */
  drawingBlurs: 45,
  /**
   * The same without the filters, because all else is drawn at full size up to 2048 px, in some 1.1 s: what has more
   * could exceed the time limit there on a slow machine. Real drawings take up to 2.2 (`lateral`).
   */
  layeredBlurs: 3,
  /** Cost of a drawing with filters without them, since the filters come on top. Real drawings take up to 1.3. */
  unfilteredBlurs: 2,
  /**
   * Cost of a drawing without layers, which is drawn as it is up to 4096 px, in some 1.2 s, to which lossy WebP adds
   * 0.5. One measurement in blurs differs from the next by a third, on one machine already: `microsoft-powerpoint`, the
   * costliest real one, takes 0.49 to 0.68 and must not be in one catalog and not in the next.
   */
  flatBlurs: 0.8,
  /** Side of a filter's region, in sides of the object it is on. */
  filterRegion: 8,
  /**
   * How much a drawing with layers may span before it is tried, what lies outside of the viewBox included, in sides of
   * the viewBox. Two would be too much for resvg, and it counts turned boxes larger than they are.
   */
  span: 1.3,
  dashes: 64,
  /** UTF-16 units of all `<style>` blocks together. */
  styleChars: 60_000,
  /** Rules × elements × depth^combinators: what matching selectors may cost. */
  styleMatches: 4_000_000,
  /** Least and most of a viewBox side, and of its distance from the origin. */
  viewBoxSide: { min: 0.01, max: 1_000_000 },
  /** Longer side of the viewBox by the shorter. */
  aspect: 60,
} as const;
