// Sanitizer that keeps its outcomes for the length of an import: a fifth of the default packages' drawings come twice.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Derivation } from '../drawing.js';
import type { SanitizeOutcome, Sanitizer } from '../sanitizer.js';

/** UTF-16 units of all kept drawings. */
const MAX_CHARS = 8_000_000;
/** Beside its drawing, what an outcome takes. */
const OUTCOME_CHARS = 500;
const TITLE = /<title>[^<]*<\/title>/;

interface Known {
  readonly outcome: SanitizeOutcome;
  readonly derive: Derivation;
}

/** Only drawings of one color are kept: of these there is nothing to derive, and they are small. */
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

/** A drawing of one color has the same outcome whatever is to be derived, but for its look. */
function reusable(found: Known | undefined, derive: Derivation): SanitizeOutcome | undefined {
  if (found === undefined) return undefined;
  return hasLook(found.derive) || !hasLook(derive) ? found.outcome : undefined;
}

function hasLook(derive: Derivation): boolean {
  return derive !== 'nothing' && derive !== 'painted';
}
