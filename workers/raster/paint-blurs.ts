// Forms of drawings with filters for small pictures, made once, at import: resvg may draw them as they are.
import { drawLayer, drawWithLibrsvg } from './draw.js';
import { boundFilters, SMALL_PX, type Size } from './filter-layers.js';
import { hasTurnedFilters } from './turned-filters.js';
import { straightBytes } from '../pixels.js';
import { dropFilters } from '../sanitize/simplify.js';
import { element, parseSvg, writeTree, type Element } from '../sanitize/tree.js';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
/** UTF-16 units; the pictures of the longest known (`antigravity`) take 70,000. */
const MOST_CHARS = 300_000;
/** Placing each takes as long as painting it small; logos have one or two. */
const MOST_PICTURES = 6;

interface Alike {
  /** Longer sides at which both are drawn. */
  readonly px: readonly number[];
  /** Mean difference of a channel, 0..1. */
  readonly mean: number;
  /** Share of the channels that may differ by more than a quarter. */
  readonly far: number;
}

/** Of both renderers, in what still has filters. */
const RENDERERS: Alike = { px: [48, 300], mean: 0.005, far: 0.002 };
/** Of the form and the drawing as it is, by the same renderer. */
const FORMS: Alike = { px: [128], mean: 0.01, far: 0.01 };

/**
 * The same drawing with pictures in the place of its wide blurs, for pictures of at most `SMALL_PX`. Undefined when resvg draws
 * the filters that are left in another way than librsvg does: it leaves out parts of what reaches far out of the picture.
 */
export async function paintBlurs(svg: string): Promise<string | undefined> {
  const size = sizeAt(SMALL_PX, parseSvg(svg));
  if (size === undefined || hasTurnedFilters(svg)) return undefined;
  // Only what is painted in layers is of use here.
  const bounded = await boundFilters(svg, size, { drawDocument: drawLayer, drawLayer });
  if (bounded.kind === 'picture' || bounded.svg.length > MOST_CHARS) return undefined;
  const root = parseSvg(bounded.svg);
  dropFilters(root);
  root.attributes.delete('width');
  root.attributes.delete('height');
  root.attributes.set('xmlns', SVG_NAMESPACE);
  const painted = writeTree(root);
  if (painted.split('<image ').length - 1 > MOST_PICTURES) return undefined;
  const ours = { root, drawnBy: drawLayer };
  if (!(await areAlike(ours, { root: parseSvg(svg), drawnBy: drawLayer }, FORMS))) return undefined;
  if (!painted.includes('<filter')) return painted;
  const isSure =
    !painted.includes('<feMorphology') && (await areAlike(ours, { root, drawnBy: drawWithLibrsvg }, RENDERERS));
  return isSure ? painted : undefined;
}

interface Sample {
  readonly root: Element;
  readonly drawnBy: typeof drawLayer;
}

async function areAlike(one: Sample, other: Sample, { px: sides, mean, far }: Alike): Promise<boolean> {
  for (const px of sides) {
    const [ours, theirs] = [await pixelsOf(one, px), await pixelsOf(other, px)];
    const difference = ours && theirs && differenceOf(ours, theirs);
    if (difference === undefined || difference.mean > mean || difference.far > far) return false;
  }
  return true;
}

async function pixelsOf({ root, drawnBy }: Sample, px: number): Promise<Uint8Array | undefined> {
  const size = sizeAt(px, root);
  if (size === undefined) return undefined;
  const { width, height } = size;
  const attributes = { xmlns: SVG_NAMESPACE, width: String(width), height: String(height) };
  const svg = writeTree(element('svg', [...root.attributes, ...Object.entries(attributes)], root.children));
  return straightBytes(await drawnBy({ svg, ...size }));
}

/** On black: what cannot be seen is alike. */
function differenceOf(ours: Uint8Array, theirs: Uint8Array): Pick<Alike, 'mean' | 'far'> {
  let [sum, far] = [0, 0];
  for (let at = 0; at < ours.length; at++) {
    const alpha = at | 3;
    const shown = (bytes: Uint8Array): number => (at === alpha ? 1 : (bytes[alpha] ?? 0) / 255) * (bytes[at] ?? 0);
    const difference = Math.abs(shown(ours) - shown(theirs));
    sum += difference;
    if (difference > 64) far += 1;
  }
  return { mean: sum / ours.length / 255, far: far / ours.length };
}

/** Of the drawing's proportions; undefined when it has none. */
function sizeAt(px: number, root: Element): Size | undefined {
  const [, , width = NaN, height = NaN] = root.attributes.get('viewBox')?.split(' ').map(Number) ?? [];
  const zoom = px / Math.max(width, height);
  if (!(zoom > 0)) return undefined;
  return { width: Math.max(1, Math.round(width * zoom)), height: Math.max(1, Math.round(height * zoom)) };
}
