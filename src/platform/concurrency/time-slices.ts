// Long work in slices of the event loop: generators yield after each slice, and callers take turns.

export type Steps<Result> = Generator<undefined, Result>;

/** Runs steps to their end, letting others run between them. */
export type RunSteps = <Result>(steps: Steps<Result>) => Promise<Result>;

/** Some of the work of one comparison or one look-up: a slice takes a millisecond at most. */
export const STEPS_PER_SLICE = 1000;

/** Returns whether the slice is over, and with that begins the next one. */
export function createSlice(): (steps?: number) => boolean {
  let done = 0;
  return (steps = 1) => {
    done += steps;
    if (done < STEPS_PER_SLICE) return false;
    done = 0;
    return true;
  };
}

/** Begins with the first call; later ones wait for the same result. */
export function once<Result>(run: RunSteps, steps: () => Steps<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= run(steps()));
}

/** Without letting others run. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs that are sorted at once. */
const RUN = 64;

type Compare<Item> = (one: Item, other: Item) => number;

/** Stable. */
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

/** As `JSON.stringify(value, null, indent)`, of plain data. */
export function* jsonText(value: unknown, indent: 0 | 4 = 0): Steps<string> {
  return yield* written(value, indent === 0 ? '' : '\n', createSlice());
}

/** `lineBreak` goes before each member's indentation; empty: no line breaks. */
function* written(value: unknown, lineBreak: string, isOver: () => boolean): Steps<string> {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inner = lineBreak === '' ? '' : `${lineBreak}    `;
  const colon = lineBreak === '' ? ':' : ': ';
  /** Texts of a thousand members each: one long list would be joined at once. */
  const pages: string[] = [];
  let page: string[] = [];
  for (const key in value) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (member === undefined) continue;
    const text = typeof member === 'object' ? yield* written(member, inner, isOver) : JSON.stringify(member);
    page.push(isList ? text : JSON.stringify(key) + colon + text);
    if (!isOver()) continue;
    pages.push(page.join(`,${inner}`));
    page = [];
    yield;
  }
  if (page.length > 0) pages.push(page.join(`,${inner}`));
  const [open, close] = isList ? '[]' : '{}';
  return pages.length === 0 ? `${open}${close}` : `${open}${inner}${pages.join(`,${inner}`)}${lineBreak}${close}`;
}

export type Turns = ReturnType<typeof createTurns>;

export function createTurns() {
  /** Waiting slices by caller, no list empty; the first caller is next. */
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
   * For one piece of work: each call resolves when it is this caller's turn, one in each iteration of the event loop. What
   * follows is to be short. Work that has begun goes before the caller's other work.
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
    /** Each slice in a turn of its own. */
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
