// What a drawing with layers costs to draw, measured: filters, clips and what repeats them add up in ways that no
// reading tells.
import { Resvg } from '@resvg/resvg-js';
import { LIMITS } from './limits.js';
import { element, Refused, walk, writeTree, type Element } from './tree.js';

/** So many clips, masks and opacities cost next to nothing. */
const FEW_LAYERS = 12;
/** Longer side of the measured picture, px. */
const SIZE_PX = 256;
/** feMorphology grows with the fourth power of the size, all else with the second, so it is measured larger. */
const MORPHOLOGY_PX = 512;
/** Before that, so that a bomb takes seconds and not hours. */
const SMALL_PX = 32;
/** What a small picture may cost more: reading it takes as long as for a large one. */
const SMALL_SLACK = 8;

/** Blurs over the whole picture in the drawing that is the measure; one alone is too short to be timed. */
const REFERENCE_BLURS = 5;
const REFERENCE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><filter id="f">${'<feGaussianBlur stdDeviation="3"/>'.repeat(REFERENCE_BLURS)}</filter><rect width="100" height="100" filter="url(#f)"/></svg>`;

/** Processor time of one blur over a picture of `SIZE_PX`, ms, on this machine. */
let blurMs = 0;

interface Measured {
  readonly viewBox: readonly [x: number, y: number, width: number, height: number];
  /** Drawn when every reference is followed. */
  readonly layers: number;
}

/**
 * Throws `Refused`. Counted in blurs rather than in seconds, so that a slow machine takes the same logos as a fast one.
 * Filters are drawn at a bounded size, all else at the size that is asked for: so that is measured without them, too.
 */
export function refuseExpensive(document: Element, { viewBox, layers }: Measured): void {
  const hasFilters = walk(document).some(({ name }) => name === 'filter');
  if (layers <= FEW_LAYERS && !hasFilters) return;
  if (hasFilters) refuseAbove(LIMITS.drawingBlurs, document, { viewBox, what: 'drawing it' });
  const crisp = hasFilters ? withoutFilters(document) : document;
  refuseAbove(hasFilters ? LIMITS.unfilteredBlurs : LIMITS.layeredBlurs, crisp, {
    viewBox,
    what: hasFilters ? 'drawing it without its filters' : 'drawing it',
  });
}

/** What is filtered is drawn as it is: it goes over its own shadow at full size, and is a bound for the rest. */
function withoutFilters({ name, attributes, children }: Element): Element {
  const kept = [...attributes].filter(([attribute]) => attribute !== 'filter');
  return element(name, kept, children.filter((child) => child.name !== 'filter').map(withoutFilters));
}

interface Bounded {
  readonly viewBox: Measured['viewBox'];
  readonly what: string;
}

function refuseAbove(limit: number, document: Element, { viewBox: [, , width, height], what }: Bounded): void {
  if (blurMs === 0) measureBlur();
  const svg = writeTree(document);
  const side = width >= height ? 'width' : 'height';
  const growsFaster = walk(document).some(({ name }) => name === 'feMorphology');
  for (const px of growsFaster ? [SMALL_PX, SIZE_PX, MORPHOLOGY_PX] : [SMALL_PX, SIZE_PX]) {
    const most = limit * (px === SMALL_PX ? SMALL_SLACK : 1);
    const blurs = (): number => drawMs(svg, { mode: side, value: px }) / (blurMs * (px / SIZE_PX) ** 2);
    let cost = blurs();
    if (cost > most) {
      // The machine may have been busy with something else: both are measured again before a drawing is refused.
      measureBlur();
      cost = Math.min(cost, blurs());
    }
    if (cost > most)
      throw new Refused(
        'too-costly',
        `${what} costs as much as ${Math.round(cost)} blurs of the whole picture; at most ${limit}`,
      );
    // Even if all that a small one takes grew with its area, a large one would not be too much.
    if (cost <= limit && !growsFaster) return;
  }
}

function measureBlur(): void {
  const tries = [1, 2, 3].map(() => drawMs(REFERENCE, { mode: 'width', value: SIZE_PX }) / REFERENCE_BLURS);
  blurMs = Math.min(...tries);
}

/** Processor time, which waiting for other processes does not count into. */
function drawMs(svg: string, fitTo: { readonly mode: 'width' | 'height'; readonly value: number }): number {
  const before = process.cpuUsage();
  new Resvg(svg, { fitTo, font: { loadSystemFonts: false } }).render();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
