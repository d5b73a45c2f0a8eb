// Sanitization of one untrusted drawing: a safe and canonical one, or the reason of its rejection.
// Linear in its input.
import { boundsOf } from './bounds.js';
import { cleanDocument } from './copy-allowed.js';
import { rejectExpensive } from './render-cost.js';
import { rejectCostlyFilters } from './filter-limits.js';
import { linkReferences, nameIds } from './references.js';
import { byArea, colorVisibleOn, drawSample, isEmpty, visibleOn } from './thumbnail-analysis.js';
import { paintsOutside } from './overflow.js';
import { exchangePaint } from './paint.js';
import type { SanitizeReply } from './protocol.js';
import { inlineStyles } from './inline-css.js';
import { element, parseSvg, Rejected, writeTree, type Element } from './tree.js';
import { tryDrawing } from './crash-probe.js';
import { formatNumber } from './attribute-values.js';

const MAX_COLORS = 16;

export function sanitizeSvg(source: string): SanitizeReply {
  try {
    return sanitize(source);
  } catch (error) {
    if (error instanceof Rejected) return { ok: false, reason: error.reason, message: error.message };
    throw error;
  }
}

function sanitize(source: string): SanitizeReply {
  const { root, viewBox } = cleanDocument(inlineStyles(parseSvg(source)));
  const [, , width, height] = viewBox;
  rejectCostlyFilters(root, Math.max(width, height));
  const { links, layers, elements } = linkReferences(root);
  const { colors, recolorable } = exchangePaint(root, links);
  const document = frame(root, viewBox);
  nameIds(document, links);
  rejectExpensive(document, { viewBox, layers, elements });
  const bounds = boundsOf(document);
  tryDrawing(document, { viewBox, bounds });
  if (paintsOutside(document, { viewBox, bounds })) document.attributes.set('overflow', 'hidden');
  const svg = writeTree(document);

  const [only = '#000000'] = colors;
  const sample = drawSample(recolorable ? svg.replaceAll('currentColor', only) : svg, { width, height });
  if (sample === undefined) throw new Rejected('undrawable', 'the renderer cannot draw it');
  if (isEmpty(sample)) throw new Rejected('empty', 'nothing is to be seen in it');
  const on = recolorable ? colorVisibleOn(only) : visibleOn(sample);
  return { ok: true, svg, width, height, colors: byArea(sample, [...colors]).slice(0, MAX_COLORS), recolorable, on };
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
