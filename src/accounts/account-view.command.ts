// Operator's view of an account, as text and as JSON, without hashes and secrets.
import type { Account } from './account.js';
import type { AuditEvent } from './audit-event.js';
import { auditText } from './audit-message.js';
import { tierAt, tierSource } from './tier.js';
import { isLive, sessionEnd } from './session.js';
import type { Subscription } from './subscription.js';
import { BUCKETS } from './plan.js';
import type { UsageReport } from './account-usage.js';
import { tableOf } from '../platform/command-line/command.js';

type AccountView = ReturnType<typeof viewOf>;

export function viewOf(account: Account, at: Date) {
  const { id, email, emailVerified, createdAt, key, publishableKeys, ownBrands, mails } = account;
  return {
    id,
    email,
    emailVerified,
    tier: tierAt(account, at),
    tierSource: tierSource(account, at),
    subscription: account.billing?.subscription ?? null,
    customerId: account.billing?.customerId ?? null,
    status: statusOf(account),
    createdAt,
    key: key && { hint: key.hint, createdAt: key.createdAt, lastUsedAt: key.lastUsedAt },
    publishableKeys: publishableKeys.map(({ raw, ...rest }) => ({ ...rest, hint: raw.slice(-4) })),
    liveSessions: account.sessions.filter((session) => isLive(session, at)).length,
    ownBrands: ownBrands?.count ?? 0,
    pendingMails: mails.length,
  };
}

interface AccountDetails {
  readonly account: Account;
  readonly events: readonly AuditEvent[];
  readonly usage: UsageReport;
}

/** Returns the fields of `viewOf`, today's usage, live sessions and the latest security events. */
export function detailedViewOf({ account, events, usage }: AccountDetails, at: Date) {
  const sessions = account.sessions
    .filter((session) => isLive(session, at))
    .map((session) => ({
      id: session.id,
      createdAt: session.createdAt,
      lastUsedAt: session.lastUsedAt,
      expiresAt: sessionEnd(session),
      userAgent: session.userAgent,
      address: session.address,
    }));
  return {
    ...viewOf(account, at),
    usageToday: { date: usage.date, endpoints: usage.endpoints },
    sessions,
    recentEvents: events.map((event) => ({
      at: event.at,
      type: event.type,
      message: auditText(event),
      by: event.by,
      detail: event.detail ?? null,
    })),
  };
}

/** Returns the lines of a table of accounts. `requests` is present if the accounts are sorted by number of requests. */
export function accountTable(views: readonly (AccountView & { readonly requests?: number })[]): string[] {
  const byUse = views.some(({ requests }) => requests !== undefined);
  return tableOf(
    ['ID', 'E-MAIL', 'TIER', 'STATUS', 'KEY', 'CREATED', ...(byUse ? ['LAST USE', 'REQUESTS'] : [])],
    views.map(({ id, email, tier, status, key, createdAt, requests }) => [
      ...[id, email, tier, status],
      key ? `…${key.hint}` : 'none',
      dayText(createdAt),
      ...(byUse ? [key?.lastUsedAt ? dayText(key.lastUsedAt) : 'never', String(requests ?? 0)] : []),
    ]),
  );
}

export function accountLines(view: ReturnType<typeof detailedViewOf>): string[] {
  const { id, email, tier, tierSource: source, customerId, key, usageToday } = view;
  const from = source === 'none' ? '' : ` (${source})`;
  const isVerified = view.emailVerified ? 'verified' : 'not verified';
  return [
    `${email} (${id})`,
    `  tier ${tier}${from}   status ${view.status}   e-mail ${isVerified}   since ${dayText(view.createdAt)}`,
    ...(customerId === null ? [] : [`  customer ${customerId}   subscription ${subscriptionText(view.subscription)}`]),
    `  key ${key ? `…${key.hint}, ${useText(key)}` : 'none'}   unsent e-mails ${view.pendingMails}   own brands ${view.ownBrands}`,
    ...view.publishableKeys.map(
      ({ id: keyId, name, hint, origins, dailyLimit, lastUsedAt }) =>
        `  publishable key ${keyId}   …${hint}   ${name}   ${origins.join(' ') || 'all pages'}   ` +
        `${dailyLimit === null ? 'no daily limit' : `${dailyLimit} per day`}   ${useText({ lastUsedAt })}`,
    ),
    `  usage today (${usageToday.date}, UTC)`,
    ...BUCKETS.map((bucket) => `    ${bucket.padEnd(8)} ${usageText(usageToday.endpoints[bucket])}`),
    ...view.sessions.map(
      (session) =>
        `  session ${session.id}   until ${timeText(session.expiresAt)}   ${session.address ?? '-'}   ` +
        (session.userAgent ?? '-'),
    ),
    ...view.recentEvents.map(({ at, message, by }) => `  ${timeText(at)}   ${message}   ${by.address ?? by.kind}`),
  ];
}

function statusOf({ deleting, suspended }: Account): 'active' | 'suspended' | 'being deleted' {
  if (deleting) return 'being deleted';
  return suspended ? 'suspended' : 'active';
}

function subscriptionText(subscription: Subscription | null): string {
  if (!subscription) return 'none';
  const { id, plan, interval, status, currentPeriodEnd, endsAt, collectionPause } = subscription;
  const offer = plan === null ? `${id} (price without a plan)` : `${plan} per ${interval}`;
  const end = endsAt ? `ends ${timeText(endsAt)}` : `until ${timeText(currentPeriodEnd)}`;
  return `${offer}, ${status}, ${end}${collectionPause ? ', payment collection paused' : ''}`;
}

function usageText({ used, limit }: { readonly used: number; readonly limit: number | null }): string {
  return limit === null ? `${used} (no limit)` : `${used} of ${limit}`;
}

function useText({ lastUsedAt }: { readonly lastUsedAt: Date | null }): string {
  return lastUsedAt ? `last used ${timeText(lastUsedAt)}` : 'never used';
}

function dayText(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function timeText(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ');
}
