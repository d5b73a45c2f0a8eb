// Builds the request of an operation from the reader's input, for the code samples and the dialog "Try it".
import type { Operation, Parameter, Scheme } from './api-document.js';
import { exampleOf } from './schema.js';

export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if there is no body. */
  readonly body: string;
  /** File that is sent in place of the text body. Its content is undefined if no file was chosen. */
  readonly file: { readonly name: string; readonly content: File | undefined } | undefined;
  /** The same request as a call of the typed client: the path as in the OpenAPI document, and its parameters. */
  readonly typed: {
    readonly path: string;
    readonly params: Readonly<Partial<Record<Parameter['in'], Readonly<Record<string, string | number>>>>>;
    readonly options: Readonly<Partial<Record<'key' | 'token', string>>>;
  };
}

export interface RequestInput {
  /** Absent and empty parameters are not sent. */
  readonly values: ReadonlyMap<Parameter, string>;
  readonly body: string;
  readonly file: File | undefined;
  /** API key, publishable key or access token. */
  readonly credential: string;
}

/** Name of the path parameter that contains the publishable key. */
const KEY_IN_PATH = 'publishableKey';
/**
 * Credentials by the place where they are sent. `query`: publishable key. `header`: API key. `bearer`: access token.
 */
const CREDENTIALS = {
  query: { shape: /^blzp_/, placeholder: 'blzp_…' },
  header: { shape: /^blz_/, placeholder: 'blz_…' },
  bearer: { shape: /^ey/, placeholder: 'eyJ…' },
};

/** Returns undefined for a cookie, which the browser sends by itself. */
function credentialOf({ type, in: place }: Scheme) {
  if (type === 'http') return CREDENTIALS.bearer;
  return place === 'query' || place === 'header' ? CREDENTIALS[place] : undefined;
}

export function hasKeyInPath({ path }: Operation): boolean {
  return path.includes(`{${KEY_IN_PATH}}`);
}

/** Returns the parameters that readers fill in. The key has its own field. */
export function fillable({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter(({ name }) => name !== KEY_IN_PATH);
}

/**
 * Returns the required parameters with their examples. If an operation requires one of several parameters, uses the
 * first of them.
 */
export function initialInput(operation: Operation): RequestInput {
  const { requestBody, schemes, 'x-parameter-rules': rules = [] } = operation;
  const chosen = rules.map(({ exactlyOneOf = [], atLeastOneOf = [] }) => [...exactlyOneOf, ...atLeastOneOf][0]);
  const needed = fillable(operation).filter(({ name, required }) => required === true || chosen.includes(name));
  const [scheme] = schemes;
  const kind = hasKeyInPath(operation) ? CREDENTIALS.query : scheme && credentialOf(scheme);
  return {
    values: new Map(needed.map((parameter) => [parameter, exampleText(parameter)])),
    body: requestBody?.required === true ? exampleBody(operation) : '',
    file: undefined,
    credential: kind?.placeholder ?? '',
  };
}

function exampleText({ example, schema }: Parameter): string {
  return String(example ?? exampleOf(schema));
}

/**
 * Returns the body of an operation: JSON with its schema, a text with its example, or a file. Undefined if it has no
 * body.
 */
export function bodyOf({ requestBody }: Operation) {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return undefined;
  const { schema, example } = media ?? {};
  const isJson = schema?.type !== 'string';
  return { type, schema: isJson ? schema : undefined, example, isFile: schema?.format === 'binary' };
}

/** Returns an example. For JSON, it has the required fields, or all fields if none is required. */
function exampleBody(operation: Operation): string {
  const { schema, example } = bodyOf(operation) ?? {};
  if (!schema) return typeof example === 'string' ? example : '';
  return JSON.stringify(exampleOf(schema, { onlyRequired: (schema.required ?? []).length > 0 }), null, 2);
}

export function requestOf(operation: Operation, { values, body, file, credential }: RequestInput): ApiRequest {
  const { type = '', isFile = false } = bodyOf(operation) ?? {};
  const given = operation.parameters.flatMap((parameter): Sent[] => {
    const value = values.get(parameter) ?? '';
    return value === '' ? [] : [{ place: parameter.in, name: parameter.name, value }];
  });
  const sent = [...given, ...sentCredential(operation, credential)];
  const inPlace = (place: Sent['place']) => sent.filter((each) => each.place === place);
  const inPath = new Map(inPlace('path').map(({ name, value }) => [name, encoded(value)]));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (braces, name: string) => inPath.get(name) ?? braces);
  const query = inPlace('query').map(({ name, value }) => `${encoded(name)}=${encoded(value)}`);
  return {
    method: operation.method,
    url: `${location.origin}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers: {
      ...Object.fromEntries(inPlace('header').map(({ name, value }) => [name, value])),
      ...((body !== '' || isFile) && { 'Content-Type': type }),
    },
    body,
    file: isFile ? { name: file?.name ?? `upload.${type.split('/')[1] ?? ''}`, content: file } : undefined,
    typed: typedRequest(operation, sent),
  };
}

/**
 * Returns the request for the typed client. The credential is an option of the client, regardless of where the request
 * sends the credential.
 */
function typedRequest({ path, parameters }: Operation, sent: readonly Sent[]): ApiRequest['typed'] {
  const params: Partial<Record<Parameter['in'], Record<string, string | number>>> = {};
  const options: { key?: string; token?: string } = {};
  for (const { place, name, value } of sent) {
    const parameter = parameters.find((each) => each.in === place && each.name === name);
    if (!parameter) options[name === 'Authorization' ? 'token' : 'key'] = value.replace(/^Bearer /, '');
    else (params[place] ??= {})[name] = isNumeric(parameter) ? Number(value) : value;
  }
  return { path, params, options };
}

function isNumeric({ schema: { type, enum: listed } }: Parameter): boolean {
  return type === 'integer' || typeof listed?.[0] === 'number';
}

/** Percent-encodes the text, but keeps commas and the ellipsis of placeholders readable. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%E2%80%A6', '…');
}

interface Sent {
  readonly place: Parameter['in'];
  readonly name: string;
  readonly value: string;
}

/**
 * Returns how the credential is sent. The format of a credential shows its kind. A credential of unknown format is sent
 * as the first kind that the operation accepts.
 */
function sentCredential(operation: Operation, credential: string): readonly Sent[] {
  if (credential === '') return [];
  if (hasKeyInPath(operation)) return [{ place: 'path', name: KEY_IN_PATH, value: credential }];
  const typed = operation.schemes.filter((each) => credentialOf(each));
  const scheme = typed.find((each) => credentialOf(each)?.shape.test(credential)) ?? typed[0];
  if (!scheme) return [];
  if (scheme.type === 'http') return [{ place: 'header', name: 'Authorization', value: `Bearer ${credential}` }];
  return [{ place: scheme.in === 'query' ? 'query' : 'header', name: scheme.name ?? '', value: credential }];
}
