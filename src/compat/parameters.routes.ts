// Query parameters in URLs of other services. As in these services, invalid values are clamped or ignored.
import { parseAnyHost, parseHost } from '../platform/web/host-name.js';
import { parameter, type Parameter, type ParameterText } from '../platform/web/query-parameter.js';
import type { DomainParameter } from '../pictures/logo.routes.js';

const ANY_TEXT = { type: 'string' } as const;

/**
 * Creates a parameter that reads the whole number at the start of a text. Replaces a number outside the limits by the
 * nearest limit. Ignores a text that doesn't start with a number.
 */
export function clampedParameter({
  min,
  max,
  description,
  ...text
}: ParameterText & { readonly min: number; readonly max: number }): Parameter<number | undefined> {
  return parameter<number | undefined>({
    ...text,
    description: `${description} ${min} to ${max}; values outside this range are set to the nearest limit.`,
    allowed: `${min}..${max}`,
    schema: ANY_TEXT,
    read: (given) => ({ ok: true, value: clamped(given, { min, max }) }),
  });
}

export function clamped(
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? undefined : Math.min(max, Math.max(min, value));
}

/** Creates a parameter with one of these words as its value, case-insensitive. Other words are ignored. */
export function wordParameter<Value>(
  words: Readonly<Record<string, Value>>,
  text: ParameterText,
): Parameter<Value | undefined> {
  const values = new Map(Object.entries(words));
  return parameter<Value | undefined>({
    ...text,
    allowed: [...values.keys()],
    schema: ANY_TEXT,
    read: (given) => ({ ok: true, value: values.get(given.toLowerCase()) }),
  });
}

/** Creates a parameter that the values `true` and `1` switch on. */
export function switchParameter(description: string): Parameter<1 | undefined> {
  return wordParameter<1>({ true: 1, 1: 1 }, { description, example: 'true' });
}

/** Website to which a URL refers. */
export interface Site {
  readonly text: string;
  /** Host of the website. Undefined if the text contains no host that a brand could own. */
  readonly domain?: DomainParameter;
}

export function siteParameter(text: ParameterText): Parameter<Site> {
  return parameter<Site>({
    ...text,
    allowed: 'a host or a URL',
    schema: ANY_TEXT,
    read: (given) => ({ ok: true, value: siteOf(given) }),
  });
}

export function siteOf(text: string): Site {
  const outcome = parseHost(text);
  const host = outcome.kind === 'host' ? outcome : outcome.suffix;
  const anyHost = parseAnyHost(text);
  return { text, ...((host ?? anyHost) !== undefined && { domain: { anyHost, host } }) };
}
