// Micro-batcher: combines items with the same name into one call. Items that arrive while a call with their name is
// running share the next call.

/**
 * Maximum time in ms that items wait for a running call. After this time, the next call starts, because a slow server
 * must not delay the items further.
 */
const MAX_WAIT_MS = 5;

interface Group<Item, Result> {
  readonly items: Item[];
  readonly waiting: { readonly resolve: (result: Result) => void; readonly reject: (error: unknown) => void }[];
  timer: NodeJS.Timeout | undefined;
}

/**
 * Creates the batcher. `call` gets items in the order of their arrival, and returns one result for each item. For each
 * name, only one call runs at a time, unless items have waited for `MAX_WAIT_MS`. A call starts after the poll phase of
 * the event loop, so it contains all items that have arrived in this tick.
 */
export function microBatcher<Item, Result>(
  call: (name: string, items: readonly Item[]) => Promise<readonly Result[]>,
): (name: string, item: Item) => Promise<Result> {
  const groups = new Map<string, Group<Item, Result>>();
  const underWay = new Map<string, number>();
  let due: string[] = [];

  function makeDue(name: string): void {
    if (due.length === 0)
      setImmediate(() => {
        const names = due;
        due = [];
        for (const each of names) void begin(each);
      });
    due.push(name);
  }

  async function begin(name: string): Promise<void> {
    const group = groups.get(name);
    if (!group) return;
    const { items, waiting, timer } = group;
    groups.delete(name);
    clearTimeout(timer);
    underWay.set(name, (underWay.get(name) ?? 0) + 1);
    try {
      const results = await call(name, items);
      for (const [index, result] of results.entries()) waiting[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
    const left = (underWay.get(name) ?? 1) - 1;
    if (left > 0) underWay.set(name, left);
    else underWay.delete(name);
    if (groups.has(name)) makeDue(name);
  }

  function newGroup(name: string): Group<Item, Result> {
    const group: Group<Item, Result> = { items: [], waiting: [], timer: undefined };
    groups.set(name, group);
    if (underWay.has(name)) group.timer = setTimeout(makeDue, MAX_WAIT_MS, name);
    else makeDue(name);
    return group;
  }

  return (name, item) =>
    new Promise((resolve, reject) => {
      const { items, waiting } = groups.get(name) ?? newGroup(name);
      items.push(item);
      waiting.push({ resolve, reject });
    });
}
