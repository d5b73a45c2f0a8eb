// Long computations, split into short slices so that the event loop can run other work. A computation is a generator
// that yields after each slice. Slices of different callers alternate.

export type Steps<Result> = Generator<undefined, Result>;

/** Runs a generator to its end. Other work can run after each step. */
export type RunSteps = <Result>(steps: Steps<Result>) => Promise<Result>;

/**
 * Number of units of work per slice. A unit is a part of one comparison or lookup. A slice takes at most one
 * millisecond.
 */
export const STEPS_PER_SLICE = 1000;

/**
 * Returns a function that counts units of work. When the slice is full, the function returns true and starts a new
 * slice.
 */
export function createSlice(): (steps?: number) => boolean {
  let done = 0;
  return (steps = 1) => {
    done += steps;
    if (done < STEPS_PER_SLICE) return false;
    done = 0;
    return true;
  };
}

/** Returns a function that runs the steps at its first call. Further calls return the promise of that run. */
export function once<Result>(run: RunSteps, steps: () => Steps<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= run(steps()));
}

/** Runs all steps synchronously, without letting other work run. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Number of items in each part that is sorted synchronously. */
const RUN = 64;

type Compare<Item> = (one: Item, other: Item) => number;

/** Sorts in steps, because `Array.sort` of 20,000 names blocks the event loop for 9 to 28 ms. The order is stable. */
export function* sorted<Item>(items: readonly Item[], compare: Compare<Item>): Steps<readonly Item[]> {
  const isOver = createSlice();
  let runs: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(compare));
    if (isOver(RUN * 4)) yield;
  }
  while (runs.length > 1) {
    const longer: (readonly Item[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(yield* merged(runs[at] ?? [], runs[at + 1] ?? [], { compare, isOver }));
    runs = longer;
  }
  return runs[0] ?? [];
}

interface Merging<Item> {
  readonly compare: Compare<Item>;
  readonly isOver: () => boolean;
}

function* merged<Item>(
  left: readonly Item[],
  right: readonly Item[],
  { compare, isOver }: Merging<Item>,
): Steps<readonly Item[]> {
  const run: Item[] = [];
  let at = 0;
  for (const item of left) {
    for (let next = right[at]; next !== undefined && compare(next, item) < 0; next = right[++at]) {
      run.push(next);
      if (isOver()) yield;
    }
    run.push(item);
    if (isOver()) yield;
  }
  return [...run, ...right.slice(at)];
}

export type Turns = ReturnType<typeof createTurns>;

export function createTurns() {
  /** Waiting slices by caller. Each list has at least one slice. The first slice of the first caller runs next. */
  const waiting = new Map<string, (() => void)[]>();
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      begin();
    });
  }

  function begin(): void {
    const [first] = waiting;
    if (!first) return;
    const [caller, queue] = first;
    const enter = queue.shift();
    waiting.delete(caller);
    if (queue.length > 0) waiting.set(caller, queue);
    if (waiting.size > 0) schedule();
    enter?.();
  }

  /**
   * Returns a function that one computation calls before each slice. The computation may run the slice when the
   * returned promise resolves. Only one slice runs per iteration of the event loop, so a slice must be short. A started
   * computation continues before other computations of the same caller.
   */
  function of(caller: string): () => Promise<void> {
    let place: 'push' | 'unshift' = 'push';
    return () =>
      new Promise((enter) => {
        const queue = waiting.get(caller);
        if (queue) queue[place](enter);
        else waiting.set(caller, [enter]);
        place = 'unshift';
        schedule();
      });
  }

  return {
    of,
    async run<Result>(caller: string, steps: Steps<Result>): Promise<Result> {
      const turn = of(caller);
      for (;;) {
        await turn();
        const step = steps.next();
        if (step.done) return step.value;
      }
    },
  };
}
