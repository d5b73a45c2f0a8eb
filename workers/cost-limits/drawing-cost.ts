// Measured cost of rasterizing a drawing: filters, clips, gradients and what repeats them add up in ways that the source
// does not show.
import { LIMITS } from '../svg/drawing-limits.js';
import { relativeCost } from './relative-cost.js';
import type { ViewBox } from '../svg/drawing-bounds.js';
import { smallResvg } from '../svg/small-resvg.js';
import { element, Rejected, walk, writeTree, type Element } from '../svg/svg-tree.js';

/** Drawings with no more of these cost next to nothing. */
const FEW = { layers: 12, elements: 24, chars: 10_000 } as const;

/** Up to so many elements, the medium picture takes less than a second, whatever they are. */
const MANY_ELEMENTS = 500;

interface MeasuredSize {
  /** Longer side, px. */
  readonly px: number;
  /** Blurs above which the drawing is rejected without measuring a larger picture. */
  readonly most: (limit: number) => number;
}

/** Makes a bomb take seconds and not hours. Generous, because parsing takes as long as for a large picture. */
const SMALL: MeasuredSize = { px: 32, most: () => 360 };
/** Shows that most drawings are cheap, in a quarter of the time. */
const MEDIUM: MeasuredSize = { px: 128, most: (limit) => limit + 18 };
const REFERENCE_PX = 256;
const FULL: MeasuredSize = { px: REFERENCE_PX, most: (limit) => limit };
/** For feMorphology, which grows with the fourth power of the size, all else with the second. */
const LARGE: MeasuredSize = { px: 512, most: (limit) => limit };
/** For limits so low that parsing would count too much in smaller pictures. */
const LARGER: readonly MeasuredSize[] = [
  { px: 512, most: (limit) => 4 * limit },
  { px: 1024, most: (limit) => limit },
];
/** Share of the limit up to which one sample is enough. */
const CLEARLY_BELOW = 0.75;

/** Blurs over the whole picture in the reference; one alone is too short to be timed. */
const REFERENCE_BLURS = 3;
const REFERENCE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><filter ' +
  `id="f">${'<feGaussianBlur stdDeviation="3"/>'.repeat(REFERENCE_BLURS)}</filter><rect width="100" height="100" ` +
  'filter="url(#f)"/></svg>';
/** Samples of the reference before the first drawing is measured. */
const FIRST_SAMPLES = 5;

/** Least processor time of one blur over a picture of `REFERENCE_PX` so far, ms. */
let leastBlurMs = Infinity;

interface Measured {
  readonly viewBox: ViewBox;
  /** Layers and elements that are drawn when every reference is followed. */
  readonly layers: number;
  readonly elements: number;
}

/**
 * Throws `Rejected`. Counted in blurs rather than in seconds, so that a slow machine accepts the same drawings as a fast
 * one. Filters are drawn at a bounded size, all else at the requested size: so that is measured without them, too.
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
  // The small size never shows that a drawing is cheap enough for this limit: it is for those with a great many elements.
  const first = elements > MANY_ELEMENTS ? [SMALL, MEDIUM] : [MEDIUM];
  rejectAbove(LIMITS.flatBlurs, document, { viewBox, what, sizes: [...first, ...LARGER] });
}

/** A copy without filters. Filtered elements are drawn as they are: over their own shadows at full size, a bound for the rest. */
function withoutFilters({ name, attributes, children }: Element): Element {
  const kept = [...attributes].filter(([attribute]) => attribute !== 'filter');
  return element(name, kept, children.filter((child) => child.name !== 'filter').map(withoutFilters));
}

interface Bounded {
  readonly viewBox: ViewBox;
  readonly what: string;
  /** Ascending. */
  readonly sizes: readonly MeasuredSize[];
  /** The cost may grow faster than the area, so that no size stands for the larger ones. */
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
      `${what} costs as much as ${Number(cost.toPrecision(2))} blurs of the whole picture; at most ${limit}`,
    );
  }
}

/** Processor time of one blur, ms. */
function sampleBlur(): number {
  const { parseMs, paintMs } = measureDrawing(REFERENCE, [1, 1], REFERENCE_PX);
  const blurMs = (parseMs + paintMs) / REFERENCE_BLURS;
  leastBlurMs = Math.min(leastBlurMs, blurMs);
  return blurMs;
}

/** Processor times, which waiting for other processes does not count into. */
interface Measurement {
  /** The same for every size of the picture. */
  readonly parseMs: number;
  /** Grows with its area. */
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
