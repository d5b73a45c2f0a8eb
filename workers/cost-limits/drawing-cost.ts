// Measures the cost of rasterizing a drawing. The cost can't be computed from the source, because it depends on how
// filters, clips, gradients and references are combined.
import { LIMITS } from '../svg/drawing-limits.js';
import { relativeCost } from './relative-cost.js';
import type { ViewBox } from '../svg/drawing-bounds.js';
import { smallResvg } from '../svg/small-resvg.js';
import { element, Rejected, walk, writeTree, type Element } from '../svg/svg-tree.js';

/** Drawings with at most these numbers of layers, elements and characters are cheap and are not measured. */
const FEW = { layers: 12, elements: 24, chars: 10_000 } as const;

/** Drawings with at most this number of elements are drawn in less than a second in the size `MEDIUM`. */
const MANY_ELEMENTS = 500;

interface MeasuredSize {
  /** Longer side, px. */
  readonly px: number;
  /**
   * Returns the maximum cost that a drawing may have when measured at this size. A drawing that costs more is rejected,
   * and no larger picture is measured. `limit`: maximum cost at the largest size. The unit of both costs is the cost of
   * one blur.
   */
  readonly most: (limit: number) => number;
}

/**
 * Small picture that is drawn first, so that malicious drawings are rejected within seconds. Its limit is high, because
 * a small picture takes as long to parse as a large one.
 */
const SMALL: MeasuredSize = { px: 32, most: () => 360 };
/**
 * Medium picture. It takes a quarter of the time that `FULL` needs, and is enough to accept most of the cheap drawings.
 */
const MEDIUM: MeasuredSize = { px: 128, most: (limit) => limit + 18 };
const REFERENCE_PX = 256;
const FULL: MeasuredSize = { px: REFERENCE_PX, most: (limit) => limit };
/**
 * Large picture for drawings with feMorphology. The cost of feMorphology grows with the fourth power of the size, and
 * other costs only with the second power. Smaller pictures therefore hide the cost of feMorphology.
 */
const LARGE: MeasuredSize = { px: 512, most: (limit) => limit };
/**
 * Sizes in which drawings with a low limit are measured. In smaller pictures, the time of parsing would distort their
 * low costs.
 */
const LARGER: readonly MeasuredSize[] = [
  { px: 512, most: (limit) => 4 * limit },
  { px: 1024, most: (limit) => limit },
];
/** If the first sample is below this share of the limit, the drawing is accepted without more samples. */
const CLEARLY_BELOW = 0.75;

/** Number of blurs in the reference picture. The time of a single blur is too short to measure. */
const REFERENCE_BLURS = 3;
const REFERENCE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><filter ' +
  `id="f">${'<feGaussianBlur stdDeviation="3"/>'.repeat(REFERENCE_BLURS)}</filter><rect width="100" height="100" ` +
  'filter="url(#f)"/></svg>';
/** Number of samples of the reference picture before the first drawing is measured. */
const FIRST_SAMPLES = 5;

/** Shortest processor time of one blur so far, in a picture of REFERENCE_PX, ms. */
let leastBlurMs = Infinity;

interface Measured {
  readonly viewBox: ViewBox;
  /** Number of layers, as if every reference were replaced by its target. `elements` is counted in the same way. */
  readonly layers: number;
  readonly elements: number;
}

/**
 * Throws `Rejected` if drawing the document costs too much. The unit of costs is the time that one blur takes on this
 * machine, because slow and fast machines must accept the same drawings. A drawing with filters is measured twice. The
 * first measurement includes the filters. Its limit is high, because filters are always drawn at a limited size. The
 * second measurement omits the filters. Its limit is low, because the other parts may be drawn at any requested size.
 */
