// Mutations of requests that are meant for an operation: parameters, bodies, methods, credentials, header fields.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { CREDENTIALS, placeholder, percentEncoded, type Forgery } from './case.js';
import type { Operation } from './document.js';
import { bodyText, CREDENTIAL_FIELDS, type Draft, type Mutation } from './draft.js';
import { fieldMutation } from './field-mutations.js';
import {
  badJson,
  badText,
  encodedParameter,
  hostileEncoding,
  hostileText,
  jsonText,
  objectName,
  repeated,
  strayCredential,
} from './values.js';

const FORGERIES: readonly Forgery[] = ['replace', 'delete', 'insert', 'double', 'truncate', 'flip-case'];
/** Signing out with a session that has ended is no error. */
const SIGN_OUT = '/auth/logout';

type Named = readonly [name: string, weight: number, mutation: fc.Arbitrary<Mutation> | undefined];

/** By name, for the kinds of cases. */
export function mutationsOf(
  operation: Operation,
): { readonly name: string; readonly weight: number; readonly mutation: fc.Arbitrary<Mutation> }[] {
  const list: readonly Named[] = [
    ['parameter', 6, parameterMutation(operation)],
    ['unknown parameter', 2, unknownParameter(operation)],
    ['path', 3, pathMutation(operation)],
    ['body field', 6, bodyFieldMutation(operation)],
    ['body', 4, wholeBodyMutation(operation)],
    ['media type', 2, mediaTypeMutation(operation)],
    ['body on a request without one', 1, strayBody(operation)],
    ['method', 2, methodMutation],
    ['forged credential', 4, operation.security.length === 0 ? undefined : forgedCredential(operation)],
    [
      'ended credential',
      1,
      operation.security.length === 0 || operation.path === SIGN_OUT
        ? undefined
        : fc.constant((draft) => ({ ...draft, role: 'ended', mustReject: true })),
    ],
    ['swapped credential', 2, swappedCredential],
    ['header field', 5, fieldMutation],
  ];
  return list.flatMap(([name, weight, mutation]) => (mutation ? [{ name, weight, mutation }] : []));
}

// What replaces a value also replaces what was wrong with it.
const withQuery = (draft: Draft, query: readonly string[], isWrong: boolean): Draft => ({
  ...draft,
  query,
  mustReject: draft.mustReject || isWrong,
});

function parameterMutation({ parameters, isPage }: Operation): fc.Arbitrary<Mutation> | undefined {
  const known = parameters.filter((one) => one.in === 'query');
  if (known.length === 0 || isPage) return undefined;
  return fc.constantFrom(...known).chain(({ name, schema }) => {
    const bad = badText(schema);
    const replace =
      (value: string, isWrong: boolean): Mutation =>
      (draft) => ({
        ...draft,
        query: [...draft.query.filter((one) => !one.startsWith(`${name}=`)), `${name}=${value}`],
        mustReject: isWrong,
      });
    return fc.oneof(
      hostileText.map((value) => replace(percentEncoded(value), false)),
      hostileEncoding.map((value) => replace(value, false)),
      ...(bad ? [bad.map((value) => replace(percentEncoded(value), true))] : []),
      fc.constantFrom('a', '1', '').map(
        (value): Mutation =>
          (draft) =>
            withQuery(draft, [...draft.query, `${name}=${value}`, `${name}=${value}`], true),
      ),
      fc
        .constantFrom(
          `${name}[]=1`,
          `${name}[a]=1`,
          `${name}.a=1`,
          `${name.toUpperCase()}=1`,
          `%20${name}=1`,
          `${name};a=1`,
        )
        .map(
          (one): Mutation =>
            (draft) =>
              withQuery(draft, [...draft.query, one], true),
        ),
    );
  });
}

function unknownParameter({ isPage }: Operation): fc.Arbitrary<Mutation> {
  return fc.oneof(
    fc
      .tuple(
        fc.oneof(
          objectName,
          hostileText.filter((text) => text !== ''),
        ),
        hostileText,
      )
      .map(
        ([name, value]): Mutation =>
          (draft) =>
            withQuery(draft, [...draft.query, encodedParameter(name, value)], !isPage),
      ),
    fc.integer({ min: 2, max: 3500 }).map(
      (count): Mutation =>
        (draft) =>
          withQuery(draft, [...draft.query, ...Array.from({ length: count }, (_, index) => `x${index}`)], !isPage),
    ),
    fc.integer({ min: 10, max: 5000 }).map(
      (count): Mutation =>
        (draft) =>
          withQuery(draft, [...draft.query, repeated('&', count)], false),
    ),
    fc.constantFrom('key', 'api_key', 'apikey', 'X-API-Key', 'token', 'access_token').chain((name) =>
      strayCredential.map(
        (value): Mutation =>
          (draft) =>
            withQuery(draft, [...draft.query, `${name}=${value}`], !isPage),
      ),
    ),
    strayCredential.map(
      (value): Mutation =>
        (draft) =>
          withQuery(draft, [...draft.query, `${value}=1`], !isPage),
    ),
    fc.constantFrom('=', '=x', 'a=b=c', '%', '%zz=1', '?', '??a=1').map(
      (one): Mutation =>
        (draft) =>
          withQuery(draft, [...draft.query, one], false),
    ),
  );
}

