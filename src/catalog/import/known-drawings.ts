// Sanitizer that caches its outcomes during an import, because a fifth of the default packages' drawings occur twice.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Derivation } from '../drawing.js';
import type { SanitizeOutcome, Sanitizer } from '../sanitizer.js';

/** Maximum size of all cached drawings, UTF-16 units. */
const MAX_CHARS = 8_000_000;
/** Estimated memory of an outcome in addition to its drawing, in UTF-16 units. */
const OUTCOME_CHARS = 500;
const TITLE = /<title>[^<]*<\/title>/;

interface Known {
  readonly outcome: SanitizeOutcome;
  readonly derive: Derivation;
}

/**
 * Wraps a sanitizer in a cache of its outcomes. Caches only one-color drawings, because they are small and have no
 * derived copies.
 */
export function reusingOutcomes(sanitizer: Sanitizer): Sanitizer {
  const known = new LRUCache<string, Known>({
    maxSize: MAX_CHARS,
    sizeCalculation: ({ outcome }) => (outcome.ok ? outcome.svg.length : 0) + OUTCOME_CHARS,
  });

  return {
    async sanitize(svgs, derive = []) {
      const keys = svgs.map((svg) => hash('sha256', svg.replace(TITLE, '')));
      const outcomes = keys.map((key, at) => reusable(known.get(key), derive[at] ?? 'nothing'));
      const left = svgs.map((_, at) => at).filter((at) => outcomes[at] === undefined);
      if (left.length === 0) return outcomes.filter((outcome) => outcome !== undefined);
      const fresh = await sanitizer.sanitize(
        left.map((at) => svgs[at] ?? ''),
        left.map((at) => derive[at] ?? 'nothing'),
      );
      left.forEach((at, index) => {
        const outcome = fresh[index];
        outcomes[at] = outcome;
        if (outcome?.ok === true && outcome.recolorable)
          known.set(keys[at] ?? '', { outcome, derive: derive[at] ?? 'nothing' });
      });
      return outcomes.filter((outcome) => outcome !== undefined);
    },
    close: () => sanitizer.close(),
  };
}

/**
 * Returns the cached outcome of a one-color drawing. Returns undefined if `derive` requires a `look` and the outcome
 * has none. Apart from the look, the outcome does not depend on `derive`.
 */
function reusable(found: Known | undefined, derive: Derivation): SanitizeOutcome | undefined {
  if (found === undefined) return undefined;
  return hasLook(found.derive) || !hasLook(derive) ? found.outcome : undefined;
}

function hasLook(derive: Derivation): boolean {
  return derive !== 'nothing' && derive !== 'painted';
}
