// OpenAPI 3.1 document, generated from the route list.
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { BinaryBody } from '../request/binary-body.js';
import { ERRORS } from '../../errors.js';
import { rulesOf, ruleText } from '../../web/query-rules.js';
import { cookieNames } from '../cookie-names.js';
import { isMetered, type MeteredRoute, type Route, type SignedRoute } from '../route.js';
import { INTRODUCTION, TAG_NAMES, tagsOf } from './introduction.js';
import { errorSchema, responsesOf, textOrBytes } from './responses.js';
import { schemesOf } from './route-errors.js';

interface DocumentOptions {
  readonly routes: readonly Route[];
  readonly version: string;
  readonly publicUrl: string;
  /** Markdown text about the limits of each plan. */
  readonly limits: string;
}

export function openApiDocument({ routes, version, publicUrl, limits }: DocumentOptions): object {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of inTagOrder(routes)) {
    const path = documentedPath(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Blazon', version, description: INTRODUCTION, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: publicUrl }],
      tags: tagsOf(limits),
      paths,
      ...sentRequests(routes),
      components: { schemas: { Error: errorSchema }, securitySchemes: securitySchemes(publicUrl) },
      'x-errors': errorReference(),
    },
    { override: ({ jsonSchema }) => simplify(jsonSchema) },
  );
}

/** Returns `webhooks`: the requests that this service sends. */
function sentRequests(routes: readonly Route[]): { readonly webhooks?: ZodOpenApiPathsObject } {
  const sent = routes.flatMap(({ tag, sends = [] }) => sends.map((request) => ({ tag, ...request })));
  if (sent.length === 0) return {};
  const webhooks = sent.map(({ tag, name, summary, headers, body }) => {
    const post: ZodOpenApiOperationObject = {
      operationId: `webhook-${name}`.replaceAll(/[-._](\w)/g, (_, letter: string) => letter.toUpperCase()),
      ...{ summary, tags: tag === undefined ? [] : [tag], security: [], requestParams: { header: headers } },
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
      responses: { '2XX': { description: 'The receiver has the event.' } },
    };
    return [name, { post }] as const;
  });
  return { webhooks: Object.fromEntries(webhooks) };
}

/** Sorts the documented routes in the order of their tags. */
function inTagOrder(routes: readonly Route[]): readonly Route[] {
  const place = ({ tag = '' }: Route): number => TAG_NAMES.indexOf(tag);
  return routes.filter(({ hidden }) => hidden !== true).sort((one, other) => place(one) - place(other));
}

/** Returns the path in OpenAPI's syntax, which cannot express a parameter that contains slashes. */
export function documentedPath({ path }: Route): string {
  return path.replace('{+', '{');
}

/** Returns status, meaning and advice of each error code, for reference pages. */
function errorReference(): object {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([code, { status, message, action }]) => [code, { status, message, action }]),
  );
}

function securitySchemes(publicUrl: string) {
  return {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: 'API key of the account, shown once at registration.',
    },
    bearerKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'API key of the account, for clients that send it as a bearer token.',
    },
    publishableKey: {
      type: 'apiKey',
      in: 'query',
      name: 'key',
      description: 'Publishable key of the account, for pages. It allows access to pictures only.',
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'Access token from registration, sign-in or refresh. Valid for 15 minutes.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: cookieNames(publicUrl).session,
      description:
        'Set at registration and sign-in; scripts cannot read it. The name depends on `PUBLIC_URL`: it starts ' +
        'with `__Host-` for https, and ends with the port if there is one.',
    },
  } as const;
}

interface JsonSchema {
  format?: string | undefined;
  pattern?: string | undefined;
  type?: unknown;
  minimum?: number | undefined;
  maximum?: number | undefined;
}

