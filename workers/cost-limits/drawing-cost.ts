// Measures the cost of rasterizing a drawing, because filters, clips, gradients and references add up in ways that the source
// does not show.
import { LIMITS } from '../svg/drawing-limits.js';
import { relativeCost } from './relative-cost.js';
import type { ViewBox } from '../svg/drawing-bounds.js';
import { smallResvg } from '../svg/small-resvg.js';
import { element, Rejected, walk, writeTree, type Element } from '../svg/svg-tree.js';

/** Drawings up to these numbers are cheap and not measured. */
const FEW = { layers: 12, elements: 24, chars: 10_000 } as const;

/** With up to this many elements of any kind, the medium picture takes less than a second. */
const MANY_ELEMENTS = 500;

interface MeasuredSize {
  /** Longer side, px. */
  readonly px: number;
  /** Blurs above which the drawing is rejected without measuring a larger picture. */
  readonly most: (limit: number) => number;
}

/** Stops malicious drawings within seconds. Has a margin, because parsing takes as long as for a large picture. */
const SMALL: MeasuredSize = { px: 32, most: () => 360 };
/** Identifies most cheap drawings in a quarter of the time. */
const MEDIUM: MeasuredSize = { px: 128, most: (limit) => limit + 18 };
const REFERENCE_PX = 256;
const FULL: MeasuredSize = { px: REFERENCE_PX, most: (limit) => limit };
/** Finds costly feMorphology, which grows with the fourth power of the size. Everything else grows with the second. */
const LARGE: MeasuredSize = { px: 512, most: (limit) => limit };
/** For limits so low that parsing would distort measurements of smaller pictures. */
const LARGER: readonly MeasuredSize[] = [
  { px: 512, most: (limit) => 4 * limit },
  { px: 1024, most: (limit) => limit },
];
/** Share of the limit up to which one sample is enough. */
const CLEARLY_BELOW = 0.75;

/** Blurs of the whole picture in the reference. A single blur is too short to be timed. */
const REFERENCE_BLURS = 3;
const REFERENCE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><filter ' +
  `id="f">${'<feGaussianBlur stdDeviation="3"/>'.repeat(REFERENCE_BLURS)}</filter><rect width="100" height="100" ` +
  'filter="url(#f)"/></svg>';
/** Samples of the reference before the first drawing. */
const FIRST_SAMPLES = 5;

/** Minimum processor time so far of one blur of a picture of `REFERENCE_PX`, ms. */
let leastBlurMs = Infinity;

interface Measured {
  readonly viewBox: ViewBox;
  /** Layers and elements drawn after following every reference. */
  readonly layers: number;
  readonly elements: number;
}

/**
 * Throws `Rejected`. Counts blurs instead of seconds, so that slow and fast machines accept the same drawings. A drawing with
 * filters is also measured without them, because filters are drawn at a bounded size and the rest at the requested size.
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
  // The small picture cannot show that a drawing meets this limit. It only rejects drawings with very many elements.
  const first = elements > MANY_ELEMENTS ? [SMALL, MEDIUM] : [MEDIUM];
  rejectAbove(LIMITS.flatBlurs, document, { viewBox, what, sizes: [...first, ...LARGER] });
}

/** Returns a copy without filters. Filtered elements stay, although their shadows are missing, as an upper bound. */
function withoutFilters({ name, attributes, children }: Element): Element {
  const kept = [...attributes].filter(([attribute]) => attribute !== 'filter');
  return element(name, kept, children.filter((child) => child.name !== 'filter').map(withoutFilters));
}

interface Bounded {
  readonly viewBox: ViewBox;
  readonly what: string;
  /** Picture sizes, ascending. */
  readonly sizes: readonly MeasuredSize[];
  /** The cost may grow faster than the area, so a small picture does not represent larger ones. */
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

/** Processor time of one blur, ms. */
function sampleBlur(): number {
  const { parseMs, paintMs } = measureDrawing(REFERENCE, [1, 1], REFERENCE_PX);
  const blurMs = (parseMs + paintMs) / REFERENCE_BLURS;
  leastBlurMs = Math.min(leastBlurMs, blurMs);
  return blurMs;
}

/** Processor times, which exclude waiting for other processes. */
interface Measurement {
  /** Part that does not depend on the size of the picture. */
  readonly parseMs: number;
  /** Part that grows with the area. */
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
