// Chooses the variant of an entry that is clearest at 16 px: a symbol, not a wordmark.
import type { Entry, Variant } from '../catalog/entry.js';
import { inkAspect } from '../catalog/import/shape-similarity.js';
import { WORDMARK_ASPECT } from '../catalog/import/score-offers.js';

/** Maximum ratio of the longer side to the shorter side for a drawing that fills a square well. */
const COMPACT_ASPECT = 1.8;
/**
 * Matches names of variants that are no separate symbol: the drawing contains the brand's name, or differs from another
 * variant only in color or style.
 */
const NO_SYMBOL = /^(?:mono|light|dark|line|wordmark.*|.*-(?:light|dark))$/;
const PREFERRED = ['icon', 'alternate', 'badge'];

/**
 * Returns the name of the variant. Returns null if the default variant is the best, or if all variants are wordmarks.
 */
export function symbolVariant({ variants }: Pick<Entry, 'variants'>): string | null {
  if (lengthOf(variants[0]) <= WORDMARK_ASPECT) return null;
  const symbols = variants
    .slice(1)
    .filter((variant) => !NO_SYMBOL.test(variant.name) && lengthOf(variant) <= COMPACT_ASPECT)
    .map(({ name }) => name);
  return PREFERRED.find((name) => symbols.includes(name)) ?? symbols[0] ?? null;
}

function lengthOf(variant: Variant): number {
  const aspect = inkAspect(variant);
  return Math.max(aspect, 1 / aspect);
}
