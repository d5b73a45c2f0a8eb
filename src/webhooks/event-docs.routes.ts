// Documentation of the requests that endpoints receive.
import { z } from 'zod';
import { BUCKETS, TIERS } from '../accounts/plan.js';
import type { SentRequestDoc } from '../platform/http/route.js';
import { count, moment, utcDay } from '../platform/http/openapi/times-and-counts.js';
import { EVENT_KINDS, EVENTS, type EventKind } from './event.js';

const headers = z.object({
  'webhook-id': z.string().meta({
    description: 'Id of the event, the same for all tries. Ignore an id that you have processed.',
    example: 'evt_0000001b00p3VnX0wQ',
  }),
  'webhook-timestamp': z.string().meta({
    description: 'Time of the try, seconds since 1970. Reject one that is more than five minutes away.',
    example: '1795279683',
  }),
  'webhook-signature': z.string().meta({
    description:
      'Signatures of `{webhook-id}.{webhook-timestamp}.{body}` by HMAC-SHA256, separated by spaces; one per secret that is valid.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
});

const quota = {
  bucket: z.enum(BUCKETS).meta({ description: 'Bucket of the daily quota.' }),
  used: count.meta({ description: 'Requests that were counted so far.' }),
  limit: count.meta({ description: 'Requests per UTC day.' }),
  date: utcDay.meta({ description: 'UTC day of the count.' }),
};
const slug = z.string().meta({ description: 'Slug of the own brand.', example: 'intranet' });
const text = (description: string) => z.string().nullable().meta({ description });

const DATA: Readonly<Record<EventKind, z.ZodRawShape>> = {
  'quota.threshold': { ...quota, percent: z.literal(80).meta({ description: 'Share of the limit that was passed.' }) },
  'quota.exhausted': quota,
  'key.regenerated': {
    hint: z.string().meta({ description: 'Last four characters of the new key.', example: '9fK2' }),
    createdAt: moment.meta({ description: 'When the new key was created.' }),
  },
  'publishable_key.changed': {
    id: text('ID of the key.'),
    name: text('Display name of the key.'),
    change: z.enum(['created', 'updated', 'revoked']).meta({ description: 'What happened to the key.' }),
  },
  'sessions.ended': { count: count.meta({ description: 'Number of sessions that ended.' }) },
  'account.email_changed': { emailVerified: z.boolean().meta({ description: 'Whether the new address is verified.' }) },
  'subscription.updated': {
    tier: z.enum(TIERS).meta({ description: 'Tier whose limits currently apply.' }),
    plan: text('Plan of the subscription; null without a subscription.'),
    status: text('Status of the subscription; null without a subscription.'),
  },
  'brand.updated': { slug },
  'brand.removed': { slug },
  'webhook.test': { webhookId: z.string().meta({ description: 'ID of the endpoint.' }) },
};

export const SENT_EVENTS: readonly SentRequestDoc[] = EVENT_KINDS.map((name) => ({
  ...{ name, summary: EVENTS[name], headers },
  body: z.object({
    type: z.literal(name).meta({ description: 'Kind of the event.' }),
    timestamp: moment.meta({ description: 'When it happened. Rises from event to event of an account.' }),
    data: z.object(DATA[name]).meta({ description: 'Facts of the event.' }),
  }),
}));
