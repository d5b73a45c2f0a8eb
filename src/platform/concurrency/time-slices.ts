// Long work in slices of the event loop: generators yield after each slice, and callers take turns.

export type Steps<Result> = Generator<undefined, Result>;

/** Runs steps to their end, and lets other work run between them. */
export type RunSteps = <Result>(steps: Steps<Result>) => Promise<Result>;

/** Steps per slice. A step is a part of one comparison or look-up; a slice takes at most a millisecond. */
export const STEPS_PER_SLICE = 1000;

/** Creates a function that counts steps. It returns true when the slice is over, and then starts the next one. */
export function createSlice(): (steps?: number) => boolean {
  let done = 0;
  return (steps = 1) => {
    done += steps;
    if (done < STEPS_PER_SLICE) return false;
    done = 0;
    return true;
  };
}

/** Starts with the first call. Later calls wait for the same result. */
export function once<Result>(run: RunSteps, steps: () => Steps<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= run(steps()));
}

/** Runs all steps without letting other work run. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Length of the runs that are sorted at once. */
const RUN = 64;

type Compare<Item> = (one: Item, other: Item) => number;

/** Sorts in steps, because `Array.sort` of 20,000 names takes 9 to 28 ms in one piece. The order is stable. */
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
  /** Waiting slices by caller; no list is empty. The first caller is next. */
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
   * Returns a function for one piece of work. Each call resolves at this caller's turn. There is one turn per iteration
   * of the event loop, so the code after it must be short. Started work takes precedence over the caller's other work.
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
    /** Runs each slice in its own turn. */
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
