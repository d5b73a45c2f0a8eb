// Sanitization of one untrusted drawing: a safe and canonical one, or the reason of its rejection.
// Linear in its input.
import { boundsOf } from '../svg/bounds.js';
import { cleanDocument } from './copy-allowed.js';
import { rejectExpensive } from '../cost-limits/render-cost.js';
import { rejectCostlyFilters } from '../cost-limits/filter-limits.js';
import { linkReferences, nameIds } from './link-references.js';
import { forGround, monoOf, type Original } from '../look/derive.js';
import { byArea, inkBox, lookOf, lookOfOnePaint } from '../look/look.js';
import { simplifyFilters } from './simplify.js';
import { drawThumbnail } from '../look/thumbnail.js';
import { colorVisibleOn, GROUNDS, visibilityOn } from '../look/visibility.js';
import { paintsOutside } from './overflow.js';
import { exchangePaint } from './paint.js';
import type { Derivation, Derived, SanitizeReply } from '../sanitizer-protocol.js';
import { inlineStyles } from './inline-css.js';
import { element, formatNumber, parseSvg, Rejected, writeTree, type Element } from '../svg/tree.js';
import { tryDrawing } from '../cost-limits/crash-probe.js';

const MAX_COLORS = 16;

export function sanitizeSvg(source: string, derive: Derivation = 'nothing'): SanitizeReply {
  try {
    return sanitize(source, derive);
  } catch (error) {
    if (error instanceof Rejected) return { ok: false, reason: error.reason, message: error.message };
    throw error;
  }
}

function sanitize(source: string, derive: Derivation): SanitizeReply {
  const { root, viewBox } = cleanDocument(inlineStyles(parseSvg(source)));
  const [, , width, height] = viewBox;
  rejectCostlyFilters(root, Math.max(width, height));
  const { links, layers, elements } = linkReferences(root);
  const { colors, recolorable } = exchangePaint(root, links);
  const document = frame(root, viewBox);
  nameIds(document, links);
  rejectExpensive(document, { viewBox, layers, elements });
  // Before the probe, which draws what has layers many times.
  simplifyFilters(document, viewBox);
  const bounds = boundsOf(document);
  tryDrawing(document, { viewBox, bounds });
  if (paintsOutside(document, { viewBox, bounds })) document.attributes.set('overflow', 'hidden');
  const svg = writeTree(document);

  const [only = '#000000'] = colors;
  const thumbnail = drawThumbnail(recolorable ? svg.replaceAll('currentColor', only) : svg, { viewBox, bounds });
  if (thumbnail === undefined) throw new Rejected('undrawable', 'the renderer cannot draw it');
  if (thumbnail === 'empty') throw new Rejected('empty', 'nothing is to be seen in it');
  const { sample } = thumbnail;
  const shared = { svg, width, height, recolorable, ink: inkBox(thumbnail, viewBox) };
  if (recolorable) {
    const look = derive === 'nothing' ? undefined : lookOfOnePaint({ sample, svg }, only);
    return { ok: true, ...shared, colors: [only], on: colorVisibleOn(only), ...(look && { look }), derived: {} };
  }
  const areas = byArea(sample, [...colors]).slice(0, MAX_COLORS);
  const visibility = { light: visibilityOn(sample, 'light'), dark: visibilityOn(sample, 'dark') };
  const clean = {
    ...shared,
    colors: areas.map(({ hex }) => hex),
    on: GROUNDS.filter((ground) => visibility[ground].visible),
    ...(derive !== 'nothing' && { look: lookOf({ sample, svg, colors: areas, visibility }) }),
  };
  return { ok: true, ...clean, derived: derivedOf({ ...clean, viewBox, thumbnail, derive }) };
}

interface ToDerive extends Original {
  readonly on: readonly ('light' | 'dark')[];
  readonly derive: Derivation;
}

function derivedOf({ derive, on, ...original }: ToDerive): Derived {
  if (derive === 'nothing' || derive === 'look') return {};
  const derived: { -readonly [Name in keyof Derived]: Derived[Name] } = {};
  const mono = derive === 'all' ? monoOf(original) : undefined;
  if (mono !== undefined) derived.mono = mono;
  for (const ground of GROUNDS) {
    const drawing = on.includes(ground) ? undefined : forGround(original, ground);
    if (drawing !== undefined) derived[ground] = drawing;
  }
  return derived;
}

/** The root carries the viewBox; what it said about painting moves to a group. */
function frame(root: Element, viewBox: readonly number[]): Element {
  const children = root.attributes.size === 0 ? root.children : [element('g', root.attributes, root.children)];
  return element(
    'svg',
    [
      ['xmlns', 'http://www.w3.org/2000/svg'],
      ['viewBox', viewBox.map(formatNumber).join(' ')],
    ],
    children,
  );
}
