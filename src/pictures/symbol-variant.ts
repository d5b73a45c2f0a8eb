// The variant of an entry that is clear at 16 px: a symbol rather than a wordmark.
import type { Entry, Variant } from '../catalog/entry.js';
import { inkAspect } from '../catalog/import/shape-similarity.js';
import { WORDMARK_ASPECT } from '../catalog/import/score-offers.js';

/** The longer side by the shorter, up to which a drawing fills a square well. */
const COMPACT_ASPECT = 1.8;
/** Variants that show the same as another one, or the brand's name. */
const NO_SYMBOL = /^(?:mono|light|dark|line|wordmark.*|.*-(?:light|dark))$/;
const PREFERRED = ['icon', 'alternate', 'badge'];

/** Null is the default one: also where there are only wordmarks. */
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