function pathMutation({ path, parameters }: Operation): fc.Arbitrary<Mutation> {
  const names = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const shapes = [
    `${path}/`,
    `/${path}`,
    path.toUpperCase(),
    `${path}/..`,
    `/.${path}`,
    path.replace('/', '/%2f'),
    `${path}%00`,
    `${path}.json`,
    path.replaceAll('/', '//'),
  ];
  const other = fc
    .constantFrom(...shapes)
    .map((shape): Mutation => (draft) => ({ ...draft, path: shape.replaceAll(/\{\w+\}/g, 'github') }));
  if (names.length === 0) return other;
  const value = fc.oneof(hostileText.map(percentEncoded), hostileEncoding, objectName);
  const parameter = fc.tuple(fc.constantFrom(...names), value).map(([name, text]): Mutation => (draft) => ({
    ...draft,
    path: path.replace(`{${name}}`, text).replaceAll(/\{\w+\}/g, 'github'),
  }));
  return fc.oneof({ weight: 3, arbitrary: parameter }, { weight: 1, arbitrary: other });
}

/** Of no effect on a body that is no longer made of its fields. */
function withFields(draft: Draft, bodyFields: Draft['bodyFields'], isWrong: boolean): Draft {
  return draft.body === undefined ? { ...draft, bodyFields, mustReject: draft.mustReject || isWrong } : draft;
}

function bodyFieldMutation({ body }: Operation): fc.Arbitrary<Mutation> | undefined {
  if (!body) return undefined;
  const known = Object.entries(body.properties ?? {});
  const unknown = fc.oneof(
    fc.tuple(fc.oneof(objectName, hostileText), jsonText).map(
      ([name, json]): Mutation =>
        (draft) =>
          withFields(draft, [...draft.bodyFields, [name, json]], true),
    ),
    fc.integer({ min: 2, max: 7000 }).map(
      (count): Mutation =>
        (draft) =>
          withFields(
            draft,
            [...draft.bodyFields, ...Array.from({ length: count }, (_, index) => [`x${index}`, '0'] as const)],
            true,
          ),
    ),
  );
  if (known.length === 0) return unknown;
  return fc.oneof(
    unknown,
    fc.constantFrom(...known).chain(([name, schema]) => {
      const replace =
        (json: string, isWrong: boolean): Mutation =>
        (draft) =>
          withFields(
            { ...draft, mustReject: false },
            draft.bodyFields.map((field) => (field[0] === name ? [name, json] : field)),
            isWrong,
          );
      const isRequired = body.required?.includes(name) === true;
      return fc.oneof(
        badJson(schema).map((json) => replace(json, true)),
        jsonText.map((json) => replace(json, false)),
        fc.constant<Mutation>((draft) =>
          withFields(
            draft,
            draft.bodyFields.filter((field) => field[0] !== name),
            isRequired,
          ),
        ),
        fc.constantFrom(2, 3, 2000).map(
          (times): Mutation =>
            (draft) =>
              withFields(
                draft,
                [...draft.bodyFields, ...Array.from({ length: times }, () => [name, '"twice"'] as const)],
                true,
              ),
        ),
      );
    }),
  );
}

function wholeBodyMutation({ body }: Operation): fc.Arbitrary<Mutation> | undefined {
  if (!body) return undefined;
  const replace =
    (text: string): Mutation =>
    (draft) => ({ ...draft, body: text, mustReject: false });
  const change =
    (edit: (text: string) => string): Mutation =>
    (draft) => ({ ...draft, body: edit(draft.body ?? bodyText(draft)), mustReject: false });
  const edits: readonly Mutation[] = [
    change((text) => text.slice(0, -1)),
    change((text) => `${text}}`),
    change((text) => `\ufeff${text}`),
    change((text) => text.replaceAll('"', "'")),
    change((text) => text.replace('}', ',}')),
    change((text) => `/**/${text}`),
    change((text) => `[${text}]`),
    change((text) => text + repeated(' ', 70_000)),
    change((text) => repeated(' ', 65_000) + text),
    change((text) => [...text].join('\0')),
    replace(''),
    replace('{"a":NaN}'),
    replace('undefined'),
    replace(`"${repeated('x', 65_533)}"`),
    replace(repeated('{', 65_000)),
    replace(repeated('x', 300_000)),
  ];
  const bytes = fc.uint8Array({ maxLength: 60 }).map((list) => Buffer.from(list).toString('latin1'));
  return fc.oneof(
    { weight: 2, arbitrary: jsonText.map(replace) },
    { weight: 3, arbitrary: fc.constantFrom(...edits) },
    { weight: 1, arbitrary: bytes.map(replace) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom('\\', '"', '\xff', '\0', '\n', '{', ','))
        .map(([share, text]) =>
          change((whole) => whole.slice(0, share * whole.length) + text + whole.slice(share * whole.length)),
        ),
    },
  );
}

