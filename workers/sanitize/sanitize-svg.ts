// Sanitizes an untrusted drawing in linear time. Returns a safe drawing in canonical form, or the reason of the
// rejection.
import { boundsOf, type ViewBox } from '../svg/drawing-bounds.js';
import { applyStyles } from './apply-styles.js';
import { copyAllowed, type AllowedCopy } from './copy-allowed.js';
import { normalForm } from './normal-form.js';
import { resolveGradients } from './resolve-gradients.js';
import { resolveReferences } from './resolve-references.js';
import { resolveTransforms } from './resolve-transforms.js';
import { frameOf } from './root-frame.js';
import { rejectSprite } from './reject-sprite.js';
import { rejectUnsupported } from './unsupported.js';
import { rejectExpansion } from '../cost-limits/expanded-cost.js';
import { linksIn } from '../svg/references.js';
import { rejectExpensive } from '../cost-limits/drawing-cost.js';
import { rejectCostlyFilters } from '../cost-limits/filter-limits.js';
import { nameIds } from './link-references.js';
import { drawingForBackground, monoDrawing, type Original } from '../thumbnail/derive-drawings.js';
import { byArea, inkBox, lookOf, lookOfOnePaint } from '../thumbnail/measure-look.js';
import { simplifyFilters } from './simplify-filters.js';
import { drawThumbnail } from '../thumbnail/draw-thumbnail.js';
import { isTile } from '../thumbnail/tile.js';
import { BACKGROUNDS, visibilityOn, type Visibility } from '../thumbnail/visibility.js';
import { looksDifferent } from '../svg/picture-difference.js';
import { smallResvg } from '../svg/small-resvg.js';
import { paintsOutside } from './paints-outside.js';
import { exchangePaint } from './exchange-paint.js';
import { isSeen } from '../../src/catalog/page-colors.js';
import type { CleanDrawing, Derivation } from '../../src/catalog/drawing.js';
import type { Background } from '../../src/catalog/entry.js';
import type { RejectedDrawing } from '../../src/platform/drawing-rejections.js';
import type { SanitizeReply } from '../sanitizer-protocol.js';
import { parseSvg, Rejected, svgDocument, writeTree, type Element } from '../svg/svg-tree.js';
import { probeForCrash } from '../cost-limits/crash-probe.js';

const MAX_COLORS = 16;

export function sanitizeSvg(source: string, derive: Derivation = 'nothing'): SanitizeReply {
  try {
    return sanitize(source, derive);
  } catch (error) {
    if (error instanceof Rejected) return rejectionOf(error);
    throw error;
  }
}

function rejectionOf({ reason, message, at }: Rejected): RejectedDrawing {
  return {
    ...{ ok: false, reason, message },
    ...(at !== undefined && { element: at.name }),
    ...(at?.line !== undefined && { line: at.line }),
  };
}

function sanitize(source: string, derive: Derivation): SanitizeReply {
  const { content, viewBox } = prepared(source);
  const [, , width, height] = viewBox;
  const { root, lost, isResolved } = normalized(content, viewBox);
  rejectCostlyFilters(root, Math.max(width, height));
  const links = linksIn(root);
  const { layers, elements } = rejectExpansion(root, links);
  const { colors, recolorable } = exchangePaint(root, links);
  const document = frame(root, viewBox);
  nameIds(document, links);
  rejectExpensive(document, { viewBox, layers, elements });
  // Removes unneeded filters before the test for crashes. Each filter makes a layer, and the test draws a drawing with
  // layers many times.
  simplifyFilters(document, viewBox);
  const bounds = boundsOf(document);
  probeForCrash(document, { viewBox, bounds });
  if (paintsOutside(document, { viewBox, bounds })) document.attributes.set('overflow', 'hidden');
  const svg = writeTree(document);

  const [only = '#000000'] = colors;
  const painted = recolorable ? svg.replaceAll('currentColor', only) : svg;
  if (isResolved) rejectChanged(writeTree(frame(content, viewBox)), painted, { viewBox, lost });
  const thumbnail = drawThumbnail(painted, { viewBox, bounds });
  if (thumbnail === undefined) throw new Rejected('undrawable', 'the rasterizer cannot draw the file');
  if (thumbnail === 'empty') throw new Rejected('empty', 'the file contains nothing visible');
  const { sample } = thumbnail;
  const hasLook = derive !== 'nothing' && derive !== 'painted';
  const shared = { svg, width, height, recolorable, ink: inkBox(thumbnail, viewBox) };
  if (recolorable) {
    const look = hasLook ? lookOfOnePaint({ sample, svg }, only) : undefined;
    const on = BACKGROUNDS.filter((page) => isSeen(only, { on: page }));
    return { ok: true, ...shared, colors: [only], on, ...(look && { look }), derived: {} };
  }
  const areas = byArea(sample, [...colors]).slice(0, MAX_COLORS);
  const visibility = { light: visibilityOn(sample, 'light'), dark: visibilityOn(sample, 'dark') };
  const isOwnPage = isTile(sample);
  const clean = {
    ...shared,
    colors: areas.map(({ hex }) => hex),
    on: BACKGROUNDS.filter((page) => isOwnPage || visibility[page].visible),
    ...(hasLook && { look: lookOf({ sample, svg, colors: areas, visibility }) }),
  };
  return { ok: true, ...clean, derived: derivedOf({ ...clean, viewBox, thumbnail, derive, visibility }) };
}

