// Request draft for one operation: valid at first, made from the document, then mutated.
import fc from 'fast-check';
import { placeholder, percentEncoded, utf8Bytes, type Case, type Message, type Role } from './case.js';
import type { Operation } from './document.js';
import { encodedParameter, goodJson, goodText } from './values.js';

export interface Draft {
  readonly operation: Operation;
  readonly role: Role;
  readonly method: string;
  /** Encoded. */
  readonly path: string;
  /** Encoded parameters, as they stand between `&`. */
  readonly query: readonly string[];
  /** Authentication. */
  readonly credentials: readonly string[];
  readonly fields: readonly string[];
  /** Names and JSON texts of the body's fields. */
  readonly bodyFields: readonly (readonly [string, string])[];
  /** In place of what `bodyFields` give. */
  readonly body?: string;
  readonly contentType: string | null;
  /** Present when the length is not that of the body. */
  readonly framing?: readonly string[];
  readonly mustReject: boolean;
}

export type Mutation = (draft: Draft) => Draft;

export const CREDENTIAL_FIELDS: Readonly<Record<string, string>> = {
  apiKey: `X-API-Key: ${placeholder('key')}`,
  bearer: `Authorization: Bearer ${placeholder('token')}`,
  session: `Cookie: ${placeholder('session')}`,
};

/** Values that a document cannot give. */
const OWN_VALUES: Readonly<Record<string, string>> = {
  email: placeholder('email'),
  password: placeholder('password'),
  currentPassword: placeholder('password'),
};

export function goodDraft(operation: Operation, origin: string): fc.Arbitrary<Draft> {
  return fc
    .record({
      role: rolesOf(operation),
      path: fc.tuple(
        ...operation.parameters
          .filter((one) => one.in === 'path')
          .map(({ name, schema }) => goodText(schema).map((value) => [name, value] as const)),
      ),
      query: goodQuery(operation),
      credentials: fc.constantFrom(
        ...(operation.security.length === 0
          ? [[]]
          : schemesOf(operation).map((name) => credentialFields(name, origin))),
      ),
      bodyFields: goodBody(operation),
    })
    .map(({ role, path, query, credentials, bodyFields }) => ({
      operation,
      role,
      method: operation.method,
      path: path.reduce((text, [name, value]) => text.replace(`{${name}}`, percentEncoded(value)), operation.path),
      query,
      credentials,
      fields: [],
      bodyFields,
      contentType: operation.body ? 'application/json' : null,
      mustReject: false,
    }));
}

/** A publishable key is a parameter, which goes where an API key in the header goes. */
function schemesOf({ security }: Operation): readonly string[] {
  return security.filter((name) => name !== 'publishableKey');
}

function credentialFields(name: string, origin: string): readonly string[] {
  const field = CREDENTIAL_FIELDS[name];
  if (field === undefined) throw new Error(`no credential is known for the security scheme ${name}`);
  return name === 'session' ? [field, `Origin: ${origin}`] : [field];
}

/** What changes an account is done to one that can be replaced. */
function rolesOf({ method, security }: Operation): fc.Arbitrary<Role> {
  if (security.includes('apiKey')) return fc.constantFrom<Role>('steady', 'steady', 'steady', 'steady', 'free');
  return fc.constant(method === 'GET' ? 'steady' : 'expendable');
}

function goodQuery({ parameters }: Operation): fc.Arbitrary<readonly string[]> {
  const known = parameters.filter((one) => one.in === 'query');
  if (known.length === 0) return fc.constant([]);
  return fc
    .subarray(known, { maxLength: Math.min(3, known.length) })
    .chain((chosen) =>
      fc.tuple(...chosen.map(({ name, schema }) => goodText(schema).map((value) => encodedParameter(name, value)))),
    );
}

function goodBody({ body, path }: Operation): fc.Arbitrary<readonly (readonly [string, string])[]> {
  const fields = Object.entries(body?.properties ?? {});
  return fc.tuple(
    ...fields.map(([name, schema]) => {
      const own = OWN_VALUES[name];
      if (own !== undefined && path !== '/auth/register') return fc.constant([name, `"${own}"`] as const);
      if (name === 'email') return fc.nat().map((number) => [name, `"new-${number}@fuzz.example"`] as const);
      return goodJson(schema).map((text) => [name, text] as const);
    }),
  );
}

export const bodyText = ({ bodyFields }: Draft) =>
  `{${bodyFields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

export function caseOf(draft: Draft, { kind, client }: { readonly kind: string; readonly client: string }): Case {
  const { operation, role, method, framing, mustReject } = draft;
  const isSameMethod = method === operation.method || (method === 'HEAD' && operation.method === 'GET');
  return {
    kind,
    operation: operation.id,
    // An answer that comes after the end of its request may be lost, and its count with it.
    role: framing !== undefined && role !== 'expendable' ? 'leaver' : role,
    messages: [messageOf(draft, client)],
    ending: framing === undefined ? 'read' : 'nudge',
    // With a framing of its own, what was wrong may not have arrived.
    ...(mustReject && isSameMethod && framing === undefined && { mustReject }),
  };
}

/** A `X-Forwarded-For` of its own makes each request another client's, as far as limits by address go. */
function messageOf(draft: Draft, client: string): Message {
  const { operation, method, path, query, credentials, fields, contentType, framing } = draft;
  const body = utf8Bytes(draft.body ?? (draft.bodyFields.length > 0 ? bodyText(draft) : ''));
  const hasBody = body !== '' || draft.body !== undefined || operation.body !== undefined;
  const media = contentType === null ? [] : [`Content-Type: ${contentType}`];
  const describing = hasBody ? [...media, ...(framing ?? ['Content-Length: auto'])] : (framing ?? []);
  return {
    line: `${method} ${path}${query.length > 0 ? `?${query.join('&')}` : ''} HTTP/1.1`,
    fields: [
      'Host: localhost',
      'Connection: close',
      `X-Forwarded-For: ${client}`,
      ...credentials,
      ...describing,
      ...fields,
    ].map(utf8Bytes),
    body,
  };
}
