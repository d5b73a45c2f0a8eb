// Cost of a drawing relative to a reference, from interleaved samples.

export interface Samplers {
  /** Processor time of the reference, ms. */
  readonly reference: () => number;
  /** Processor time of the drawing, ms. */
  readonly drawing: () => number;
  /** A first sample of the drawing, ms. */
  readonly firstMs: number;
}

/**
 * Samples of each before a drawing is judged by the least of them: other processes make a sample longer, never shorter.
 */
const SAMPLES = 3;
/** Times the limit; so far above it, two samples of each are enough. */
const FAR_ABOVE = 1.5;

/**
 * The drawing's time divided by the reference's. Sampled in turn, so that a machine that becomes slower or faster
 * changes both.
 */
export function relativeCost({ reference, drawing, firstMs }: Samplers, limit: number): number {
  let [referenceMs, drawingMs] = [reference(), firstMs];
  for (let sample = 2; sample <= SAMPLES; sample++) {
    referenceMs = Math.min(referenceMs, reference());
    drawingMs = Math.min(drawingMs, drawing());
    if (drawingMs / referenceMs > limit * FAR_ABOVE) break;
  }
  return drawingMs / referenceMs;
}
