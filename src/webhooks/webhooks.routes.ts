// GET|POST /auth/webhooks, GET|PATCH|DELETE /auth/webhooks/{id}, rotation, test, deliveries and replays.
import { z } from 'zod';
import { CHANGE_ERRORS } from '../accounts/schemas.routes.js';
import { nothing } from '../accounts/fields.routes.js';
import { AppError, invalidField } from '../platform/errors.js';
import { json, noContent, NO_STORE, type Reply } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { count } from '../platform/http/openapi/times-and-counts.js';
import { enumParameter, integerParameter, patternParameter } from '../platform/web/query-parameter.js';
import { DELIVERY_ID_PATTERN, DELIVERY_STATES, SHOWN_DELIVERIES } from './delivery.js';
import { endpointIn, MAX_ENDPOINTS, webhooksOf } from './endpoint.js';
import { URL_RULE, type ReadEndpointUrl } from './endpoint-url.js';
import { SENT_EVENTS } from './event-docs.routes.js';
import {
  deliveryId,
  deliverySchema,
  descriptionField,
  enabledField,
  endpointId,
  kindsField,
  presentDelivery,
  presentEndpoint,
  secretField,
  urlField,
  webhookSchema,
} from './fields.routes.js';

const DEFAULT_LIMIT = 20;
const params = z.strictObject({ id: endpointId });
const oneWebhook = z.object({ webhook: webhookSchema });
const withSecret = z.object({ webhook: webhookSchema, secret: secretField });
const replayedCount = z.object({ replayed: count.meta({ description: 'Deliveries that are sent again.' }) });

const deliveriesQuery = z.strictObject({
  status: enumParameter(DELIVERY_STATES, { description: 'Only deliveries in this state.' }),
  limit: integerParameter({
    ...{ min: 1, max: SHOWN_DELIVERIES, absent: DEFAULT_LIMIT, description: 'Deliveries per result page.' },
  }),
  cursor: patternParameter(DELIVERY_ID_PATTERN, {
    description: '`nextCursor` of the previous result page.',
    allowed: 'nextCursor of the previous page',
  }),
});

const sinceField = z.iso
  .datetime({ offset: true, error: 'not a date and time' })
  .transform((value) => new Date(value))
  .meta({
    description: 'Deliveries of events since this time are sent again.',
    allowed: 'a date and time of RFC 3339, as in 2026-11-21T16:48:03Z',
    example: '2026-11-21T16:48:03Z',
    override: { type: 'string', format: 'date-time' },
  });

const notFound = (): AppError => new AppError('not_found', 'There is no such webhook endpoint.');

function present<Found>(found: Found | undefined, reply: (found: Found) => Reply): Reply {
  if (found === undefined) throw notFound();
  return reply(found);
}

/** Returns the normalized URL. Throws AppError `invalid_request` if it is not allowed. */
function urlIn(read: ReadEndpointUrl, text: string): string {
  const parsed = read(text);
  if ('reason' in parsed) throw invalidField('url', parsed.reason, URL_RULE);
  return parsed.url;
}

const endpointRoutes: readonly Route[] = [
  route('GET /auth/webhooks', {
    auth: 'bearer',
    summary: 'List webhook endpoints',
    description: 'Oldest first.',
    responses: {
      200: {
        description: 'All endpoints of the account',
        schema: z.object({
          webhooks: z.array(webhookSchema).max(MAX_ENDPOINTS).meta({ description: 'All of the account.' }),
        }),
      },
    },
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
    body: z.strictObject({ url: urlField, kinds: kindsField, description: descriptionField.optional() }),
    sends: SENT_EVENTS,
    responses: { 201: { description: 'The endpoint and its secret', schema: withSecret } },
    errors: ['rate_limited', ...CHANGE_ERRORS],
    handle: async ({ body: { url, kinds, description = '' }, caller, client }, { webhooks, readEndpointUrl }) => {
      const settings = { url: urlIn(readEndpointUrl, url), kinds, description, enabled: true };
      const { endpoint, secret } = await webhooks.add({ caller, client }, settings);
      return json(201, { webhook: presentEndpoint(endpoint), secret }, NO_STORE);
    },
  }),
  route('GET /auth/webhooks/{id}', {
    auth: 'bearer',
    summary: 'Get a webhook endpoint',
    description: 'Its settings, and why it is disabled.',
    params,
    responses: { 200: { description: 'The endpoint', schema: oneWebhook } },
    errors: ['not_found'],
    handle: ({ params: { id }, caller }) =>
      present(endpointIn(caller.account, id), (found) => json(200, { webhook: presentEndpoint(found) }, NO_STORE)),
  }),
  route('PATCH /auth/webhooks/{id}', {
    auth: 'bearer',
    summary: 'Change a webhook endpoint',
    description: 'Omitted fields keep their values. The owner gets an e-mail.',
    params,
    body: z.strictObject({
      url: urlField.optional(),
      kinds: kindsField.optional(),
      description: descriptionField.optional(),
      enabled: enabledField.optional(),
    }),
    responses: { 200: { description: 'The endpoint as it is now', schema: oneWebhook } },
    errors: ['not_found', 'rate_limited', ...CHANGE_ERRORS],
    handle: async ({ params: { id }, body, caller, client }, { webhooks, readEndpointUrl }) => {
      const { url, kinds, description, enabled } = body;
      const settings = {
        ...(url !== undefined && { url: urlIn(readEndpointUrl, url) }),
        ...(kinds !== undefined && { kinds }),
        ...(description !== undefined && { description }),
        ...(enabled !== undefined && { enabled }),
      };
      const edited = await webhooks.edit({ caller, client }, id, settings);
      return present(edited, (found) => json(200, { webhook: presentEndpoint(found) }, NO_STORE));
    },
  }),
  route('DELETE /auth/webhooks/{id}', {
    auth: 'bearer',
    summary: 'Remove a webhook endpoint',
    description: 'Its deliveries are removed, too. The owner gets a mail.',
    params,
    responses: { 204: { description: 'The endpoint is removed' } },
    errors: ['not_found', ...CHANGE_ERRORS],
    handle: async ({ params: { id }, caller, client }, { webhooks }) => {
      if (!(await webhooks.remove({ caller, client }, id))) throw notFound();
      return noContent();
    },
  }),
  route('POST /auth/webhooks/{id}/rotate-secret', {
    auth: 'bearer',
    summary: 'Replace the secret of a webhook endpoint',
    description: 'For 24 hours, requests are signed with the old secret, too. The owner gets a mail.',
    params,
    body: nothing,
    responses: { 200: { description: 'The endpoint and its new secret', schema: withSecret } },
    errors: ['not_found', 'rate_limited', ...CHANGE_ERRORS],
    handle: async ({ params: { id }, caller, client }, { webhooks }) =>
      present(await webhooks.rotate({ caller, client }, id), ({ endpoint, secret }) =>
        json(200, { webhook: presentEndpoint(endpoint), secret }, NO_STORE),
      ),
  }),
];

