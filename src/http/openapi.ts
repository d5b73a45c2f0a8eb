// The OpenAPI 3.1 document, made of the route list.
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { ERRORS, type ErrorCode } from '../errors.js';
import { cookieNames } from './auth/cookies.js';
import { MAX_DETAILS } from './response/error-body.js';
import { codesByStatus } from './response/reply.js';
import { isMetered, type ResponseDoc, type Route } from './route.js';

interface DocumentOptions {
  readonly routes: readonly Route[];
  readonly version: string;
  readonly publicUrl: string;
}

const INTRODUCTION = `Every brand's logo as SVG, PNG or WebP, its metadata, search, lookup by domain and batch lookup.

1. \`POST /auth/register\` gives you an API key. It is shown once.
2. Send it as \`X-API-Key\` with every request under \`/v1\`.
3. \`POST /auth/login\` gives you an access token for the routes under \`/auth\`; send it as \`Authorization: Bearer\`.
4. Requests are counted per UTC day and bucket; \`RateLimit\` says how many are left, \`GET /v1/usage\` shows them all.

Parameters and fields that are not known are refused, and so is a body where none is taken, so that nothing that was asked for
is silently left out. Pages for people, such as \`/docs\` and what mailed links lead to, ignore their query instead,
because trackers add to it; only a key or a token in an address is refused everywhere.

Errors are JSON of at most 8 KB: \`error\` is a code for programs, \`message\` a sentence for people, \`details\` names wrong
fields, the first ten of them; what is allowed stands with the first field for which it is.
\`HEAD\` works wherever \`GET\` does. A 304, a \`HEAD\` or an error is not counted, with one
exception: a picture whose drawing exceeded its time limit (422), because the work was done.`;

/** In the order of the reference. */
const TAGS = {
  Images: 'One grammar for three formats: the same address with another format gives the same picture.',
  Search: 'Find a brand by what people call it, or by domain.',
  Catalog: 'What is known about a brand.',
  Usage: 'What was used today.',
  Account: 'Get an API key, replace it, and see where you are signed in.',
  Operation: 'Probes and documents.',
} as const;

/** What each kind of route asks for (any of it), and what it answers to those who have none of it. */
const KINDS: Readonly<
  Record<
    Route['auth'],
    { readonly schemes: readonly ('apiKey' | 'bearer' | 'session')[]; readonly errors: readonly ErrorCode[] }
  >
> = {
  none: { schemes: [], errors: [] },
  key: { schemes: ['apiKey'], errors: ['invalid_api_key', 'account_suspended'] },
  bearer: { schemes: ['bearer'], errors: ['invalid_token', 'account_suspended'] },
  cookie: { schemes: ['session'], errors: ['session_ended', 'forbidden', 'account_suspended'] },
  'bearer-or-cookie': { schemes: ['bearer', 'session'], errors: ['invalid_token', 'forbidden'] },
  'key-or-bearer': { schemes: ['apiKey', 'bearer'], errors: ['invalid_api_key', 'account_suspended'] },
};

const errorSchema = z
  .object({
    error: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    details: z
      .array(
        z.object({
          field: z.string(),
          reason: z.string(),
          allowed: z.union([z.string(), z.array(z.string())]).optional(),
        }),
      )
      .max(MAX_DETAILS)
      .optional(),
  })
  .meta({ id: 'Error' });

/** Plain JSON. */
export function openApiDocument({ routes, version, publicUrl }: DocumentOptions): object {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes.filter(({ hidden }) => hidden !== true)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  const document = createDocument({
    openapi: '3.1.0',
    info: { title: 'Blazon', version, description: INTRODUCTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: publicUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'The key that registration showed you.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token of registration, sign-in or refresh; 15 minutes.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieNames(publicUrl).session,
          description: 'Set by registration and sign-in; scripts cannot read it.',
        },
      },
    },
  });
  return withoutAllowed(document) as object;
}

/** `allowed` is our own word for the texts of errors; the schema says the same in JSON Schema's. */
function withoutAllowed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutAllowed);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(
    ([name, value]) => name !== 'allowed' || (typeof value !== 'string' && !Array.isArray(value)),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, name === 'example' ? value : withoutAllowed(value)]));
}

function operation(route: Route): ZodOpenApiOperationObject {
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    security: KINDS[route.auth].schemes.map((scheme) => ({ [scheme]: [] })),
    requestParams: { ...(route.params && { path: route.params }), ...(route.query && { query: route.query }) },
    ...(route.body && {
      requestBody: {
        required: Object.keys(route.body.shape).length > 0,
        content: { 'application/json': { schema: route.body } },
      },
    }),
    responses: { ...successes(route), ...failures(route) } as ZodOpenApiResponsesObject,
  };
}

/** `GET /v1/svg/{slug}` → `getV1SvgBySlug` */
function operationId({ method, path }: Route): string {
  const words = path.split('/').filter(Boolean);
  const name = words.map((word) =>
    word.replace(/^\{(\w+)\}$/, 'by-$1').replace(/(^|[-.])(\w)/g, (_, __, letter: string) => letter.toUpperCase()),
  );
  return method.toLowerCase() + (name.join('') || 'Root');
}

function successes(route: Route): Record<string, object> {
  return Object.fromEntries(Object.entries(route.responses).map(([status, doc]) => [status, success(doc)]));
}

function success({ description, schema, media, headers, example }: ResponseDoc): object {
  const type = media ?? 'application/json';
  const content = schema
    ? { schema }
    : media === undefined
      ? undefined
      : { schema: { type: 'string', format: 'binary' } };
  return {
    description,
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]),
      ),
    }),
    ...(content && { content: { [type]: { ...content, ...(example !== undefined && { example }) } } }),
  };
}

function failures(route: Route): Record<string, object> {
  return Object.fromEntries(
    [...codesByStatus(routeErrors(route))].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
        content: {
          'application/json': { schema: errorSchema, example: failureExample(codes[0]) },
        },
      },
    ]),
  );
}

const FIELD_EXAMPLE = { field: 'sise', reason: 'unknown parameter', allowed: ['size', 'color', 'background'] };

function failureExample(code: ErrorCode | undefined): object | undefined {
  if (code === 'invalid_request')
    return { error: code, message: `${FIELD_EXAMPLE.field}: ${FIELD_EXAMPLE.reason}`, details: [FIELD_EXAMPLE] };
  return code && { error: code, message: ERRORS[code].message };
}

/**
 * Who asks is looked up there, and whatever is no GET changes something there. The rest are pages, documents and
 * probes.
 */
function needsStore({ auth, method }: Route): boolean {
  return auth !== 'none' || method !== 'GET';
}

/** Every code that a route can answer: its own, and what its kind brings. */
export function routeErrors(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    'invalid_request',
    'method_not_allowed',
    'internal_error',
    ...KINDS[route.auth].errors,
    ...route.errors,
  ]);
  if (isMetered(route)) codes.add('quota_exceeded').add('rate_limited');
  if (needsStore(route)) codes.add('unavailable');
  if (route.body) codes.add('invalid_json').add('payload_too_large').add('unsupported_media_type');
  return [...codes];
}