const MEDIA_TYPES = [
  '',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json-patch+json',
  'application/json, text/plain',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset=',
  'application/json; charset="',
  'APPLICATION/JSON',
  'application/json;;;',
  'application/\xe9',
  '*/*',
  'json',
  `application/json; a=${repeated('b', 3000)}`,
];

const BOMB = gzipSync(repeated(' ', 1_000_000));

function mediaTypeMutation({ body }: Operation): fc.Arbitrary<Mutation> | undefined {
  if (!body) return undefined;
  const compressed =
    (name: string, compress: (text: string) => Buffer): Mutation =>
    (draft) => ({
      ...draft,
      mustReject: false,
      body: compress(bodyText(draft)).toString('latin1'),
      fields: [...draft.fields, `Content-Encoding: ${name}`],
    });
  return fc.oneof(
    fc.constantFrom(...MEDIA_TYPES).map((contentType): Mutation => (draft) => ({ ...draft, contentType })),
    fc.constant<Mutation>((draft) => ({ ...draft, contentType: null })),
    fc.constant<Mutation>((draft) => ({ ...draft, fields: [...draft.fields, 'Content-Type: text/plain'] })),
    fc
      .constantFrom('identity', 'gzip', 'br', 'deflate, gzip', 'x', '')
      .map((name): Mutation => (draft) => ({ ...draft, fields: [...draft.fields, `Content-Encoding: ${name}`] })),
    fc.constantFrom(
      compressed('gzip', gzipSync),
      compressed('br', brotliCompressSync),
      compressed('gzip', () => BOMB),
    ),
  );
}

function strayBody({ body }: Operation): fc.Arbitrary<Mutation> | undefined {
  if (body) return undefined;
  return fc
    .tuple(
      fc.oneof(jsonText, fc.constantFrom('', '{}', 'x', repeated('x', 200_000))),
      fc.constantFrom('application/json', 'text/plain', null),
    )
    .map(([text, contentType]): Mutation => (draft) => ({ ...draft, body: text, contentType }));
}

const methodMutation = fc
  .constantFrom(
    'HEAD',
    'HEAD',
    'HEAD',
    'GET',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'SEARCH',
    'QUERY',
    'get',
    'Get',
    'M-SEARCH',
    'FOO',
    'G\xe9T',
    'LINK',
    'PURGE',
  )
  .map((method): Mutation => (draft) => ({ ...draft, method }));

function forgedCredential({ security, path }: Operation): fc.Arbitrary<Mutation> {
  return fc
    .tuple(
      fc.constantFrom(...security),
      fc.constantFrom(...FORGERIES),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    )
    .map(([scheme, forgery, share]): Mutation => (draft) => {
      const field = (CREDENTIAL_FIELDS[scheme] ?? '').replace('\ue001', `:${forgery}:${share}\ue001`);
      const others = draft.credentials.filter((one) => one.startsWith('Origin'));
      return { ...draft, credentials: [field, ...others], mustReject: path !== SIGN_OUT };
    });
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const CLAIMS = {
  iss: 'blazon',
  aud: 'blazon',
  sub: '000000000000',
  sid: 'x',
  iat: 1_700_000_000,
  exp: 4_000_000_000,
  jti: 'x',
};
const UNSIGNED = [
  { alg: 'none' },
  { alg: 'None', typ: 'JWT' },
  { alg: 'HS256', kid: '../../jwt-secret' },
  { alg: 'RS256', jku: 'http://127.0.0.1/' },
  { alg: 'HS512' },
].flatMap((head) => [`${part(head)}.${part(CLAIMS)}.`, `${part(head)}.${part(CLAIMS)}.${repeated('A', 43)}`]);

const swappedCredential: fc.Arbitrary<Mutation> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...CREDENTIALS),
      fc.constantFrom(
        'X-API-Key: ',
        'Authorization: Bearer ',
        'Authorization: Basic ',
        'Authorization: ',
        'Cookie: blazon_session=',
        'Cookie: ',
      ),
    )
    .map(([name, field]): Mutation => (draft) => ({
      ...draft,
      credentials: [field + placeholder(name)],
      mustReject: false,
    })),
  fc.constantFrom(...UNSIGNED).map((token): Mutation => (draft) => ({
    ...draft,
    credentials: [`Authorization: Bearer ${token}`],
    mustReject: draft.operation.security.length > 0,
  })),
  fc
    .constantFrom(...Object.values(CREDENTIAL_FIELDS))
    .map((field): Mutation => (draft) => ({ ...draft, credentials: [...draft.credentials, field], mustReject: false })),
  fc.constant<Mutation>((draft) => ({ ...draft, credentials: [], mustReject: draft.operation.security.length > 0 })),
);
