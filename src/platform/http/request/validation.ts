// Validation of input by a route's schemas. An error with status 400 names every invalid field.
import { z } from 'zod';
import { invalidField, invalidFields, type ErrorDetail } from '../../errors.js';

type Fields = Record<string, unknown>;

/** Maximum number of query parameters, more than any route has. */
const MAX_PARAMETERS = 100;
/**
 * Query parameters in which people send an API key or a token. They are rejected, because proxies and browsers store
 * URLs.
 */
const KEY_NAMES = new Set(['api_key', 'apikey', 'api-key', 'x-api-key', 'key']);
const TOKEN_NAMES = new Set(['token', 'access_token']);
const KEY_SHAPE = /^blz_[0-9A-Za-z]{20,}/i;
/**
 * Prefix of an API key. Unlike `KEY_SHAPE`, this pattern also matches an incomplete API key. A parameter `key` with an
 * incomplete API key must be rejected.
 */
const KEY_PREFIX = /^blz_/i;
/** Query parameter with a publishable key. */
export const PUBLISHABLE_PARAMETER = 'key';
const KEY_IN_URL =
  'secret keys are not allowed in URLs; send the key in the X-API-Key header, or create a publishable key ' +
  '(blzp_…) for pictures in pages';
const TOKEN_IN_URL = 'tokens are not allowed in URLs; send the access token in the Authorization header';

/**
 * Throws if the query has an API key, a token or too many parameters. Runs before all other checks. A parameter `key`
 * without the prefix of API keys is accepted, because it may be a publishable key (`publishableKeyIn`).
 */
export function rejectKeyInQuery(search: string): void {
  if (search === '') return;
  rejectMany(search);
  for (const [name, value] of new URLSearchParams(search)) {
    if (name === PUBLISHABLE_PARAMETER && !KEY_PREFIX.test(value)) continue;
    if (KEY_NAMES.has(name.toLowerCase()) || KEY_SHAPE.test(value)) {
      throw invalidField(KEY_SHAPE.test(name) ? 'query' : name, KEY_IN_URL);
    }
    if (TOKEN_NAMES.has(name.toLowerCase())) throw invalidField(name, TOKEN_IN_URL);
  }
}

/**
 * Throws if the query has an API key of this service or too many parameters. Used for routes that imitate another
 * service's API, and for mailed links with a token. Other credentials are accepted there, even under parameter names
 * that `rejectKeyInQuery` rejects.
 */
export function rejectOwnKeyInQuery(search: string): void {
  if (search === '') return;
  rejectMany(search);
  for (const [name, value] of new URLSearchParams(search)) {
    if (KEY_SHAPE.test(value)) throw invalidField(KEY_SHAPE.test(name) ? 'query' : name, KEY_IN_URL);
  }
}

function rejectMany(search: string): void {
  if (search.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS)
    throw invalidField('query', `more than ${MAX_PARAMETERS} parameters`);
}

/**
 * Returns the publishable key in the query string, or undefined. If there are several, returns the first one.
 * `readQuery` later rejects a request with several.
 */
export function publishableKeyIn(search: string): string | undefined {
  if (!search.includes(PUBLISHABLE_PARAMETER) && !search.includes('%')) return undefined;
  return new URLSearchParams(search).get(PUBLISHABLE_PARAMETER) ?? undefined;
}

/**
 * Returns the query parameters. Throws an error with status 400 for a parameter that is not in `allowed`, is repeated,
 * or is badly encoded.
 */
export function readQuery(search: string, allowed: readonly string[]): Fields {
  const fields: Fields = Object.create(null) as Fields;
  if (search === '') return fields;
  assertQueryDecodable(search, allowed);
  for (const [name, value] of new URLSearchParams(search)) {
    if (name in fields) throw invalidField(name, 'given more than once', allowed);
    fields[name] = value;
  }
  return fields;
}

