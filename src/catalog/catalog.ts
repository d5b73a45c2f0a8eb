// Catalog for requests: the catalog store behind caches. A new version of the catalog clears the caches.
import { LRUCache } from 'lru-cache';
import { singleFlight } from '../platform/concurrency/single-flight.js';
import type { Lookup, Slug } from './entry.js';
import { AppError } from '../platform/errors.js';
import type { CatalogState, CatalogStore } from './catalog-store.js';

export type Catalog = Awaited<ReturnType<typeof openCatalog>>;

interface Options {
  readonly store: CatalogStore;
  readonly bounds: {
    readonly entryBytes: number;
    /**
     * Maximum total length of all cached drawings, UTF-16 units. In memory, almost every unit takes one byte, because
     * V8 stores Latin-1 text with one byte per unit.
     */
    readonly drawingChars: number;
  };
  /** Maximum time in ms until this process notices an import by another process. */
  readonly pollMs?: number;
  /** Called with the error of a failed poll. The next poll retries. */
  readonly onPollError?: (error: unknown) => void;
}

/** Estimated memory of an entry without its variants, and of each variant. */
const BYTES_PER_ENTRY = 2000;
const BYTES_PER_VARIANT = 700;

export function catalogMissingError(): AppError {
  return new AppError(
    'unavailable',
    'The catalog is being imported, which takes about half a minute. Try again later.',
    {
      retryAfterSeconds: 5,
    },
  );
}

/** Opens the catalog. Reads its state first, so that the opened catalog has a `state`. */
export async function openCatalog({ store, bounds, pollMs = 1000, onPollError = () => undefined }: Options) {
  const lookups = new LRUCache<Slug, Lookup>({ maxSize: bounds.entryBytes, sizeCalculation: sizeOf });
  const drawings = new LRUCache<string, string>({
    maxSize: bounds.drawingChars,
    sizeCalculation: (svg) => svg.length + 100,
  });
  const reading = new Map<string, Promise<string>>();
  const listeners: (() => void)[] = [];
  let current = await store.state();

  /** Checks for a new version of the catalog without waiting for the next poll. */
  async function refresh(): Promise<void> {
    const next = await store.state();
    if (next === undefined || next.generation === current?.generation) return;
    current = next;
    lookups.clear();
    for (const listener of listeners) listener();
  }

  async function readDrawing(etag: string): Promise<string> {
    const svg = await store.drawing(etag);
    if (svg === undefined) {
      await refresh();
      throw new AppError('unavailable', 'The catalog is being replaced. Try again.');
    }
    drawings.set(etag, svg);
    return svg;
  }

  const timer = setInterval(() => void refresh().catch(onPollError), pollMs);
  timer.unref();

  return {
    /** Throws AppError `unavailable` before the first import. */
    async find(slug: Slug): Promise<Lookup> {
      const known = lookups.get(slug);
      if (known !== undefined) return known;
      const generation = current?.generation;
      if (generation === undefined) throw catalogMissingError();
      const found = await store.find(slug);
      // Results that were read before a publication are not cached after it. Missing slugs are never cached, because
      // clients can request any number of them.
      if (generation === current?.generation && found.kind !== 'missing') lookups.set(slug, found);
      return found;
    },

    peek: (slug: Slug): Lookup | undefined => lookups.get(slug),

    /**
     * Returns the sanitized SVG of the variant with this `etag`: a text if it is cached, otherwise a promise.
     * Concurrent calls share one read. Rejects with AppError `unavailable` if a newer catalog no longer has the
     * drawing.
     */
    drawing: (etag: string): Promise<string> | string =>
      drawings.get(etag) ?? singleFlight(reading, etag, () => readDrawing(etag)),

    /** Undefined before the first import. */
    state: (): CatalogState | undefined => current,

    /** Adds a listener. It is called for each new version of the catalog, after the caches are cleared. */
    onGeneration: (listener: () => void): void => void listeners.push(listener),

    refresh,

    close: (): void => clearInterval(timer),
  };
}

function sizeOf(lookup: Lookup): number {
  return BYTES_PER_ENTRY + (lookup.kind === 'entry' ? lookup.entry.variants.length * BYTES_PER_VARIANT : 0);
}
