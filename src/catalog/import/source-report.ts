// Placements of drawings. A placement is the variant that a drawing became in the merged catalog, or the reason why the
// drawing is not used.
import type { ChosenEntry } from './build-entry.js';
import type { Choice } from './choose-variants.js';
import type { Brand } from './group-brands.js';

export interface Placement {
  readonly source: string;
  /** `key/variant`, with the names that the source uses. */
  readonly drawing: string;
  readonly slug: string;
  /** Name of the variant that the drawing became; null if the drawing is not used. */
  readonly variant: string | null;
  readonly because: string;
}

/**
 * Returns the placement of each drawing that the brand has from these sources: the variant that the drawing became, or
 * why it is not used. Omits drawings that the import has derived.
 */
export function placementsOf(
  { members }: Brand,
  { entry, choice }: ChosenEntry,
  sources: ReadonlySet<string>,
): readonly Placement[] {
  return members
    .filter(({ source }) => sources.has(source.id))
    .flatMap(({ candidate, source }) =>
      candidate.variants
        .filter(({ derivedFrom }) => derivedFrom === undefined)
        .map(({ name, etag }): Placement => {
          const used = entry.variants.find((variant) => variant.etag === etag);
          const place = { source: source.id, drawing: `${candidate.key}/${name}`, slug: entry.slug };
          if (used !== undefined) return { ...place, variant: used.name, because: whyUsed(choice, etag) };
          return {
            ...place,
            variant: null,
            because: whyUnused(choice, `${source.package}:${candidate.key}/${name}`, name),
          };
        }),
    );
}

function whyUsed({ scored }: Choice, etag: string): string {
  const found = scored.find(({ offer }) => offer.variant.etag === etag);
  if (found === undefined) return 'the source uses this name';
  return `${found.score} points: ${found.reasons.map(({ points, because }) => `${points} ${because}`).join('; ')}`;
}

function whyUnused({ scored, best }: Choice, ref: string, name: string): string {
  const own = scored.find(({ offer }) => offer.ref === ref);
  const winner = scored.find(({ offer }) => offer.ref === best.ref);
  if (own === undefined || winner === undefined) return `another drawing is ${name}`;
  return `${best.ref} is preferred, with ${winner.score} points versus ${own.score}`;
}
