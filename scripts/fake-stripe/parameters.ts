// Form-encoded parameters of the Stripe API: `line_items[0][price]=…`, `expand[]=…`.
import { invalid } from './api-error.js';
import type { Metadata } from './wire.js';

/** By the name with its brackets, `[]` numbered. */
export type Parameters = ReadonlyMap<string, string>;

/** Names that a route knows; a list names what may stand below, after an index. */
export type KnownParameters = Readonly<Record<string, true | readonly string[]>>;

const MAX_METADATA_KEYS = 50;
const MAX_METADATA_KEY_CHARACTERS = 40;
const MAX_METADATA_VALUE_CHARACTERS = 500;
const MAX_URL_CHARACTERS = 5000;

export function parseParameters(...texts: readonly string[]): Parameters {
  const parameters = new Map<string, string>();
  for (const text of texts) {
    for (const [name, value] of new URLSearchParams(text)) {
      let index = 0;
      while (name.includes('[]') && parameters.has(name.replace('[]', `[${index}]`))) index += 1;
      parameters.set(name.replace('[]', `[${index}]`), value);
    }
  }
  return parameters;
}

const segmentsOf = (name: string): string[] => name.split(/[[\]]+/).filter((segment) => segment !== '');

/** Throws 400 `parameter_unknown`. */
export function assertKnown(parameters: Parameters, known: KnownParameters): void {
  for (const name of parameters.keys()) {
    const [top = '', ...below] = segmentsOf(name);
    const allowed = Object.hasOwn(known, top) ? known[top] : undefined;
    const nested = below.find((segment) => !/^\d+$/.test(segment));
    if (allowed === true || (allowed && nested !== undefined && allowed.includes(nested))) continue;
    throw invalid(`Received unknown parameter: ${name}`, name, 'parameter_unknown');
  }
}

export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined || value === '') throw invalid(`Missing required param: ${name}.`, name, 'parameter_missing');
  return value;
}

export function readBoolean(parameters: Parameters, name: string): boolean | undefined {
  const value = parameters.get(name);
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${value}`, name);
  return value === 'true';
}

export interface IntegerRange {
  readonly min: number;
  readonly max: number;
}

export function readInteger(parameters: Parameters, name: string, range: IntegerRange): number | undefined {
  const value = parameters.get(name);
  if (value === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(value)) throw invalid(`Invalid integer: ${value}`, name, 'parameter_invalid_integer');
  const number = Number(value);
  if (number < range.min)
    throw invalid(`This value must be greater than or equal to ${range.min}.`, name, 'parameter_invalid_integer');
  if (number > range.max)
    throw invalid(`This value must be less than or equal to ${range.max}.`, name, 'parameter_invalid_integer');
  return number;
}

export function readOneOf<Value extends string>(
  parameters: Parameters,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const value = parameters.get(name);
  if (value === undefined) return undefined;
  const known = values.find((one) => one === value);
  if (known === undefined) throw invalid(`Invalid ${name}: must be one of ${values.join(', ')}`, name);
  return known;
}

export function readUrl(parameters: Parameters, name: string): string | undefined {
  const value = parameters.get(name);
  if (value === undefined) return undefined;
  if (!/^https?:/.test(value) || !URL.canParse(value)) throw invalid('Not a valid URL', name, 'url_invalid');
  if (value.length > MAX_URL_CHARACTERS)
    throw invalid(`Invalid string: must be at most ${MAX_URL_CHARACTERS} characters`, name);
  return value;
}

/** Values of `name[0]`, `name[1]`, …, in their order. */
export function readList(parameters: Parameters, name: string): string[] {
  return [...parameters].flatMap(([full, value]) => (segmentsOf(full)[0] === name ? [value] : []));
}

/** Entries of `name[key]`; an empty value removes the key. */
export function readMetadata(parameters: Parameters, name: string, before: Metadata = {}): Metadata {
  const metadata = new Map(Object.entries(before));
  for (const [full, value] of parameters) {
    if (!full.startsWith(`${name}[`)) continue;
    const key = full.slice(name.length + 1, -1);
    if (key.length > MAX_METADATA_KEY_CHARACTERS)
      throw invalid(`Metadata keys can be at most ${MAX_METADATA_KEY_CHARACTERS} characters.`, full);
    if (value.length > MAX_METADATA_VALUE_CHARACTERS)
      throw invalid(`Metadata values can be at most ${MAX_METADATA_VALUE_CHARACTERS} characters.`, full);
    if (value === '') metadata.delete(key);
    else metadata.set(key, value);
  }
  if (metadata.size > MAX_METADATA_KEYS)
    throw invalid(`You can specify at most ${MAX_METADATA_KEYS} metadata keys.`, name);
  return Object.fromEntries(metadata);
}
