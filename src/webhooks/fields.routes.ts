// Schemas and presenters of endpoints and deliveries.
import { z } from 'zod';
import { text } from '../accounts/fields.routes.js';
import { count, moment, type Presented } from '../platform/http/openapi/times-and-counts.js';
import { DELIVERY_STATES, SHOWN_CHARACTERS, type Delivery } from './delivery.js';
import {
  DISABLED_REASONS,
  ENDPOINT_ID_PATTERN,
  MAX_DESCRIPTION_CHARACTERS,
  MAX_URL_CHARACTERS,
  type Endpoint,
} from './endpoint.js';
import { EVENT_KINDS, type EventKind } from './event.js';
import { URL_RULE } from './endpoint-url.js';

const ENDPOINT_ID = '7hGk2LmNp4Qrp3VnX0wQ7sLk';
const EVENT_ID = 'evt_0000001b00p3VnX0wQ';
const KIND_ERROR = { error: 'not one of the allowed values' };

/** The handler checks whether the URL is allowed, because the operator's exceptions are not known here. */
export const urlField = text.meta({
  description:
    'Where events are sent: `https` to a public host. Every request checks the address of the host. Redirects are not followed.',
  allowed: URL_RULE,
  example: 'https://example.com/hooks/blazon',
  override: { format: 'uri', maxLength: MAX_URL_CHARACTERS },
});

export const kindsField = z
  .array(z.enum(EVENT_KINDS, KIND_ERROR), { error: 'must be a list' })
  .min(1, { error: 'is empty' })
  .max(2 * EVENT_KINDS.length, { error: 'too many items' })
  .transform((kinds): EventKind[] => EVENT_KINDS.filter((kind) => kinds.includes(kind)))
  .meta({ description: 'Kinds of events that are sent.', allowed: [...EVENT_KINDS], example: ['key.regenerated'] });

export const descriptionField = text
  .transform((value) => value.trim())
  .refine((value) => value.length <= MAX_DESCRIPTION_CHARACTERS, { error: 'too long' })
  .meta({
    description: 'For people, to tell endpoints apart.',
    allowed: `at most ${MAX_DESCRIPTION_CHARACTERS} characters`,
    example: 'Billing team',
    override: { maxLength: MAX_DESCRIPTION_CHARACTERS },
  });

export const enabledField = z.boolean({ error: 'must be true or false' }).meta({
  description: '`false`: no events are sent.',
  allowed: 'true or false',
});

const idText = z.string().regex(ENDPOINT_ID_PATTERN);

export const webhookSchema = z
  .object({
    id: idText.meta({ description: 'For the addresses that change the endpoint.', example: ENDPOINT_ID }),
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

export const secretField = z.string().meta({
  description: 'Key of the signatures. Shown in this response only.',
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
});

const lastTrySchema = z.object({
  at: moment.meta({ description: 'When the request was sent.' }),
  httpStatus: z.int().nullable().meta({ description: 'Null if there was no response.', example: 200 }),
  durationMs: count.meta({ description: 'Time until the response was read, ms.' }),
  response: z.string().max(SHOWN_CHARACTERS).meta({
    description: 'The first 1 KB of the response, or why there was none.',
    example: 'ok',
  }),
});

export const deliveryId = z.string().meta({
  description: 'Id of the delivery: endpoint and event.',
  example: `${ENDPOINT_ID}.${EVENT_ID}`,
});

export const deliverySchema = z
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

export function presentEndpoint(endpoint: Endpoint): Presented<typeof webhookSchema> {
  const { id, url, kinds, description, enabled, disabledReason, createdAtMs, secrets } = endpoint;
  const createdAt = new Date(createdAtMs);
  return {
    ...{ id, url, kinds: [...kinds], description, enabled, disabledReason, createdAt },
    secretHint: secrets[0]?.hint ?? '',
  };
}

export function presentDelivery(delivery: Delivery): Presented<typeof deliverySchema> {
  const { id, eventId, kind, createdAt, status, tries, dueAt: nextTryAt, lastTry } = delivery;
  return { id, eventId, kind, createdAt, status, tries, nextTryAt, lastTry };
}

/** Path parameter. Text of another form is accepted here, but no endpoint has that id. */
export const endpointId = text.max(64, { error: 'too long' }).meta({
  description: '`id` of an endpoint in the list.',
  allowed: 'the id of a webhook endpoint',
  example: ENDPOINT_ID,
  override: { pattern: ENDPOINT_ID_PATTERN.source },
});
