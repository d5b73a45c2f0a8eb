// Catalog for requests: the store behind caches that are cleared with each new generation.
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
    /** UTF-16 units of SVG text; almost all of it takes one byte each. */
    readonly drawingChars: number;
  };
  /** How soon an import by another process is noticed. */
  readonly pollMs?: number;
  /** Called with the error of a failed poll; the next one tries again. */
  readonly onPollError?: (error: unknown) => void;
}

/** Memory of an entry beside its variants, and of each variant. */
const BYTES_PER_ENTRY = 2000;
const BYTES_PER_VARIANT = 700;

/** Until the first import has ended. */
export function catalogMissingError(): AppError {
  return new AppError('unavailable', 'The catalog is being imported; this takes half a minute.', {
    retryAfterSeconds: 5,
  });
}

/** Reads the state first, so that it is known when the promise resolves. */
export async function openCatalog({ store, bounds, pollMs = 1000, onPollError = () => undefined }: Options) {
  const lookups = new LRUCache<Slug, Lookup>({ maxSize: bounds.entryBytes, sizeCalculation: sizeOf });
  const drawings = new LRUCache<string, string>({
    maxSize: bounds.drawingChars,
    sizeCalculation: (svg) => svg.length + 100,
  });
  const reading = new Map<string, Promise<string>>();
  const listeners: (() => void)[] = [];
  let current = await store.state();

  /** Checks for a new generation now rather than at the next poll. */
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
      throw new AppError('unavailable', 'The catalog is just being replaced.');
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
      // A result read before a publication must not be cached after it. Nor are missing slugs cached, of which clients
      // can make up more than fit.
      if (generation === current?.generation && found.kind !== 'missing') lookups.set(slug, found);
      return found;
    },

    /** The result of `find`, if it is in memory. */
    peek: (slug: Slug): Lookup | undefined => lookups.get(slug),

    /**
     * The sanitized SVG by a variant's `etag`; no promise for one that is in memory. Read once for all who ask meanwhile.
     * Rejects with AppError `unavailable` when a newer catalog has dropped it.
     */
    drawing: (etag: string): Promise<string> | string =>
      drawings.get(etag) ?? singleFlight(reading, etag, () => readDrawing(etag)),

    /** Undefined before the first import. */
    state: (): CatalogState | undefined => current,

    /** Adds what is called after each change of generation, with caches already empty. */
    onGeneration: (listener: () => void): void => void listeners.push(listener),

    refresh,

    close: (): void => clearInterval(timer),
  };
}

function sizeOf(lookup: Lookup): number {
  return BYTES_PER_ENTRY + (lookup.kind === 'entry' ? lookup.entry.variants.length * BYTES_PER_VARIANT : 0);
}
