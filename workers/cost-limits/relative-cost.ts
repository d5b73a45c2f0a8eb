// Measures the cost of a drawing relative to a reference, with alternating samples.

export interface Samplers {
  /** Processor time of the reference, ms. */
  readonly reference: () => number;
  /** Processor time of the drawing, ms. */
  readonly drawing: () => number;
  /** First sample of the drawing, ms. */
  readonly firstMs: number;
}

/**
 * Number of samples of each. The shortest one counts, because other processes make a sample longer, never shorter.
 */
const SAMPLES = 3;
/** Multiple of the limit above which two samples of each are enough. */
const FAR_ABOVE = 1.5;

/**
 * Returns the drawing's time divided by the reference's time. Samples alternate, so that a change of the machine's speed
 * affects both.
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
