// Routes that list and replay deliveries of an endpoint: GET /auth/webhooks/{id}/deliveries, POST …/replay. The export
// of an account presents deliveries in the same form, with their content.
import { z } from 'zod';
import { nothing } from '../accounts/fields.routes.js';
import { json, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { count, moment, type Presented } from '../platform/http/openapi/times-and-counts.js';
import { enumParameter, integerParameter, patternParameter } from '../platform/web/query-parameter.js';
import { DELIVERY_ID_PATTERN, DELIVERY_STATES, SHOWN_BYTES, SHOWN_DELIVERIES, type Delivery } from './delivery.js';
import { EVENT_KINDS } from './event.js';
import { CHANGE_ERRORS_OF_ONE, endpointParams, ENDPOINT_ID } from './endpoints.routes.js';

const DEFAULT_LIMIT = 20;
const EVENT_ID = 'evt_0000001b00p3VnX0wQ';
const DELIVERY_ID = `${ENDPOINT_ID}.${EVENT_ID}`;

const lastTrySchema = z.object({
  at: moment.meta({ description: 'When the request was sent.' }),
  httpStatus: z.int().nullable().meta({ description: 'Null if there was no response.', example: 200 }),
  durationMs: count.meta({ description: 'Time until the response was read, ms.' }),
  response: z.string().max(SHOWN_BYTES).meta({
    description: 'The first 1 KB of the response, or why there was none.',
    example: 'ok',
  }),
});

const deliveryId = z.string().meta({ description: 'Id of the delivery: endpoint and event.', example: DELIVERY_ID });

const deliverySchema = z
  .object({
    id: deliveryId,
    eventId: z.string().meta({ description: '`webhook-id`: the same for all tries.', example: EVENT_ID }),
    kind: z.enum(EVENT_KINDS).meta({ description: 'Kind of the event.' }),
    createdAt: moment.meta({ description: 'When the event happened.' }),
    status: z.enum(DELIVERY_STATES).meta({ description: '`failed`: no further try follows.' }),
    tries: count.meta({ description: 'Requests since the event, or since the last replay.' }),
    nextTryAt: moment.nullable().meta({ description: 'Null if no try follows.' }),
    lastTry: lastTrySchema.nullable().meta({ description: 'Null before the first one.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event on its way to an endpoint.' });

export function presentDelivery(delivery: Delivery): Presented<typeof deliverySchema> {
  const { id, eventId, kind, createdAt, status, tries, dueAt: nextTryAt, lastTry } = delivery;
  return { id, eventId, kind, createdAt, status, tries, nextTryAt, lastTry };
}

export const exportedDelivery = deliverySchema.extend({
  body: z.string().meta({ description: 'Content of the event, JSON.', example: '{"type":"webhook.test"}' }),
});

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

const deliveriesPage = z.object({
  deliveries: z.array(deliverySchema).meta({ description: 'Deliveries of this page, newest first.' }),
  nextCursor: deliveryId.nullable().meta({ description: 'For `cursor`; null on the last page.' }),
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

const replayedCount = z.object({ replayed: count.meta({ description: 'Deliveries that are sent again.' }) });

export const deliveryRoutes: readonly Route[] = [
  route('GET /auth/webhooks/{id}/deliveries', {
    auth: 'bearer',
    summary: 'List deliveries of a webhook endpoint',
    description: `Newest first: the last ${SHOWN_DELIVERIES}.`,
    params: endpointParams,
    query: deliveriesQuery,
    responses: { 200: { description: 'A result page of deliveries', schema: deliveriesPage } },
    errors: ['not_found'],
    handle: async ({ params, query: { limit = DEFAULT_LIMIT, cursor, status }, caller }, { webhooks }) => {
      const found = (await webhooks.deliveries(caller, params.id)).filter(
        (one) => (status === undefined || one.status === status) && (cursor === undefined || one.id < cursor),
      );
      const page = found.slice(0, limit).map(presentDelivery);
      return json(200, { deliveries: page, nextCursor: found.length > limit ? page.at(-1)?.id : null }, NO_STORE);
    },
  }),
  route('POST /auth/webhooks/{id}/deliveries/{deliveryId}/replay', {
    auth: 'bearer',
    summary: 'Send a delivery again',
    description: 'Sends it with the same `webhook-id` and restarts its schedule of tries.',
    params: endpointParams.extend({
      deliveryId: z.string().max(64, { error: 'too long' }).meta({
        description: '`id` of a delivery in the list.',
        allowed: 'the id of a delivery',
        example: DELIVERY_ID,
      }),
    }),
    body: nothing,
    responses: { 202: { description: 'The delivery is being sent', schema: replayedCount } },
    errors: CHANGE_ERRORS_OF_ONE,
    handle: async (call, { webhooks }) =>
      json(202, { replayed: await webhooks.replay(call, call.params.id, call.params.deliveryId) }, NO_STORE),
  }),
  route('POST /auth/webhooks/{id}/replay', {
    auth: 'bearer',
    summary: 'Send failed deliveries again',
    description: `Sends the failed ones of the last ${SHOWN_DELIVERIES} deliveries since a time, and restarts their schedule of tries.`,
    params: endpointParams,
    body: z.strictObject({ since: sinceField }),
    responses: { 202: { description: 'The deliveries are being sent', schema: replayedCount } },
    errors: CHANGE_ERRORS_OF_ONE,
    handle: async (call, { webhooks }) =>
      json(202, { replayed: await webhooks.replayFailed(call, call.params.id, call.body.since) }, NO_STORE),
  }),
];
