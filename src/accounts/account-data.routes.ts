// GET /auth/me, /auth/activity, POST /auth/export, DELETE /auth/account: the account, its data and its deletion.
import { z } from 'zod';
import { AUDIT_ID_PATTERN, AUDIT_TOPICS } from './audit-event.js';
import { storedEmail } from './email.js';
import { LINK_LIFETIME_MS, type LinkPurpose } from './email-link.js';
import { MAX_PUBLISHABLE_KEYS } from './publishable-key.js';
import { MAIL_KINDS, type PendingMail } from './pending-mail.js';
import { BILLING_INTERVALS, PAID_PLANS, SUBSCRIPTION_STATUSES } from './subscription.js';
import { enumParameter, integerParameter, patternParameter } from '../platform/web/query-parameter.js';
import { MAX_COUNTED_SLUGS } from '../metering/day-responses.js';
import { BUCKETS } from './plan.js';
import { bucketEntries } from '../metering/usage-counter.js';
import type { ExportPart } from './account-data.js';
import { contentDisposition, setCookie } from '../platform/http/openapi/headers.js';
import { json, jsonChunks, noContent, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import {
  accountSchema,
  eventId,
  eventSchema,
  PASSWORD_ERRORS,
  presentAccount,
  presentEvent,
  presentPublishableKey,
  presentSession,
  publishableKeySchema,
  sessionSchema,
} from './schemas.routes.js';
import { responseCounts, slugRequests } from '../metering/analytics.routes.js';
import { entrySchema } from '../catalog/entry-schema.routes.js';
import { confirmation } from './fields.routes.js';
import { count, moment, utcDay, type Presented } from '../platform/http/openapi/times-and-counts.js';

const DEFAULT_LIMIT = 20;

const activityQuery = z.strictObject({
  topic: enumParameter([...AUDIT_TOPICS, 'all'], {
    absent: 'account',
    description: '`account`: sign-ins, keys, links, sessions. `own-brands`: changes of own brands. `all`: both.',
  }),
  limit: integerParameter({ min: 1, max: 100, absent: DEFAULT_LIMIT, description: 'Events per result page.' }),
  cursor: patternParameter(AUDIT_ID_PATTERN, {
    description: '`nextCursor` of the previous result page.',
    allowed: 'nextCursor of the previous page',
  }),
});

const exportSchema = z
  .object({
    account: accountSchema,
    publishableKeys: z
      .array(publishableKeySchema)
      .max(MAX_PUBLISHABLE_KEYS)
      .meta({ description: 'All publishable keys.' }),
    sessions: z.array(sessionSchema).meta({ description: 'All live sessions.' }),
    links: z
      .array(
        z.object({
          purpose: z
            .enum(Object.keys(LINK_LIFETIME_MS) as [LinkPurpose, ...LinkPurpose[]])
            .meta({ description: 'What the link does.' }),
          expiresAt: moment.meta({ description: 'Until when it works.' }),
          newEmail: storedEmail().optional().meta({ description: 'The new address of a pending change.' }),
        }),
      )
      .meta({ description: 'Sent by mail, and not used yet.' }),
    mails: z
      .array(
        z.object({
          kind: z.enum(MAIL_KINDS).meta({ description: 'Kind of the mail.' }),
          to: storedEmail().optional().meta({ description: 'Where it is not the address of the account.' }),
          at: moment.meta({ description: 'When it was written.' }),
        }),
      )
      .meta({ description: 'Not sent yet.' }),
    billing: z
      .object({
        customerId: z.string().meta({ description: 'Id of the customer at Stripe.', example: 'cus_a1b2c3' }),
        subscription: z
          .object({
            id: z.string().meta({ description: 'Id of the subscription at Stripe.', example: 'sub_a1b2c3' }),
            plan: z
              .enum(PAID_PLANS)
              .nullable()
              .meta({ description: 'The plan that was bought; null: of another price.' }),
            interval: z.enum(BILLING_INTERVALS).nullable().meta({ description: 'How often it is paid.' }),
            status: z.enum(SUBSCRIPTION_STATUSES).meta({ description: 'As Stripe has it.' }),
            currentPeriodEnd: moment.meta({ description: 'Until when it is paid.' }),
            endsAt: moment.nullable().meta({ description: 'When it ends; null: it goes on.' }),
            pastDueSince: moment.nullable().meta({ description: 'When a payment failed; null: none has.' }),
            collectionPause: z
              .object({ resumesAt: moment.nullable().meta({ description: 'When payments are collected again.' }) })
              .nullable()
              .meta({ description: 'Null: payments are collected.' }),
          })
          .nullable()
          .meta({ description: 'Null: there is no subscription.' }),
        events: z
          .array(
            z.object({
              id: z.string().meta({ description: 'Id of the event at Stripe.', example: 'evt_a1b2c3' }),
              type: z.string().meta({ description: 'Kind of the event.', example: 'invoice.paid' }),
              createdAt: moment.meta({ description: 'When it happened.' }),
              receivedAt: moment.meta({ description: 'When it arrived here.' }),
            }),
          )
          .meta({ description: 'Events of Stripe, newest first.' }),
      })
      .nullable()
      .meta({ description: 'Null: nothing was ever bought.' }),
    activity: z.array(eventSchema).meta({ description: 'All stored events, newest first.' }),
    ownBrands: z
      .array(
        z.object({
          ...entrySchema.pick({ slug: true, title: true, hex: true, domains: true, aliases: true, categories: true })
            .shape,
          guidelines: entrySchema.shape.guidelines,
          links: z.record(z.string(), z.string()).meta({
            description: 'Web addresses by what they lead to.',
            example: { website: 'https://intranet.example.com' },
          }),
          drawings: z.record(z.string(), z.string()).meta({
            description: 'SVGs that were put, by variant.',
            example: { default: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">…</svg>' },
          }),
          createdAt: moment.meta({ description: 'When it was made.' }),
          updatedAt: moment.meta({ description: 'When it last changed.' }),
        }),
      )
      .meta({ description: 'Own brands, with their drawings.' }),
    usage: z
      .array(
        z.object({
          date: utcDay,
          bucket: z.enum(BUCKETS).meta({ description: 'What was counted.' }),
          used: count.meta({ description: 'Requests of the day that counted.' }),
        }),
      )
      .meta({ description: 'Per day and bucket, oldest first.' }),
    responses: z
      .array(
        z.object({
          date: utcDay,
          responses: responseCounts,
          slugs: z.array(slugRequests).max(MAX_COUNTED_SLUGS).meta({ description: 'The most requested slugs.' }),
        }),
      )
      .meta({ description: 'Per day, oldest first, with the most requested slugs.' }),
  })
  .meta({ id: 'Export' });
type ExportFields = Presented<typeof exportSchema>;

export const ownAccountRoutes: readonly Route[] = [
  route('GET /auth/me', {
    auth: 'bearer',
    summary: 'Get the account',
    description: 'The account of the access token: address, tier and key.',
    responses: { 200: { description: 'The account', schema: z.object({ account: accountSchema }) } },
    handle: ({ caller: { account } }, { now }) => json(200, { account: presentAccount(account, now()) }, NO_STORE),
  }),
  route('GET /auth/activity', {
    auth: 'bearer',
    summary: 'List security events',
    description:
      'Newest first: sign-ins, wrong passwords, keys, links, sessions. Changes of own brands have a list of their own, `topic=own-brands`. ' +
      'Kept for 400 days.',
    query: activityQuery,
    responses: {
      200: {
        description: 'A result page of events',
        schema: z.object({
          events: z.array(eventSchema).meta({ description: 'Events of this page, newest first.' }),
          nextCursor: eventId.nullable().meta({ description: 'For `cursor`; null on the last page.' }),
        }),
      },
    },
    handle: async ({ query: { topic = 'account', limit = DEFAULT_LIMIT, cursor }, caller }, { own }) => {
      const { events, next } = await own.activity(caller, {
        ...{ limit, before: cursor, ...(topic !== 'all' && { topic }) },
      });
      return json(200, { events: events.map(presentEvent), nextCursor: next }, NO_STORE);
    },
  }),
  route('POST /auth/export', {
    auth: 'bearer',
    summary: 'Export all data of the account',
    description:
      'Everything except the hashes of the password, the key and the sessions. Streamed, without ' +
      '`Content-Length`; one export at a time per account. If it fails half-way, the connection is closed ' +
      'before the JSON is complete.',
    body: confirmation,
    responses: {
      200: {
        description: 'The data of the account',
        schema: exportSchema,
        headers: { 'Content-Disposition': contentDisposition },
      },
    },
    errors: PASSWORD_ERRORS,
    handle: async ({ body, caller, client }, { own, credentials, now }) => {
      const confirmed = await credentials.confirm({ ...body, caller, client });
      return jsonChunks(exportText(await own.export(confirmed, client), now()), NO_STORE, {
        'Content-Disposition': 'attachment; filename="blazon-account.json"',
      });
    },
  }),
  route('DELETE /auth/account', {
    auth: 'bearer',
    summary: 'Delete the account',
    description:
      'Its key and all its sessions are rejected from now on. The e-mail address can register again, and gets a mail about ' +
      'the deletion.',
    body: confirmation,
    responses: {
      204: {
        description: 'The account is deleted',
        headers: { 'Set-Cookie': setCookie('Deletes the session cookie.') },
      },
    },
    errors: PASSWORD_ERRORS,
    handle: async ({ body, caller, client }, { credentials, cookies }) => {
      await credentials.deleteAccount({ ...body, caller, client });
      return noContent(cookies.signedOut);
    },
  }),
];

/** JSON text of an `exportSchema`: its fields in their order, `activity` page by page. */
async function* exportText(parts: AsyncIterable<ExportPart>, nowMs: number): AsyncGenerator<string, void> {
  let counters: Pick<ExportFields, 'usage' | 'responses'> = { usage: [], responses: [] };
  let isFirst = true;
  let list: 'activity' | 'ownBrands' = 'activity';
  for await (const part of parts) {
    if (part.kind === 'brand' && list === 'activity') {
      yield '],"ownBrands":[';
      [list, isFirst] = ['ownBrands', true];
    }
    if (part.kind === 'account') {
      counters = {
        usage: part.usage.flatMap(({ day, used }) =>
          bucketEntries(used).map(([bucket, count]) => ({ date: day, bucket, used: count })),
        ),
        responses: part.responses.map(({ day, responses, slugs }) => ({ date: day, responses, slugs })),
      };
      yield `${JSON.stringify(heldBeside(part, nowMs)).slice(0, -1)},"activity":[`;
    } else {
      const items = part.kind === 'brand' ? [exportedBrand(part)] : part.events.map(presentEvent);
      if (items.length === 0) continue;
      yield (isFirst ? '' : ',') + items.map((item) => JSON.stringify(item)).join(',');
      isFirst = false;
    }
  }
  yield `${list === 'activity' ? '],"ownBrands":[' : ''}],${JSON.stringify(counters).slice(1)}`;
}

function exportedBrand({ brand, drawings }: Extract<ExportPart, { kind: 'brand' }>): ExportFields['ownBrands'][number] {
  const { slug, title, hex, domains, aliases, categories, guidelines, links, createdAt, updatedAt } = brand;
  return { slug, title, hex, domains, aliases, categories, guidelines, links, drawings, createdAt, updatedAt };
}

/** Only the owner of the other account is to know that it has the new address. */
export function presentMail({ kind, to, at }: PendingMail): ExportFields['mails'][number] {
  return { kind: kind === 'email-in-use' ? 'confirm-email' : kind, to, at };
}

type AccountPart = Extract<ExportPart, { kind: 'account' }>;

function heldBeside(
  { account, sessions, paymentEvents }: AccountPart,
  nowMs: number,
): Omit<ExportFields, 'activity' | 'ownBrands' | 'usage' | 'responses'> {
  return {
    account: presentAccount(account, nowMs),
    publishableKeys: account.publishableKeys.map(presentPublishableKey),
    sessions: sessions.map(presentSession),
    links: account.links.map(({ purpose, expiresAt, newEmail }) => ({ purpose, expiresAt, newEmail })),
    mails: account.mails.map(presentMail),
    billing: account.billing && {
      customerId: account.billing.customerId,
      subscription: account.billing.subscription,
      events: paymentEvents.map(({ id, type, createdAt, receivedAt }) => ({ id, type, createdAt, receivedAt })),
    },
  };
}
