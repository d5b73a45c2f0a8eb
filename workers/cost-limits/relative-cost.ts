// Measures the cost of a drawing relative to a reference.

export interface Samplers {
  /** Draws the reference, and returns its processor time, ms. */
  readonly reference: () => number;
  /** Draws the drawing, and returns its processor time, ms. */
  readonly drawing: () => number;
  /** Processor time of a first sample of the drawing, ms. */
  readonly firstMs: number;
}

/**
 * Number of samples of the drawing and of the reference. The shortest of each is used: other processes can make a
 * sample longer, never shorter.
 */
const SAMPLES = 3;
/** Multiple of the limit above which two samples of the drawing and of the reference are enough. */
const FAR_ABOVE = 1.5;

/**
 * Returns the drawing's time divided by the reference's time. Samples alternate, so that a change of the machine's
 * speed affects both times.
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
