// Documentation of the requests that endpoints receive.
import { z } from 'zod';
import { BUCKETS, TIERS } from '../accounts/plan.js';
import type { SentRequestDoc } from '../platform/http/route.js';
import { count, moment, utcDay } from '../platform/http/openapi/times-and-counts.js';
import type { EventKind } from './event.js';

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

const bucket = z.enum(BUCKETS).meta({ description: 'The bucket of the quota.' });
const quota = {
  bucket,
  used: count.meta({ description: 'Requests of the day.' }),
  limit: count.meta({ description: 'Requests per UTC day.' }),
  date: utcDay,
};
const slug = z.string().meta({ description: 'Slug of the own brand.', example: 'intranet' });
const text = (description: string, example: string) => z.string().nullable().meta({ description, example });

const DATA: Readonly<Record<EventKind, readonly [summary: string, data: z.ZodObject]>> = {
  'quota.threshold': [
    'A bucket has passed 80 % of its limit; once per bucket and day.',
    z.object({ ...quota, percent: z.literal(80).meta({ description: 'The threshold.' }) }),
  ],
  'quota.exhausted': ['A bucket has reached its limit; once per bucket and day.', z.object(quota)],
  'key.regenerated': [
    'The API key was replaced.',
    z.object({
      hint: z.string().meta({ description: 'Last four characters of the new key.', example: '9fK2' }),
      createdAt: moment.meta({ description: 'When the new key was made.' }),
    }),
  ],
  'publishable_key.changed': [
    'A publishable key was created, updated or revoked.',
    z.object({
      id: text('Id of the key.', '9f86d081884c7d65'),
      name: text('Name of the key.', 'Website'),
      change: z.enum(['created', 'updated', 'revoked']).meta({ description: 'What happened.' }),
    }),
  ],
  'sessions.ended': [
    'Sessions were ended by a sign-out, a new password, or a sign-in beyond the limit; not by their age.',
    z.object({ count: count.meta({ description: 'Number of sessions.' }) }),
  ],
  'account.email_changed': [
    'The e-mail address of the account was changed.',
    z.object({ emailVerified: z.boolean().meta({ description: 'Whether the new address is verified.' }) }),
  ],
  'subscription.updated': [
    'The tier or the subscription has changed.',
    z.object({
      tier: z.enum(TIERS).meta({ description: 'The tier whose limits hold now.' }),
      plan: text('Plan of the subscription; null without one.', 'pro'),
      status: text('Status of the subscription; null without one.', 'active'),
    }),
  ],
  'brand.updated': ['An own brand, or one of its drawings, was added or changed.', z.object({ slug })],
  'brand.removed': ['An own brand was removed.', z.object({ slug })],
  'webhook.test': [
    'A test that the owner requested.',
    z.object({
      webhookId: z.string().meta({ description: 'Id of the endpoint.', example: '7hGk2LmNp4Qrp3VnX0wQ7sLk' }),
    }),
  ],
};

export const SENT_EVENTS: readonly SentRequestDoc[] = Object.entries(DATA).map(([name, [summary, data]]) => ({
  ...{ name, summary, headers },
  body: z.object({
    type: z.literal(name).meta({ description: 'Kind of the event.' }),
    timestamp: moment.meta({ description: 'When it happened. Rises from event to event of an account.' }),
    data: data.meta({ description: 'Facts of the event.' }),
  }),
}));
