// GET|POST /auth/webhooks, GET|PATCH|DELETE /auth/webhooks/{id}, rotation of the secret, and the test event.
import { z } from 'zod';
import { nothing, text } from '../accounts/fields.routes.js';
import { CHANGE_ERRORS } from '../accounts/schemas.routes.js';
import type { ErrorCode } from '../platform/errors.js';
import { json, noContent, NO_STORE, type Reply } from '../platform/http/response/reply.js';
import { PUBLIC_URL_RULE } from '../platform/outgoing/public-url.js';
import { MAX_URL_LENGTH } from '../platform/outgoing/target.js';
import { route, type Route } from '../platform/http/route.js';
import { moment, type Presented } from '../platform/http/openapi/times-and-counts.js';
import {
  DISABLED_REASONS,
  ENDPOINT_ID_PATTERN,
  existingEndpoint,
  MAX_DESCRIPTION_CHARACTERS,
  MAX_ENDPOINTS,
  webhooksOf,
  type Endpoint,
} from './endpoint.js';
import { EVENT_KINDS, type EventKind } from './event.js';
import { SENT_EVENTS } from './event-docs.routes.js';

export const ENDPOINT_ID = '7hGk2LmNp4Qrp3VnX0wQ7sLk';
export const CHANGE_ERRORS_OF_ONE: readonly ErrorCode[] = ['not_found', 'rate_limited', ...CHANGE_ERRORS];

export const endpointParams = z.strictObject({
  // The schema does not check the pattern. An id that does not match it causes `not_found`, like an unknown id.
  id: text.max(64, { error: 'too long' }).meta({
    description: '`id` of an endpoint in the list.',
    allowed: 'the id of a webhook endpoint',
    example: ENDPOINT_ID,
    override: { pattern: ENDPOINT_ID_PATTERN.source },
  }),
});

const newEndpointBody = z.strictObject({
  // This schema does not check whether the URL is allowed, because it does not know the operator's exceptions. The
  // check follows in endpoints.ts.
  url: text.meta({
    description:
      'Where events are sent: `https` to a public host. Every request checks the address of the host. Redirects are not followed.',
    allowed: PUBLIC_URL_RULE,
    example: 'https://example.com/hooks/blazon',
    override: { format: 'uri', maxLength: MAX_URL_LENGTH },
  }),
  kinds: z
    .array(z.enum(EVENT_KINDS, { error: 'not one of the allowed values' }), { error: 'must be a list' })
    .min(1, { error: 'is empty' })
    .max(2 * EVENT_KINDS.length, { error: 'too many items' })
    .transform((kinds): EventKind[] => EVENT_KINDS.filter((kind) => kinds.includes(kind)))
    .meta({ description: 'Kinds of events that are sent.', allowed: [...EVENT_KINDS], example: ['key.regenerated'] }),
  description: text
    .transform((value) => value.trim())
    .refine((value) => value.length <= MAX_DESCRIPTION_CHARACTERS, { error: 'too long' })
    .optional()
    .meta({
      description: 'For people, to tell endpoints apart.',
      allowed: `at most ${MAX_DESCRIPTION_CHARACTERS} characters`,
      example: 'Billing team',
      override: { maxLength: MAX_DESCRIPTION_CHARACTERS },
    }),
});

const editBody = newEndpointBody.partial().extend({
  enabled: z.boolean({ error: 'must be true or false' }).optional().meta({
    description: '`false`: no events are sent.',
    allowed: 'true or false',
  }),
});

export const webhookSchema = z
  .object({
    id: z.string().regex(ENDPOINT_ID_PATTERN).meta({
      description: 'For the addresses that change the endpoint.',
      example: ENDPOINT_ID,
    }),
    url: z.string().meta({ description: 'Where events are sent.', example: 'https://example.com/hooks/blazon' }),
    kinds: z.array(z.enum(EVENT_KINDS)).meta({ description: 'Kinds of events that are sent.' }),
    description: z.string().meta({ description: 'For people.', example: 'Billing team' }),
    enabled: z.boolean().meta({ description: 'Whether events are sent.' }),
    disabledReason: z.enum(DISABLED_REASONS).nullable().meta({
      description:
        'Null while it is enabled. `owner`, `operator`: who disabled it. `gone`: it returned 410. `failing`: every request failed for 5 days.',
    }),
    createdAt: moment.meta({ description: 'When it was added.' }),
    secretHint: z.string().meta({ description: 'The last four characters of the secret.', example: 'x7Qp' }),
  })
  .meta({ id: 'Webhook', description: 'An endpoint that receives events of the account.' });

