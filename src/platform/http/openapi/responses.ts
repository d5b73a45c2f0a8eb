// Responses of a route in the OpenAPI document: its own responses, and one for each status of its error codes.
import { z } from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { DRAWING_REJECTIONS, type DrawingRejectionCode } from '../../drawing-rejections.js';
import { ERRORS, type ErrorCode } from '../../errors.js';
import { MAX_DETAILS } from '../response/error-body.js';
import { CHALLENGES, codesByStatus } from '../response/reply.js';
import { isMetered, type ResponseDoc, type Route } from '../route.js';
import { allow, authenticate, rateLimit, rateLimitPolicy, requestId, retryAfter } from './headers.js';
import { routeErrors } from './route-errors.js';

const CODE_TEXT = 'Machine-readable error code.';

export const errorDetail = z
  .strictObject({
    field: z.string().meta({ description: 'Name of the parameter or field, or `body`.' }),
    reason: z.string().meta({ description: 'What is wrong with its value.' }),
    allowed: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({ description: 'Allowed values, as text or as a list.' }),
    code: z
      .enum(Object.keys(DRAWING_REJECTIONS) as [DrawingRejectionCode, ...DrawingRejectionCode[]])
      .optional()
      .meta({ description: 'For rejected drawings: machine-readable reason.' }),
    element: z
      .string()
      .optional()
      .meta({ description: 'For rejected drawings: name of the element that caused the rejection.' }),
    line: z.int().min(1).optional().meta({ description: 'Line of that element in the file.', example: 3 }),
    advice: z.string().optional().meta({ description: 'For rejected drawings: how to fix it.' }),
    help: z.string().optional().meta({ description: 'Path of the documentation for this rejection.' }),
  })
  .meta({ id: 'ErrorDetail' });

export const errorSchema = z
  .strictObject({
    error: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).meta({ description: CODE_TEXT }),
    message: z.string().meta({ description: 'Human-readable description of the error. The wording may change.' }),
    details: z
      .array(errorDetail)
      .min(1)
      .max(MAX_DETAILS)
      .optional()
      .meta({ description: `The first ${MAX_DETAILS} invalid parameters or fields.` }),
  })
  .meta({ id: 'Error' });

/** Statuses with the header `Retry-After`. */
const RETRIED: readonly number[] = [429, 503];

export function responsesOf(route: Route): ZodOpenApiResponsesObject {
  return { ...successes(route), ...failures(route) } as ZodOpenApiResponsesObject;
}

function successes(route: Route): Record<string, object> {
  const common = commonHeaders(route);
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, doc]) => [
      status,
      {
        description: doc.description,
        headers: z.object({ ...doc.headers, ...common }),
        ...contentOf(doc),
      },
    ]),
  );
}

function commonHeaders(route: Route) {
  return {
    ...(isMetered(route) && { 'RateLimit-Policy': rateLimitPolicy, RateLimit: rateLimit }),
    'X-Request-Id': requestId,
  };
}

function contentOf({ schema, media, example, otherMedia = {} }: ResponseDoc): object {
  if (!schema && media === undefined) return {};
  const content = {
    schema: schema ?? textOrBytes(media),
    ...(example !== undefined && { example }),
  };
  const others = Object.entries(otherMedia).map(([name, text]): [string, object] => [
    name,
    { schema: textOrBytes(name), ...(text !== undefined && { example: text }) },
  ]);
  return { content: { [media ?? 'application/json']: content, ...Object.fromEntries<object>(others) } };
}

/**
 * Returns the schema of a body that is not JSON of this service. Code generators represent `format: binary` as a file.
 */
export function textOrBytes(media: string | undefined): { type: 'object' | 'string'; format?: string } {
  if (media?.endsWith('json') === true) return { type: 'object' };
  const isText = media?.startsWith('text/') === true || media === 'image/svg+xml';
  return isText ? { type: 'string' } : { type: 'string', format: 'binary' };
}

function failures(route: Route): Record<string, object> {
  return Object.fromEntries(
    [...codesByStatus(routeErrors(route))].map(([status, codes]) => [status, failure(status, codes, route)]),
  );
}

const components = new Map<string, object>();

/** Returns an error response as a component of the document, because many routes share it. */
function failure(status: number, codes: readonly ErrorCode[], route: Route): object {
  const id = [...codes, ...(isMetered(route) ? ['metered'] : [])].join('.');
  const known = components.get(id);
  if (known) return known;
  const response = {
    id,
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
    headers: z.object({ ...failureHeaders(status, codes), ...commonHeaders(route) }),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            {
              type: 'object',
              properties: { error: { type: 'string', enum: codes, description: CODE_TEXT } },
              required: ['error'],
            },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: failureExample(code) }])),
      },
    },
  };
  components.set(id, response);
  return response;
}

function failureHeaders(status: number, codes: readonly ErrorCode[]): z.ZodRawShape {
  return {
    ...(status === 405 && { Allow: allow }),
    ...(RETRIED.includes(status) && { 'Retry-After': retryAfter }),
    ...(codes.some((code) => code in CHALLENGES) && {
      'WWW-Authenticate': codes.every((code) => code in CHALLENGES) ? authenticate : authenticate.optional(),
    }),
  };
}

const DETAIL_EXAMPLE = { field: 'sise', reason: 'unknown parameter', allowed: ['size', 'color', 'background'] };

function failureExample(code: ErrorCode): z.input<typeof errorSchema> {
  if (code !== 'invalid_request') return { error: code, message: ERRORS[code].message };
  return { error: code, message: `${DETAIL_EXAMPLE.field}: ${DETAIL_EXAMPLE.reason}`, details: [DETAIL_EXAMPLE] };
}