export function rejectExpensive(document: Element, { viewBox, layers, elements }: Measured): void {
  const nodes = walk(document);
  if (nodes.some(({ name }) => name === 'filter')) {
    const growsFaster = nodes.some(({ name }) => name === 'feMorphology');
    const sizes = growsFaster ? [SMALL, FULL, LARGE] : [SMALL, MEDIUM, FULL];
    rejectAbove(LIMITS.drawingBlurs, document, { viewBox, what: 'drawing it', sizes, growsFaster });
    const what = 'drawing it without its filters';
    rejectAbove(LIMITS.unfilteredBlurs, withoutFilters(document), { viewBox, what, sizes: [SMALL, MEDIUM, FULL] });
    return;
  }
  const isSmall = layers <= FEW.layers && elements <= FEW.elements && writeTree(document).length <= FEW.chars;
  if (isSmall && !nodes.some(({ attributes }) => attributes.has('stroke-dasharray'))) return;
  const what = 'drawing it';
  if (layers > 0) {
    rejectAbove(LIMITS.layeredBlurs, document, { viewBox, what, sizes: [SMALL, MEDIUM, FULL] });
    return;
  }
  // The `SMALL` picture is drawn only for drawings with very many elements. It can only reject a costly drawing early,
  // never accept one. At this size, even cheap drawings are above the low limit `flatBlurs`.
  const first = elements > MANY_ELEMENTS ? [SMALL, MEDIUM] : [MEDIUM];
  rejectAbove(LIMITS.flatBlurs, document, { viewBox, what, sizes: [...first, ...LARGER] });
}

/** Returns a copy without filters. The elements that used the filters stay in the copy. */
function withoutFilters({ name, attributes, children }: Element): Element {
  const kept = [...attributes].filter(([attribute]) => attribute !== 'filter');
  return element(name, kept, children.filter((child) => child.name !== 'filter').map(withoutFilters));
}

interface Bounded {
  readonly viewBox: ViewBox;
  readonly what: string;
  /** Sizes of the pictures to measure, in ascending order. */
  readonly sizes: readonly MeasuredSize[];
  /** True if the cost may grow faster than the area. A small picture then says nothing about larger pictures. */
  readonly growsFaster?: boolean;
}

function rejectAbove(
  limit: number,
  document: Element,
  { viewBox: [, , width, height], what, sizes, growsFaster = false }: Bounded,
): void {
  if (leastBlurMs === Infinity) for (let sample = 0; sample < FIRST_SAMPLES; sample++) sampleBlur();
  const svg = writeTree(document);
  const largest = sizes.at(-1)?.px ?? REFERENCE_PX;
  for (const { px, most } of sizes) {
    const measure = (): Measurement => measureDrawing(svg, [width, height], px);
    const atReference = ({ parseMs, paintMs }: Measurement): number => (parseMs + paintMs) / (px / REFERENCE_PX) ** 2;
    const first = measure();
    const enlarged = (first.parseMs + first.paintMs * (largest / px) ** 2) / (largest / REFERENCE_PX) ** 2;
    if (!growsFaster && enlarged / leastBlurMs <= limit * CLEARLY_BELOW) return;
    const firstMs = atReference(first);
    if (firstMs / leastBlurMs <= most(limit) * CLEARLY_BELOW) continue;
    const drawing = (): number => atReference(measure());
    const cost = relativeCost({ reference: sampleBlur, drawing, firstMs }, most(limit));
    if (cost <= most(limit)) continue;
    throw new Rejected(
      'too_costly',
      `${what} costs as much as ${Number(cost.toPrecision(2))} blurs of the whole picture; at most ${limit} are ` +
        'allowed',
    );
  }
}

/** Measures the processor time of one blur, ms. */
function sampleBlur(): number {
  const { parseMs, paintMs } = measureDrawing(REFERENCE, [1, 1], REFERENCE_PX);
  const blurMs = (parseMs + paintMs) / REFERENCE_BLURS;
  leastBlurMs = Math.min(leastBlurMs, blurMs);
  return blurMs;
}

/** Processor times, ms. They do not include waiting for other processes. */
interface Measurement {
  /** Time of parsing, which does not depend on the size of the picture. */
  readonly parseMs: number;
  /** Time of painting, which grows with the area. */
  readonly paintMs: number;
}

function measureDrawing(svg: string, sides: readonly [width: number, height: number], px: number): Measurement {
  const before = process.cpuUsage();
  const parsed = smallResvg(svg, sides, px);
  const parsing = process.cpuUsage(before);
  parsed.render();
  const all = process.cpuUsage(before);
  const parseMs = (parsing.user + parsing.system) / 1000;
  return { parseMs, paintMs: (all.user + all.system) / 1000 - parseMs };
}
