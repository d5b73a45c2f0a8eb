// Gathering: items that arrive while a call of the same name is under way become one call, the next one.

/** Longest wait for a call that is under way: a slow server delays new items no further. */
const MAX_WAIT_MS = 5;

interface Group<Item, Result> {
  readonly items: Item[];
  readonly waiting: { readonly resolve: (result: Result) => void; readonly reject: (error: unknown) => void }[];
  timer: NodeJS.Timeout | undefined;
}

/**
 * `call` gets items in the order of their arrival, and resolves with a result for each. It begins once no other of its name is
 * under way, or after `MAX_WAIT_MS`, and in any case after the poll phase, so that all that has arrived by then is in it.
 */
export function microBatcher<Item, Result>(
  call: (name: string, items: readonly Item[]) => Promise<readonly Result[]>,
): (name: string, item: Item) => Promise<Result> {
  const groups = new Map<string, Group<Item, Result>>();
  /** Calls under way, by name. */
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