export function presentEndpoint(endpoint: Endpoint): Presented<typeof webhookSchema> {
  const { id, url, kinds, description, enabled, disabledReason } = endpoint;
  const createdAt = new Date(endpoint.createdAtMs);
  const secretHint = endpoint.secrets[0]?.hint ?? '';
  return { id, url, kinds: [...kinds], description, enabled, disabledReason, createdAt, secretHint };
}

const oneWebhook = z.object({ webhook: webhookSchema });
const withSecret = oneWebhook.extend({
  secret: z.string().meta({
    description: 'Key of the signatures. Shown in this response only.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  }),
});
const allWebhooks = z.object({
  webhooks: z.array(webhookSchema).max(MAX_ENDPOINTS).meta({ description: 'All of the account.' }),
});

function reply(status: number, { endpoint, secret }: { readonly endpoint: Endpoint; readonly secret?: string }): Reply {
  return json(status, { webhook: presentEndpoint(endpoint), secret }, NO_STORE);
}

export const endpointRoutes: readonly Route[] = [
  route('GET /auth/webhooks', {
    auth: 'bearer',
    summary: 'List webhook endpoints',
    description: 'Oldest first.',
    responses: { 200: { description: 'All endpoints of the account', schema: allWebhooks } },
    handle: ({ caller }) =>
      json(200, { webhooks: webhooksOf(caller.account).endpoints.map(presentEndpoint) }, NO_STORE),
  }),
  route('POST /auth/webhooks', {
    auth: 'bearer',
    summary: 'Add a webhook endpoint',
    description:
      `At most ${MAX_ENDPOINTS} per account. Events are sent with \`POST\`, signed after the Standard Webhooks specification. ` +
      'Any status of 2xx is success. Otherwise the request is repeated after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours. ' +
      'The owner gets a mail.',
    body: newEndpointBody,
    sends: SENT_EVENTS,
    responses: { 201: { description: 'The endpoint and its secret', schema: withSecret } },
    errors: ['rate_limited', ...CHANGE_ERRORS],
    handle: async (call, { webhooks }) => reply(201, await webhooks.add(call, call.body)),
  }),
  route('GET /auth/webhooks/{id}', {
    auth: 'bearer',
    summary: 'Get a webhook endpoint',
    description: 'Its settings, and why it is disabled.',
    params: endpointParams,
    responses: { 200: { description: 'The endpoint', schema: oneWebhook } },
    errors: ['not_found'],
    handle: ({ params, caller }) => reply(200, { endpoint: existingEndpoint(caller.account, params.id) }),
  }),
  route('PATCH /auth/webhooks/{id}', {
    auth: 'bearer',
    summary: 'Change a webhook endpoint',
    description: 'Omitted fields keep their values. The owner gets an e-mail.',
    params: endpointParams,
    body: editBody,
    responses: { 200: { description: 'The endpoint as it is now', schema: oneWebhook } },
    errors: CHANGE_ERRORS_OF_ONE,
    handle: async (call, { webhooks }) =>
      reply(200, { endpoint: await webhooks.edit(call, call.params.id, call.body) }),
  }),
  route('DELETE /auth/webhooks/{id}', {
    auth: 'bearer',
    summary: 'Remove a webhook endpoint',
    description: 'Its deliveries are removed, too. The owner gets a mail.',
    params: endpointParams,
    responses: { 204: { description: 'The endpoint is removed' } },
    errors: ['not_found', ...CHANGE_ERRORS],
    handle: async (call, { webhooks }) => {
      await webhooks.remove(call, call.params.id);
      return noContent();
    },
  }),
  route('POST /auth/webhooks/{id}/rotate-secret', {
    auth: 'bearer',
    summary: 'Replace the secret of a webhook endpoint',
    description: 'For 24 hours, requests are signed with the old secret, too. The owner gets a mail.',
    params: endpointParams,
    body: nothing,
    responses: { 200: { description: 'The endpoint and its new secret', schema: withSecret } },
    errors: CHANGE_ERRORS_OF_ONE,
    handle: async (call, { webhooks }) => reply(200, await webhooks.rotate(call, call.params.id)),
  }),
  route('POST /auth/webhooks/{id}/test', {
    auth: 'bearer',
    summary: 'Test a webhook endpoint',
    description: 'Sends `webhook.test`, regardless of the kinds of the endpoint.',
    params: endpointParams,
    body: nothing,
    responses: { 202: { description: 'The event is being sent', schema: oneWebhook } },
    errors: CHANGE_ERRORS_OF_ONE,
    handle: async (call, { webhooks }) => reply(202, { endpoint: await webhooks.test(call, call.params.id) }),
  }),
];
