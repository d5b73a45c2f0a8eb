// Parameters of other services' addresses: what they would not take is clamped or left out, as there.
import { parseAnyHost, parseHost } from '../platform/web/host-name.js';
import { parameter, type Parameter, type ParameterText } from '../platform/web/query-parameter.js';
import type { DomainParameter } from '../pictures/logo.routes.js';

const ANY_TEXT = { type: 'string' } as const;

/** A whole number at the beginning of the text; beyond a limit it becomes that limit, and without one it is left out. */
export function clampedParameter({
  min,
  max,
  description,
  ...text
}: ParameterText & { readonly min: number; readonly max: number }): Parameter<number | undefined> {
  return parameter<number | undefined>({
    ...text,
    description: `${description} ${min} to ${max}: what is beyond becomes the nearest.`,
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

/** One of the words, in any case; any other is left out. */
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

/** `true` or `1`. */
export function switchParameter(description: string): Parameter<1 | undefined> {
  return wordParameter<1>({ true: 1, 1: 1 }, { description, example: 'true' });
}

/** A site as an address names it. */
export interface Site {
  readonly text: string;
  /** Undefined: it has no host that could be a brand's. */
  readonly domain?: DomainParameter;
}

/** A host, or a URL of one. */
export function siteParameter(text: ParameterText): Parameter<Site> {
  return parameter<Site>({
    ...text,
    allowed: 'a host, or a URL of one',
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
