// Lists of names that many documents share. Each list is stored once.
import { STEPS_BETWEEN_YIELDS } from './collect-terms.js';

/** Lists that many documents share, with one number per document. */
export interface SharedLists {
  readonly lists: readonly (readonly string[])[];
  /** List numbers by document number. */
  readonly numbers: Uint32Array;
}

export function createSharedLists() {
  const known = new Map<string, number>();
  const lists: (readonly string[])[] = [];
  const numbers: number[] = [];
  return {
    listOf(list: readonly string[]): readonly string[] {
      const key = list.join('\n');
      let number = known.get(key);
      if (number === undefined) {
        number = lists.push(list) - 1;
        known.set(key, number);
      }
      numbers.push(number);
      return lists[number] ?? list;
    },
    *finish(order: Int32Array): Generator<undefined, SharedLists> {
      const ranked = new Uint32Array(order.length);
      for (const [number, arrived] of order.entries()) {
        ranked[number] = numbers[arrived] ?? 0;
        if (number % STEPS_BETWEEN_YIELDS === 0) yield;
      }
      return { lists, numbers: ranked };
    },
  };
}
