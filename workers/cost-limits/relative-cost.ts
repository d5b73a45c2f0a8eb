// Measures the cost of a drawing as a multiple of the cost of a reference drawing.

export interface Samplers {
  /** Draws the reference drawing. Returns the processor time, ms. */
  readonly reference: () => number;
  /** Draws the measured drawing. Returns the processor time, ms. */
  readonly drawing: () => number;
  /** Processor time of the first sample of the measured drawing, ms. */
  readonly firstMs: number;
}

/**
 * Number of samples of each drawing. Only the shortest sample counts, because other processes can only lengthen a
 * sample.
 */
const SAMPLES = 3;
/** If the result exceeds the limit by this factor after two samples, no more samples are taken. */
const FAR_ABOVE = 1.5;

/**
 * Returns the time of the measured drawing divided by the time of the reference. Samples of both alternate, so that a
 * change of the machine's speed affects both times.
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