interface ToDerive extends Original {
  readonly on: readonly Background[];
  readonly visibility: Readonly<Record<Background, Visibility>>;
  readonly derive: Derivation;
}

function derivedOf({ derive, on, visibility, ...original }: ToDerive): CleanDrawing['derived'] {
  if (derive === 'nothing' || derive === 'painted' || derive === 'look') return {};
  const mono = derive === 'all' ? monoDrawing(original) : undefined;
  const [light, dark] = BACKGROUNDS.map((page) =>
    on.includes(page)
      ? undefined
      : drawingForBackground(original, { background: page, hidden: visibility[page].hidden }),
  );
  return { ...(mono && { mono }), ...(light && { light }), ...(dark && { dark }) };
}

interface Prepared {
  readonly content: Element;
  readonly viewBox: ViewBox;
}

/** Returns the content that browsers draw, and its viewBox. Throws `Rejected`. */
function prepared(source: string): Prepared {
  const parsed = parseSvg(source);
  rejectSprite(parsed);
  applyStyles(parsed);
  const links = resolveReferences(parsed);
  rejectUnsupported(parsed);
  rejectExpansion(parsed, links);
  const { content, viewBox } = frameOf(parsed);
  const [, , width, height] = viewBox;
  resolveTransforms(content, { x: 0, y: 0, width, height });
  resolveGradients(content);
  rejectCostlyFilters(content, Math.max(width, height));
  return { content, viewBox };
}

/**
 * Converts the drawing to the normal form. Most drawings of the catalog are already in this form and are only copied.
 */
function normalized(content: Element, viewBox: ViewBox): AllowedCopy & { readonly isResolved: boolean } {
  const asItIs = copyAllowed(content);
  if (asItIs.lost.length === 0) return { ...asItIs, isResolved: false };
  return { ...copyAllowed(normalForm(content, viewBox)), isResolved: true };
}

/** Side of the pictures in which the source and the result are compared, px. */
const COMPARED_PX = 64;

/** Throws `Rejected` if the result differs visibly from the source. */
function rejectChanged(
  source: string,
  result: string,
  { viewBox, lost }: { viewBox: ViewBox; lost: readonly string[] },
): void {
  const [, , width, height] = viewBox;
  const [before, after] = [source, result].map((svg) => smallResvg(svg, [width, height], COMPARED_PX).render());
  if (before === undefined || after === undefined || !looksDifferent(before, after)) return;
  const dropped = lost.length === 0 ? '' : `: ${lost.slice(0, 5).join(', ')} cannot be kept`;
  throw new Rejected('drawing_changed', `the sanitized file would look different${dropped}`);
}

/** Returns the document. The new root has only a viewBox, so the paint attributes of the old root move to a group. */
function frame(root: Element, viewBox: readonly number[]): Element {
  return svgDocument(viewBox, root.attributes.size === 0 ? root.children : [root]);
}