/** Removes `allowed`, which only error messages use, and properties that zod adds to every date and integer. */
function simplify(schema: JsonSchema & { allowed?: unknown }): void {
  delete schema.allowed;
  if (schema.format === 'date-time' || schema.format === 'date') delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

function operation(route: Route): ZodOpenApiOperationObject {
  const rules = rulesOf(route.query);
  const description = descriptionOf(route);
  return {
    operationId: operationId(route),
    tags: route.tag === undefined ? [] : [route.tag],
    summary: route.summary,
    ...(description !== '' && { description }),
    security: schemesOf(route).map((scheme) => ({ [scheme]: [] })),
    requestParams: {
      ...(route.params && { path: route.params }),
      ...(route.query && { query: route.query }),
      ...headerParameters(route),
    },
    ...(route.auth === 'signature' && { requestBody: SIGNED_BODY }),
    ...('binary' in route && { requestBody: binaryBody(route.binary) }),
    ...(route.body && {
      requestBody: {
        // Routes with the session cookie require JSON even if there are no fields, which protects against CSRF.
        required: route.auth === 'cookie' || Object.keys(route.body.shape).length > 0,
        content: {
          'application/json': { schema: route.body },
          ...(route.method === 'PATCH' && { 'application/merge-patch+json': { schema: route.body } }),
        },
      },
    }),
    responses: responsesOf(route),
    ...(rules.length > 0 && { 'x-parameter-rules': rules }),
    ...(isMetered(route) && route.replaces && { 'x-replaces': { ...route.replaces, here: addressHere(route) } }),
  };
}

/**
 * Returns the URL on this service that replaces the example URL `replaces`, without parameters that this route ignores.
 */
function addressHere({ path, query, replaces }: MeteredRoute): string {
  const service = path.split('/', 4).join('/');
  const [location = '', search = ''] = (replaces?.address.replace(/^https:\/\/[^/]+/, '') ?? '').split(/\?(.*)/);
  const known = search.split('&').filter((pair) => Object.hasOwn(query?.shape ?? {}, pair.split('=', 1)[0] ?? ''));
  return service + location + (known.length === 0 ? '' : `?${known.join('&')}`);
}

function binaryBody({ media, description, example }: BinaryBody) {
  const content = { schema: textOrBytes(media), ...(example !== undefined && { example }) };
  return { required: true, description, content: { [media]: content } };
}

/** Body of a request that its sender has signed. The sender's documentation describes the content. */
const SIGNED_BODY = {
  required: true,
  content: {
    'application/json': { schema: z.looseObject({}).meta({ description: 'The body exactly as it was signed.' }) },
  },
};

function headerParameters(route: Route): { readonly header?: z.ZodObject } {
  if (route.auth === 'signature') return { header: signatureHeader(route) };
  return isMetered(route) && route.versionHeader ? { header: versionHeader(route.versionHeader) } : {};
}

function signatureHeader({ signatureHeader: name }: SignedRoute): z.ZodObject {
  return z.object({
    [name.toLowerCase()]: z.string().meta({
      description: 'Signature of the body.',
      example: 't=1795343600,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
    }),
  });
}

function versionHeader({ name, allowed }: NonNullable<MeteredRoute['versionHeader']>): z.ZodObject {
  return z.object({
    [name]: z.enum(allowed).optional().meta({ description: 'Version of the protocol that the client uses.' }),
  });
}

function descriptionOf(route: Route): string {
  return [
    ...(route.description === undefined ? [] : [route.description]),
    ...rulesOf(route.query).map(ruleText),
    ...(isMetered(route) && typeof route.bucket === 'string' ? [`Counts in the \`${route.bucket}\` bucket.`] : []),
  ].join('\n\n');
}

/** Returns the operation id: `GET /v1/svg/{slug}` becomes `getV1SvgBySlug`. */
export function operationId({ method, path }: Route): string {
  const words = path.split('/').filter(Boolean);
  const name = words.map((word) =>
    word.replace(/^\{\+?(\w+)\}/, 'by-$1').replace(/(^|[-.])(\w)/g, (_, __, letter: string) => letter.toUpperCase()),
  );
  return method.toLowerCase() + (name.join('') || 'Root');
}
