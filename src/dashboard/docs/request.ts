// One request of an operation: what the reader filled in, as samples show it and as try-it sends it.
import type { Operation, Parameter, Scheme } from './api-document.js';
import { exampleOf } from './schema.js';

export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty: none. */
  readonly body: string;
}

export interface RequestInput {
  /** An absent or empty parameter is not sent. */
  readonly values: ReadonlyMap<Parameter, string>;
  readonly body: string;
  /** API key, publishable key or access token. */
  readonly credential: string;
}

interface CredentialKind {
  readonly isSentBy: (scheme: Scheme) => boolean;
  readonly shape: RegExp;
  readonly placeholder: string;
}

/** The parameter that is the credential of a route. */
const KEY_IN_PATH = 'publishableKey';
const PUBLISHABLE_KEY: CredentialKind = {
  isSentBy: ({ in: place }) => place === 'query',
  shape: /^blzp_/,
  placeholder: 'blzp_…',
};
const KINDS: readonly CredentialKind[] = [
  PUBLISHABLE_KEY,
  { isSentBy: ({ in: place }) => place === 'header', shape: /^blz_/, placeholder: 'blz_…' },
  { isSentBy: ({ type }) => type === 'http', shape: /^ey/, placeholder: 'eyJ…' },
];

export function hasKeyInPath({ path }: Operation): boolean {
  return path.includes(`{${KEY_IN_PATH}}`);
}

/** Parameters that readers fill in; the key has a field of its own. */
export function fillable({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter(({ name }) => name !== KEY_IN_PATH);
}

/** Required parameters, and the first ones of those of which one is required, with their examples. */
export function initialInput(operation: Operation): RequestInput {
  const { requestBody, schemes, 'x-parameter-rules': rules = [] } = operation;
  const chosen = rules.map(({ exactlyOneOf = [], atLeastOneOf = [] }) => [...exactlyOneOf, ...atLeastOneOf][0]);
  const needed = fillable(operation).filter(({ name, required }) => required === true || chosen.includes(name));
  const kind = hasKeyInPath(operation)
    ? PUBLISHABLE_KEY
    : KINDS.find(({ isSentBy }) => schemes.slice(0, 1).some(isSentBy));
  return {
    values: new Map(needed.map((parameter) => [parameter, exampleText(parameter)])),
    body: requestBody?.required === true ? exampleBody(operation) : '',
    credential: kind?.placeholder ?? '',
  };
}

function exampleText({ example, schema }: Parameter): string {
  return String(example ?? exampleOf(schema));
}

/** Required fields; where none is, all. */
function exampleBody({ requestBody }: Operation): string {
  const schema = requestBody?.content['application/json']?.schema ?? {};
  return JSON.stringify(exampleOf(schema, { onlyRequired: (schema.required ?? []).length > 0 }), null, 2);
}

export function requestOf(operation: Operation, { values, body, credential }: RequestInput): ApiRequest {
  const inPlace = (place: Parameter['in']) =>
    operation.parameters.flatMap((parameter): [string, string][] => {
      const value = values.get(parameter) ?? '';
      return parameter.in === place && value !== '' ? [[parameter.name, value]] : [];
    });
  const inPath = new Map([[KEY_IN_PATH, credential], ...inPlace('path')]);
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (braces, name: string) => encoded(inPath.get(name) ?? '') || braces,
  );
  const sent = credentialFields(operation, credential);
  const query = [...inPlace('query'), ...sent.query].map((pair) => pair.map(encoded).join('=')).join('&');
  return {
    method: operation.method,
    url: `${location.origin}${path}${query === '' ? '' : `?${query}`}`,
    headers: {
      ...sent.headers,
      ...(body !== '' && { 'Content-Type': 'application/json' }),
      ...Object.fromEntries(inPlace('header')),
    },
    body,
  };
}

/** Commas and the ellipsis of placeholders stay legible. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%E2%80%A6', '…');
}

interface CredentialFields {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
}

/** By the shape of the credential; one of no known shape as the first kind that the operation takes. */
function credentialFields(operation: Operation, credential: string): CredentialFields {
  const none = { headers: {}, query: [] };
  const kind = KINDS.find(({ shape }) => shape.test(credential));
  const typed = operation.schemes.filter(({ in: place }) => place !== 'cookie');
  const scheme = typed.find((each) => kind?.isSentBy(each)) ?? typed[0];
  if (credential === '' || !scheme) return none;
  if (scheme.type === 'http') return { ...none, headers: { Authorization: `Bearer ${credential}` } };
  const { name = '' } = scheme;
  return scheme.in === 'query'
    ? { ...none, query: [[name, credential]] }
    : { ...none, headers: { [name]: credential } };
}