/** Returns the first value of each of these parameters, decoded as browsers do. Ignores other parameters. */
export function readFirstOf(search: string, names: readonly string[]): Fields {
  const fields: Fields = Object.create(null) as Fields;
  for (const [name, value] of new URLSearchParams(search)) {
    if (names.includes(name) && !(name in fields)) fields[name] = value;
  }
  return fields;
}

/**
 * Returns the path parameters, which the router has decoded. Throws an error with status 400 for a parameter that could
 * not be decoded.
 */
export function readPath(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(params)) {
    assertDecodable(name, value);
    if (KEY_SHAPE.test(value)) throw invalidField(name, KEY_IN_URL);
  }
  return params;
}

function assertQueryDecodable(search: string, names: readonly string[]): void {
  if (!search.includes('%')) return;
  for (const pair of search.split('&')) {
    const [name = ''] = pair.split('=', 1);
    assertDecodable(names.includes(name) ? name : 'query', pair);
  }
}

/**
 * Throws for a `%` that does not start an escape, and for escapes that are not UTF-8. Without this check, both would be
 * accepted silently.
 */
function assertDecodable(field: string, text: string): void {
  if (!text.includes('%')) return;
  try {
    decodeURIComponent(text);
  } catch {
    throw invalidField(field, 'not valid percent-encoded UTF-8');
  }
}

/** Parses `input` with a strict object schema. `noun`: what messages call a field ("parameter", "field"). */
export function parse<Schema extends z.ZodObject>(schema: Schema, input: unknown, noun: string): z.output<Schema> {
  rejectLongLists(schema, input);
  const result = schema.safeParse(input, { reportInput: false });
  if (result.success) return result.data;
  throw invalidFields(result.error.issues.flatMap((issue) => describe(schema, issue, noun)));
}

/** Throws for a list that is too long. Zod would check the length only after it has checked all items. */
function rejectLongLists(schema: z.ZodObject, input: unknown): void {
  if (typeof input !== 'object' || input === null) return;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  for (const [name, value] of Object.entries(input)) {
    if (!Array.isArray(value) || !Object.hasOwn(shape, name)) continue;
    const max = maxItems(shape[name]);
    if (max !== undefined && value.length > max)
      throw invalidField(name, `more than ${max} items`, allowedText(shape[name]));
  }
}

function maxItems(schema: z.core.$ZodType | undefined): number | undefined {
  const list = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (!(list instanceof z.ZodArray)) return undefined;
  return list.def.checks?.find((check) => check instanceof z.core.$ZodCheckMaxLength)?._zod.def.maximum;
}

function describe(schema: z.ZodObject, issue: z.core.$ZodIssue, noun: string): ErrorDetail[] {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    const allowed = Object.keys(schema.shape);
    return issue.keys.map((field) => ({ field, reason: `unknown ${noun}`, allowed }));
  }
  const [head] = issue.path;
  // A problem without a field means that the whole input is not an object. Only a body can cause this, because other
  // inputs are always objects.
  if (head === undefined)
    return [{ field: 'body', reason: 'must be a JSON object', allowed: Object.keys(schema.shape) }];
  const fields: Readonly<Record<string, z.core.$ZodType | undefined>> = schema.shape;
  const ofRule = issue.code === 'custom' ? namesOf(issue.params?.allowed) : undefined;
  const allowed = ofRule ?? allowedText(fields[String(head)]);
  const detail = { field: issue.path.join('.'), reason: issue.message };
  return [allowed === undefined ? detail : { ...detail, allowed }];
}

/** Returns the allowed values from the schema's metadata, which `query-parameter.ts` writes. */
function allowedText(schema: z.core.$ZodType | undefined): readonly string[] | string | undefined {
  if (schema === undefined) return undefined;
  const allowed =
    'meta' in schema && typeof schema.meta === 'function' ? (schema as z.ZodType).meta()?.allowed : undefined;
  if (allowed === undefined && (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable))
    return allowedText(schema.unwrap());
  return typeof allowed === 'string' ? allowed : namesOf(allowed);
}

function namesOf(allowed: unknown): readonly string[] | undefined {
  return Array.isArray(allowed) ? allowed.map(String) : undefined;
}
