// Service of the Iconify protocol. It answers from the current version of the catalog. Own brands of an account take
// precedence over the catalog.
import { LRUCache } from 'lru-cache';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import { catalogMissingError, type Catalog } from '../catalog/catalog.js';
import type { GenerationIndex } from '../catalog/generation-index.js';
import type { Turns } from '../platform/concurrency/time-slices.js';
import { IconAnswers, type Bodies } from './icon-answers.js';
import type { IconSets } from './icon-sets.js';
import { createOwnIcons, OwnIconAnswers } from './own-icons.js';

export type Iconify = ReturnType<typeof createIconify>;

interface Options {
  readonly sets: Pick<GenerationIndex<IconSets>, 'current' | 'peek'>;
  readonly catalog: Pick<Catalog, 'drawing'>;
  readonly turns: Turns;
  /**
   * Memory in bytes for cached bodies of lists and of answers with several icons. Web pages request these bodies
   * repeatedly, and all connections share one copy.
   */
  readonly cacheBytes: number;
}

/** Memory in bytes of a cache entry, in addition to its key and body. */
const OVERHEAD_BYTES = 200;

export function createIconify({ sets, catalog, turns, cacheBytes }: Options) {
  const bodies: Bodies = new LRUCache({
    maxSize: cacheBytes,
    sizeCalculation: (body, key) => body.length + key.length + OVERHEAD_BYTES,
  });
  const parts = { turns, bodies };
  const ownIcons = createOwnIcons(parts);
  let known: { readonly of: IconSets; readonly answers: IconAnswers } | undefined;

  function answersOf(current: IconSets): IconAnswers {
    if (known?.of !== current) known = { of: current, answers: new IconAnswers(current, catalog, parts) };
    return known.answers;
  }

  return {
    /**
     * Returns the object that answers from the current catalog. Own brands take precedence over the catalog. Rejects
     * with AppError `unavailable` before the first import.
     */
    async current(from: AccountCatalog): Promise<IconAnswers | OwnIconAnswers> {
      const current = sets.peek() ?? (await sets.current());
      if (current.generation === 0) throw catalogMissingError();
      const answers = answersOf(current);
      return from.own ? new OwnIconAnswers(answers, await ownIcons(from.own, from)) : answers;
    },
    /** Returns the object that answers from the current catalog, or undefined until the first request has built it. */
    peek(): IconAnswers | undefined {
      const current = sets.peek();
      return current === undefined || current.generation === 0 ? undefined : answersOf(current);
    },
    /** Builds the icon sets, without a time limit. Returns undefined if they are already built. */
    build: (): Promise<unknown> | undefined => (sets.peek() ? undefined : sets.current()),
  };
}
