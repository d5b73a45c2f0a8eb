// GET /auth/me, /auth/activity, POST /auth/export, DELETE /auth/account: account data, export and deletion.
import { z } from 'zod';
import { AUDIT_ID_PATTERN, AUDIT_TOPICS } from './audit-event.js';
import { storedEmail } from './email.js';
import { LINK_LIFETIME_MS, type LinkPurpose } from './email-link.js';
import { MAX_PUBLISHABLE_KEYS } from './publishable-key.js';
import { MAIL_KINDS, type PendingMail } from './pending-mail.js';
import { enumParameter, integerParameter, patternParameter } from '../platform/web/query-parameter.js';
import type { ExportPart } from './account-data.js';
import type { ExportField } from './export-field.js';
import { contentDisposition, setCookie } from '../platform/http/openapi/headers.js';
import { json, jsonChunks, noContent, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import {
  accountResponse,
  eventId,
  eventSchema,
  PASSWORD_ERRORS,
  presentAccount,
  presentEvent,
  presentPublishableKey,
  presentSession,
  publishableKeyResponse,
  sessionResponse,
} from './schemas.routes.js';
import { confirmation } from './fields.routes.js';
import { moment, type Presented } from '../platform/http/openapi/times-and-counts.js';

const DEFAULT_LIMIT = 20;

const activityQuery = z.strictObject({
  topic: enumParameter([...AUDIT_TOPICS, 'all'], {
    absent: 'account',
    description: '`account`: sign-ins, keys, links and sessions. `own-brands`: changes of own brands. `all`: both.',
  }),
  limit: integerParameter({
    min: 1,
    max: 100,
    absent: DEFAULT_LIMIT,
    description: 'Maximum number of events per page.',
  }),
  cursor: patternParameter(AUDIT_ID_PATTERN, {
    description: '`nextCursor` of the previous page.',
    allowed: 'the nextCursor of the previous page',
  }),
});

const exportSchema = z.object({
  account: accountResponse,
  publishableKeys: z
    .array(publishableKeyResponse)
    .max(MAX_PUBLISHABLE_KEYS)
    .meta({ description: 'All publishable keys.' }),
  sessions: z.array(sessionResponse).meta({ description: 'All active sessions.' }),
  links: z
    .array(
      z.object({
        purpose: z
          .enum(Object.keys(LINK_LIFETIME_MS) as [LinkPurpose, ...LinkPurpose[]])
          .meta({ description: 'Purpose of the link.' }),
        expiresAt: moment.meta({ description: 'When the link expires.' }),
        newEmail: storedEmail()
          .optional()
          .meta({ description: 'For a pending change of the e-mail address: the new address.' }),
      }),
    )
    .meta({ description: 'Links that were sent by e-mail and not used yet.' }),
  mails: z
    .array(
      z.object({
        kind: z.enum(MAIL_KINDS).meta({ description: 'Kind of e-mail.' }),
        to: storedEmail().optional().meta({ description: 'Recipient, if it is not the address of the account.' }),
        at: moment.meta({ description: 'When the e-mail was created.' }),
      }),
    )
    .meta({ description: 'E-mails that are not sent yet.' }),
  activity: z.array(eventSchema).meta({ description: 'All stored events, newest first.' }),
});
type ExportFields = Presented<typeof exportSchema>;

const exportWith = (fields: readonly ExportField[]) =>
  exportSchema.extend(Object.fromEntries(fields.map(({ name, schema }) => [name, schema]))).meta({ id: 'Export' });

const accountRoutes: readonly Route[] = [
  route('GET /auth/me', {
    auth: 'bearer',
    summary: 'Get the account',
    description: 'Returns the account of the access token, with its e-mail address, tier and key.',
    responses: { 200: { description: 'The account', schema: z.object({ account: accountResponse }) } },
    handle: ({ caller: { account } }, { now }) => json(200, { account: presentAccount(account, now()) }, NO_STORE),
  }),
  route('GET /auth/activity', {
    auth: 'bearer',
    summary: 'List security events',
    description:
      'Newest first. By default, the list contains sign-ins, wrong passwords, and changes of keys, links and ' +
      'sessions. `topic=own-brands` lists changes of own brands instead. Events are kept for 400 days.',
    query: activityQuery,
    responses: {
      200: {
        description: 'A page of events',
        schema: z.object({
          events: z.array(eventSchema).meta({ description: 'Events of this page, newest first.' }),
          nextCursor: eventId.nullable().meta({ description: 'Value for `cursor`; null on the last page.' }),
        }),
      },
    },
    handle: async ({ query: { topic = 'account', limit = DEFAULT_LIMIT, cursor }, caller }, { accountData }) => {
      const { events, next } = await accountData.activity(caller, {
        ...{ limit, before: cursor, ...(topic !== 'all' && { topic }) },
      });
      return json(200, { events: events.map(presentEvent), nextCursor: next }, NO_STORE);
    },
  }),
  route('DELETE /auth/account', {
    auth: 'bearer',
    summary: 'Delete the account',
    description:
      'The API key and all sessions stop working immediately. The e-mail address receives a confirmation and can ' +
      'be registered again.',
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

const exportRoute = (exported: readonly ExportField[]): Route =>
  route('POST /auth/export', {
    auth: 'bearer',
    summary: 'Export all data of the account',
    description:
      'Contains everything except the hashes of the password, the keys and the sessions. The response is ' +
      'streamed without `Content-Length`. If the export fails, the connection is closed before the JSON is ' +
      'complete. An account can run one export at a time.',
    body: confirmation,
    responses: {
      200: {
        description: 'The data of the account',
        schema: exportWith(exported),
        headers: { 'Content-Disposition': contentDisposition },
      },
    },
    errors: PASSWORD_ERRORS,
    handle: async ({ body, caller, client }, { accountData, credentials, now }) => {
      const confirmed = await credentials.confirm({ ...body, caller, client });
      return jsonChunks(exportText(await accountData.export(confirmed, client, exported), now()), NO_STORE, {
        'Content-Disposition': 'attachment; filename="blazon-account.json"',
      });
    },
  });

export const ownAccountRoutes = (exported: readonly ExportField[]): readonly Route[] => [
  ...accountRoutes,
  exportRoute(exported),
];

/**
 * Yields the JSON text of an export: first the fields of the account, then the fields of the other parts in the order
 * of `parts`. Lists are yielded page by page.
 */
async function* exportText(parts: AsyncIterable<ExportPart>, nowMs: number): AsyncGenerator<string, void> {
  /** Name of the list that is open: its closing `]` is not written yet. */
  let list: string | undefined;
  let separator = '';
  for await (const part of parts) {
    if (part.kind === 'account') yield JSON.stringify(heldBeside(part, nowMs)).slice(0, -1);
    else if (part.kind === 'value') {
      yield `${list === undefined ? '' : ']'},"${part.name}":${JSON.stringify(part.value)}`;
      list = undefined;
    } else {
      const [name, items] =
        part.kind === 'activity' ? ['activity', part.events.map(presentEvent)] : [part.name, part.items];
      if (name !== list) {
        yield `${list === undefined ? '' : ']'},"${name}":[`;
        [list, separator] = [name, ''];
      }
      if (items.length === 0) continue;
      yield separator + items.map((item) => JSON.stringify(item)).join(',');
      separator = ',';
    }
  }
  yield `${list === undefined ? '' : ']'}}`;
}

/**
 * Presents the kind `email-in-use` as `confirm-email`, because `email-in-use` would reveal that another account has the
 * new address.
 */
export function presentMail({ kind, to, at }: PendingMail): ExportFields['mails'][number] {
  return { kind: kind === 'email-in-use' ? 'confirm-email' : kind, to, at };
}

type AccountPart = Extract<ExportPart, { kind: 'account' }>;

function heldBeside({ account, sessions }: AccountPart, nowMs: number): Omit<ExportFields, 'activity'> {
  return {
    account: presentAccount(account, nowMs),
    publishableKeys: account.publishableKeys.map(presentPublishableKey),
    sessions: sessions.map(presentSession),
    links: account.links.map(({ purpose, expiresAt, newEmail }) => ({ purpose, expiresAt, newEmail })),
    mails: account.mails.map(presentMail),
  };
}
