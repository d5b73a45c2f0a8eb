// Pages of lists, and `expand[]`.
import { invalid, missing } from './api-error.js';
import { listOf } from './new-objects.js';
import { readInteger, readList, type Parameters } from './parameters.js';
import type { State } from './state.js';
import type { List } from './wire.js';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
const MAX_EXPAND_DEPTH = 4;

export const PAGE_PARAMETERS = { limit: true, starting_after: true, ending_before: true, expand: true } as const;

/** `items`: newest first. */
export function pageOf<Item extends { id: string }>(
  items: readonly Item[],
  url: string,
  parameters: Parameters,
): List<Item> {
  const limit = readInteger(parameters, 'limit', { min: 1, max: MAX_LIMIT }) ?? DEFAULT_LIMIT;
  const [after, before] = [parameters.get('starting_after'), parameters.get('ending_before')];
  if (after !== undefined && before !== undefined)
    throw invalid('You cannot parameterize both starting_after and ending_before.', 'ending_before');
  const indexOf = (id: string, param: string) => {
    const index = items.findIndex((item) => item.id === id);
    if (index === -1) throw missing('object', id, param);
    return index;
  };
  if (before !== undefined) {
    const end = indexOf(before, 'ending_before');
    return listOf(url, items.slice(Math.max(0, end - limit), end), end > limit);
  }
  const start = after === undefined ? 0 : indexOf(after, 'starting_after') + 1;
  return listOf(url, items.slice(start, start + limit), start + limit < items.length);
}

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** A copy of the object with the objects whose ids `expand[]` names. */
export function expanded(state: State, object: object, parameters: Parameters): object {
  const copy: object = structuredClone(object);
  for (const path of readList(parameters, 'expand')) {
    const names = path.split('.');
    if (names.length > MAX_EXPAND_DEPTH)
      throw invalid(`You cannot expand more than ${MAX_EXPAND_DEPTH} levels of a property.`, 'expand');
    expandIn(state, copy, names);
  }
  return copy;
}

function expandIn(state: State, value: unknown, [name = '', ...rest]: readonly string[]): void {
  if (Array.isArray(value)) {
    for (const one of value) expandIn(state, one, [name, ...rest]);
    return;
  }
  if (!isNode(value)) return;
  if (!Object.hasOwn(value, name)) throw invalid(`This property cannot be expanded (${name}).`, 'expand');
  const field = value[name];
  if (typeof field === 'string') {
    const found = objectOf(state, field);
    if (!found) throw invalid(`This property cannot be expanded (${name}).`, 'expand');
    value[name] = structuredClone(found);
  }
  if (rest.length > 0) expandIn(state, value[name], rest);
}

function objectOf(state: State, id: string): object | undefined {
  return state.customers.get(id) ?? state.subscriptions.get(id) ?? state.invoices.get(id) ?? state.prices.get(id);
}
