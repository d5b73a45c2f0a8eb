// Paged reads of large tables: other work runs between two pages.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Row } from './rows.js';

interface Pages {
  /** The rows after this key, at most `pageRows`, in the key's order; '' before the first. */
  readonly read: (after: string) => readonly Row[];
  /** The column of the key. */
  readonly key: string;
  readonly pageRows: number;
}

export async function* readPages({ read, key, pageRows }: Pages): AsyncIterable<Row> {
  for (let after = ''; ;) {
    const rows = read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.text(key);
    await nextTick();
  }
}
