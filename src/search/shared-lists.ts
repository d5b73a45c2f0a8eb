// Lists of names, such as the categories of a document. Each distinct list is stored only once, because many documents
// have equal lists.
import { STEPS_BETWEEN_YIELDS } from './collect-terms.js';

/** The distinct lists, and for each document the number of its list. */
export interface SharedLists {
  readonly lists: readonly (readonly string[])[];
  /** Document number → number of its list. */
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
