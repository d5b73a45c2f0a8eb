// Placements: what became of each drawing of a source in the merged catalog, and why.
import type { ChosenEntry } from './consistency.js';
import type { Brand } from './group-brands.js';

export interface Placement {
  readonly source: string;
  /** `key/variant`, as the source names it. */
  readonly drawing: string;
  readonly slug: string;
  /** Its variant there; null when it is not used. */
  readonly variant: string | null;
  readonly because: string;
}

/** Of the brand's drawings by these sources; derived ones are not the source's. */
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
            because: whyUnused(choice, { ref: refOf(source.package, candidate.key, name), name }),
          };
        }),
    );
}

const refOf = (source: string, key: string, name: string): string => `${source}:${key}/${name}`;

function whyUsed({ scored }: ChosenEntry['choice'], etag: string): string {
  const found = scored.find(({ mark }) => mark.variant.etag === etag);
  return found === undefined ? 'so called by its source' : reasonsOf(found);
}

function whyUnused(
  { scored, best }: ChosenEntry['choice'],
  { ref, name }: { readonly ref: string; readonly name: string },
): string {
  const own = scored.find(({ mark }) => mark.ref === ref);
  const winner = scored.find(({ mark }) => mark.ref === best.ref);
  if (own === undefined || winner === undefined) return `another drawing is the ${name}`;
  return `${best.ref} goes before it, with ${winner.score} points to ${own.score}`;
}

function reasonsOf({ score, reasons }: ChosenEntry['choice']['scored'][number]): string {
  return `${score} points: ${reasons.map(({ points, because }) => `${points} ${because}`).join('; ')}`;
}
