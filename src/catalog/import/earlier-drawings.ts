// Drawings of an earlier import. They stay in the catalog if the sanitizer rejects the source's new drawings.
import type { Candidate, CandidateVariant } from './candidate.js';

export type EarlierDrawings = ReturnType<typeof earlierDrawings>;

/** Finds drawings to keep. `earlier`: candidates of the source in the published catalog. */
export function earlierDrawings(earlier: readonly Candidate[]) {
  const byKey = new Map(earlier.map((candidate) => [candidate.key, candidate]));
  /** Names of rejected drawings, by the key of their icon. */
  const rejected = new Map<string, Set<string>>();

  function keptVariants(key: string, present: readonly CandidateVariant[]): readonly CandidateVariant[] {
    const names = rejected.get(key);
    const variants = names === undefined ? [] : (byKey.get(key)?.variants ?? []);
    const taken = new Set(present.map(({ name }) => name));
    const kept = variants.filter(({ name }) => names?.has(name) === true);
    const etags = new Set(kept.map(({ etag }) => etag));
    // If a source has no `mono`, the import makes it from a one-color `default`. If the earlier `default` is kept, this
    // `mono` is kept as well.
    const isGlyphs = ({ name }: CandidateVariant): boolean => name === 'mono' && names?.has('default') === true;
    const follows = (one: CandidateVariant): boolean =>
      kept.includes(one) || isGlyphs(one) || (one.derivedFrom !== undefined && etags.has(one.derivedFrom.etag));
    return variants.filter((one) => follows(one) && !taken.has(one.name));
  }

  return {
    /** Records that a drawing was rejected. Returns true if the earlier drawing stays in the catalog. */
    reject(key: string, variant: string): boolean {
      rejected.set(key, (rejected.get(key) ?? new Set()).add(variant));
      return keptVariants(key, []).length > 0;
    },
    /**
     * Adds earlier drawings to the candidates, in place of the drawings that were rejected. `icons`: icons from which
     * the candidates were made.
     */
    addTo(candidates: readonly Candidate[], icons: readonly Pick<Candidate, 'key' | 'license'>[]): Candidate[] {
      const made = new Map(candidates.map((candidate) => [candidate.key, candidate]));
      return icons.flatMap(({ key, license }) => {
        const candidate = made.get(key);
        const variants = keptVariants(key, candidate?.variants ?? []);
        if (variants.length === 0) return candidate ?? [];
        if (candidate) return { ...candidate, variants: [...candidate.variants, ...variants] };
        const before = byKey.get(key);
        return before === undefined ? [] : { ...before, license };
      });
    },
  };
}
