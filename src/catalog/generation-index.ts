// Index that is built from one version of the catalog. It is built while the service answers requests, and built again
// when the catalog changes.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { CatalogState, CatalogStore } from './catalog-store.js';

interface Options<Index> {
  readonly catalog: Pick<CatalogStore, 'state'>;
  /**
   * Builds the index. Must call `pause` often. If `pause` returns a promise, must await it, so that requests can run.
   * The promise rejects when the index is closed.
   */
  readonly build: (state: CatalogState | undefined, pause: Pause) => Promise<Index>;
  /** Called with the error of a failed rebuild. The old index stays in use until a later rebuild succeeds. */
  readonly onError: (error: unknown) => void;
}

export type GenerationIndex<Index extends { readonly generation: number }> = ReturnType<
  typeof openGenerationIndex<Index>
>;

/** Minimum interval in ms between checks for a new catalog, which another process may have imported. */
const CHECK_EVERY_MS = 250;
/** Maximum time in ms for which the build of an index makes other requests wait. */
const SLICE_MS = 4;

export function openGenerationIndex<Index extends { readonly generation: number }>({
  catalog,
  build,
  onError,
}: Options<Index>) {
  let ready: Index | undefined;
  let building: Promise<Index> | undefined;
  let checkedAtMs = -Infinity;
  let closed = false;

  async function rebuildIfChanged(): Promise<Index> {
    const state = await catalog.state();
    if (ready?.generation === (state?.generation ?? 0)) return ready;
    const slices = createPause(() => closed);
    const built = await build(state, slices);
    ready = built;
    return built;
  }

  function check(): Promise<Index> {
    checkedAtMs = performance.now();
    building ??= rebuildIfChanged().finally(() => (building = undefined));
    return building;
  }

  function peek(): Index | undefined {
    if (ready && !closed && performance.now() - checkedAtMs >= CHECK_EVERY_MS) check().catch(onError);
    return ready;
  }

  return {
    /**
     * Returns the newest index that is ready. If none is ready yet, waits for the first one, and rejects if it cannot
     * be built.
     */
    current: async (): Promise<Index> => peek() ?? check(),
    /** Returns the newest index without waiting. Undefined before the first index is ready. */
    peek,
    /** Waits for an index of the current version of the catalog. */
    async refresh(): Promise<void> {
      await building?.catch(() => undefined);
      await check();
    },
    async close(): Promise<void> {
      closed = true;
      await building?.catch(() => undefined);
    },
  };
}

/** Returns a promise to await if the time slice is over. Otherwise returns undefined. */
export type Pause = () => Promise<void> | undefined;

function createPause(isClosed: () => boolean): Pause {
  let sliceEnds = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < sliceEnds) return undefined;
    return nextTick().then(() => {
      if (isClosed()) throw new Error('the index was closed while it was being built');
      sliceEnds = performance.now() + SLICE_MS;
    });
  };
}

/** Runs all steps. When the time slice is over, lets requests run before the next step. */
export async function inSlices<Result>(steps: Generator<undefined, Result>, pause: Pause): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const over = pause();
    if (over) await over;
  }
}
