// Index of a catalog generation: built beside the requests, replaced when the generation changes.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { CatalogState, CatalogStore } from './catalog-store.js';

interface Options<Index> {
  readonly catalog: Pick<CatalogStore, 'state'>;
  /** `pause` is called often: it lets requests run when the slice is over, and throws when the index is closed. */
  readonly build: (state: CatalogState | undefined, pause: Pause) => Promise<Index>;
  /** Called with the error of a failed rebuild; the old index stays in use and the next check tries again. */
  readonly onError: (error: unknown) => void;
}

export type GenerationIndex<Index extends { readonly generation: number }> = ReturnType<
  typeof openGenerationIndex<Index>
>;

/** How long another process's import may stay unnoticed. */
const CHECK_EVERY_MS = 250;
/** Longest stretch of building without letting requests run. */
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
    /** The newest index that is ready. Waits only for the very first; rejects when that cannot be built. */
    current: async (): Promise<Index> => peek() ?? check(),
    /** The same without waiting; undefined before the first is ready. */
    peek,
    /** Waits for the index of the catalog as it is now. */
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

/** Undefined while the slice is not over. */
export type Pause = () => Promise<void> | undefined;

function createPause(isClosed: () => boolean): Pause {
  let sliceEnds = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < sliceEnds) return undefined;
    return nextTick().then(() => {
      if (isClosed()) throw new Error('closed while building the index');
      sliceEnds = performance.now() + SLICE_MS;
    });
  };
}

/** Runs it to its end, letting requests run between its steps. */
export async function inSlices<Result>(steps: Generator<undefined, Result>, pause: Pause): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const over = pause();
    if (over) await over;
  }
}
