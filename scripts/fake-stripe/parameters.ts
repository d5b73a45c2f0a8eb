// Form-encoded parameters of the Stripe API: `line_items[0][price]=…`.
import { invalid } from './errors.js';
import type { Metadata } from './objects.js';

/** By the name with its brackets. */
export type Parameters = ReadonlyMap<string, string>;

export const parseParameters = (...texts: readonly string[]): Parameters =>
  new Map(texts.flatMap((text) => [...new URLSearchParams(text)]));

/** `known`: names; of those that end in `[` whatever follows. Throws 400 `parameter_unknown`. */
export function assertKnown(parameters: Parameters, known: readonly string[]): void {
  for (const name of parameters.keys())
    if (!known.some((one) => name === one || (one.endsWith('[') && name.startsWith(one))))
      throw invalid(`Received unknown parameter: ${name}`, name, 'parameter_unknown');
}

export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined || value === '') throw invalid(`Missing required param: ${name}.`, name, 'parameter_missing');
  return value;
}

export function readBoolean(parameters: Parameters, name: string): boolean | undefined {
  const value = parameters.get(name);
  if (value !== undefined && value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${value}`, name);
  return value === undefined ? undefined : value === 'true';
}

export function readInteger(
  parameters: Parameters,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const value = parameters.get(name);
  if (value === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(value) || Number(value) < min || Number(value) > max)
    throw invalid(`Invalid integer: ${value}; from ${min} to ${max}`, name, 'parameter_invalid_integer');
  return Number(value);
}

export function readOneOf(parameters: Parameters, name: string, values: readonly string[]): string | undefined {
  const value = parameters.get(name);
  if (value !== undefined && !values.includes(value))
    throw invalid(`Invalid ${name}: must be one of ${values.join(', ')}`, name);
  return value;
}

export function readUrl(parameters: Parameters, name: string): string | undefined {
  const value = parameters.get(name);
  if (value !== undefined && (!/^https?:/.test(value) || !URL.canParse(value)))
    throw invalid('Not a valid URL', name, 'url_invalid');
  return value;
}

/** Entries of `name[key]`. */
export function readMetadata(parameters: Parameters, name: string): Metadata {
  return Object.fromEntries(
    [...parameters].flatMap(([full, value]) =>
      full.startsWith(`${name}[`) ? [[full.slice(name.length + 1, -1), value]] : [],
    ),
  );
}