const sendingRoutes: readonly Route[] = [
  route('POST /auth/webhooks/{id}/test', {
    auth: 'bearer',
    summary: 'Test a webhook endpoint',
    description: 'Sends `webhook.test`, regardless of the kinds of the endpoint.',
    params,
    body: nothing,
    responses: { 202: { description: 'The event is being sent', schema: oneWebhook } },
    errors: ['not_found', 'rate_limited', ...CHANGE_ERRORS],
    handle: async ({ params: { id }, caller, client }, { webhooks }) =>
      present(await webhooks.test({ caller, client }, id), (found) =>
        json(202, { webhook: presentEndpoint(found) }, NO_STORE),
      ),
  }),
  route('GET /auth/webhooks/{id}/deliveries', {
    auth: 'bearer',
    summary: 'List deliveries of a webhook endpoint',
    description: `Newest first: the last ${SHOWN_DELIVERIES}.`,
    params,
    query: deliveriesQuery,
    responses: {
      200: {
        description: 'A result page of deliveries',
        schema: z.object({
          deliveries: z.array(deliverySchema).meta({ description: 'Deliveries of this page, newest first.' }),
          nextCursor: deliveryId.nullable().meta({ description: 'For `cursor`; null on the last page.' }),
        }),
      },
    },
    errors: ['not_found'],
    handle: async ({ params: { id }, query, caller }, { webhooks }) => {
      const { limit = DEFAULT_LIMIT, cursor, status } = query;
      return present(await webhooks.deliveries({ caller }, id, { limit, cursor, status }), ({ deliveries, next }) =>
        json(200, { deliveries: deliveries.map(presentDelivery), nextCursor: next }, NO_STORE),
      );
    },
  }),
  route('POST /auth/webhooks/{id}/deliveries/{deliveryId}/replay', {
    auth: 'bearer',
    summary: 'Send a delivery again',
    description: 'Sends it with the same `webhook-id` and restarts its schedule of tries.',
    params: z.strictObject({
      id: endpointId,
      deliveryId: z.string().max(64, { error: 'too long' }).meta({
        description: '`id` of a delivery in the list.',
        allowed: 'the id of a delivery',
        example: '7hGk2LmNp4Qrp3VnX0wQ7sLk.evt_0000001b00p3VnX0wQ',
      }),
    }),
    body: nothing,
    responses: { 202: { description: 'The delivery is being sent', schema: replayedCount } },
    errors: ['not_found', 'rate_limited', ...CHANGE_ERRORS],
    handle: async ({ params, caller, client }, { webhooks }) => {
      if (!endpointIn(caller.account, params.id)) throw notFound();
      const replayed = await webhooks.replay({ caller, client }, params.id, params.deliveryId);
      if (!replayed) throw new AppError('not_found', 'There is no such delivery.');
      return json(202, { replayed: 1 }, NO_STORE);
    },
  }),
  route('POST /auth/webhooks/{id}/replay', {
    auth: 'bearer',
    summary: 'Send failed deliveries again',
    description: `Sends the failed ones of the last ${SHOWN_DELIVERIES} deliveries since a time, and restarts their schedule of tries.`,
    params,
    body: z.strictObject({ since: sinceField }),
    responses: { 202: { description: 'The deliveries are being sent', schema: replayedCount } },
    errors: ['not_found', 'rate_limited', ...CHANGE_ERRORS],
    handle: async ({ params: { id }, body: { since }, caller, client }, { webhooks }) =>
      present(await webhooks.replayFailed({ caller, client }, id, since), (replayed) =>
        json(202, { replayed }, NO_STORE),
      ),
  }),
];

export const webhookRoutes: readonly Route[] = [...endpointRoutes, ...sendingRoutes];
