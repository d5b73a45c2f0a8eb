// Form-encoded parameters of the Stripe API: `line_items[0][price]=…`.
import { invalid, type Metadata } from './objects.js';

/** By the name with its brackets. */
export type Parameters = ReadonlyMap<string, string>;

/** `known`: names; one that ends in `[` allows whatever follows. Throws 400 `parameter_unknown`. */
export function readParameters(known: readonly string[], ...texts: readonly string[]): Parameters {
  const parameters = new Map(texts.flatMap((text) => [...new URLSearchParams(text)]));
  for (const param of parameters.keys())
    if (!known.some((one) => param === one || (one.endsWith('[') && param.startsWith(one))))
      throw invalid(`Received unknown parameter: ${param}`, { param, code: 'parameter_unknown' });
  return parameters;
}

export function required(parameters: Parameters, param: string): string {
  const value = parameters.get(param) ?? '';
  if (value === '') throw invalid(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });
  return value;
}

export function readOneOf<Value extends string>(
  parameters: Parameters,
  param: string,
  values: readonly Value[],
): Value | undefined {
  const given = parameters.get(param);
  const value = values.find((one) => one === given);
  if (value !== given) throw invalid(`Invalid ${param}: must be one of ${values.join(', ')}`, { param });
  return value;
}

/** Entries of `name[key]`. */
export function readMetadata(parameters: Parameters, name: string): Metadata {
  const own = [...parameters].filter(([full]) => full.startsWith(`${name}[`));
  return Object.fromEntries(own.map(([full, value]) => [full.slice(name.length + 1, -1), value]));
}
