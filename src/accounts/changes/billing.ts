// Changes of the payment provider's customer, the subscription, and the tier set by the operator.
import type { Account, AccountBilling } from '../account.js';
import type { AuditFact } from '../audit-event.js';
import { tierEndsAt, tierOf, tierSource, type TierParts } from '../tier.js';
import type { Subscription } from '../subscription.js';
import type { Tier } from '../plan.js';
import { DAY_MS, earlier, isWithin, MINUTE_MS } from '../../platform/time.js';
import { unchanged, type Change } from './change.js';
import { NOTICE_STEP_MS, withNotice } from './mails.js';
import { subscriptionFacts } from './subscription-facts.js';

/** Age in ms of the stored subscription at which a job asks the payment provider again. */
export const SYNC_EVERY_MS = DAY_MS;

/**
 * Duration in ms of a watch. During a watch, reads of the subscription ask the provider. A watch starts when the owner
 * opens a page of the provider, or returns from that page.
 */
const WATCH_MS = 10 * MINUTE_MS;
/**
 * A watch (a period of `WATCH_MS`, in which reads ask the payment provider) is renewed only if it is at least this old,
 * in ms. Younger watches are not renewed, because each renewal is a write.
 */
const RENEW_WATCH_MS = MINUTE_MS;

function withCurrentTier(account: Account, at: Date): Change {
  const tier = tierOf(account, at);
  if (tier === account.tier) return unchanged(account);
  const changed = { ...account, tier };
  return { account: changed, facts: [tierFact(account, changed, at)], result: undefined };
}

function tierFact({ tier: from }: Account, changed: Account, at: Date): AuditFact {
  return { type: 'authz_change', detail: { from, to: changed.tier, source: tierSource(changed, at) } };
}

/** Sets the tier that overrides the subscription. With null, the subscription decides the tier again. */
export function setOperatorTier(account: Account, tier: Tier | null, at: Date): Change {
  // The stored tier is compared as well, because an older release may have stored a wrong tier.
  if (account.operatorTier === tier && tierOf(account, at) === account.tier) return unchanged(account);
  const change = withCurrentTier({ ...account, operatorTier: tier }, at);
  // Adds an audit event even if the tier stays the same, because the source of the tier (operator or subscription) has
  // changed.
  return change.facts.length > 0 ? change : { ...change, facts: [tierFact(account, change.account, at)] };
}

/** Applies a report of the payment provider. Notifies the owner if the subscription has changed. */
function withReport(account: Account, billing: AccountBilling, at: Date): Change {
  const change = withCurrentTier({ ...account, billing }, at);
  const facts = subscriptionFacts(account.billing?.subscription ?? null, billing.subscription);
  if (facts.length === 0) return change;
  const unwatched = { ...change.account, billing: { ...billing, watchedUntil: null } };
  return {
    ...change,
    account: withNotice(unwatched, 'subscription-changed', at),
    facts: [...facts, ...change.facts],
  };
}

/**
 * Called when the owner opens the provider's billing page. Starts a watch (`watchSubscription`), adds an audit event,
 * and notifies the owner. There is at most one event and one notice in ten minutes.
 */
export function noteBillingPage(account: Account, at: Date): Change {
  const watched = watchSubscription(account, at);
  const last = account.noticedAt['billing-page-opened'];
  if (last !== undefined && isWithin(last.getTime(), NOTICE_STEP_MS, at.getTime())) return watched;
  return {
    account: withNotice(watched.account, 'billing-page-opened', at),
    facts: [{ type: 'sensitive_read', detail: { page: 'billing' } }],
    result: undefined,
  };
}

/** Starts or renews a watch. `isWatched` then returns true for ten minutes, or until the subscription changes. */
export function watchSubscription(account: Account, at: Date): Change {
  const { billing } = account;
  const leftMs = watchLeftMs(account, at);
  if (!billing || (leftMs > WATCH_MS - RENEW_WATCH_MS && leftMs <= WATCH_MS)) return unchanged(account);
  const watchedUntil = new Date(at.getTime() + WATCH_MS);
  return { account: { ...account, billing: { ...billing, watchedUntil } }, facts: [], result: undefined };
}

/**
 * Returns true during a watch. In this time, each read of the subscription asks the payment provider. Ignores a watch
 * that ends more than ten minutes from now, because it was set with a wrong clock.
 */
export function isWatched(account: Account, at: Date): boolean {
  const leftMs = watchLeftMs(account, at);
  return leftMs > 0 && leftMs <= WATCH_MS;
}

function watchLeftMs({ billing }: Account, at: Date): number {
  return billing?.watchedUntil ? billing.watchedUntil.getTime() - at.getTime() : 0;
}

export function setCustomer(account: Account, customerId: string, at: Date): Change {
  if (account.billing?.customerId === customerId) return unchanged(account);
  return withReport(account, { customerId, subscription: null, syncedAt: at, retryAt: null, watchedUntil: null }, at);
}

interface Report {
  readonly subscription: Subscription | null;
  readonly at: Date;
  /** True if the provider already had the owner's current e-mail address at the time of the report. */
  readonly isEmailTold?: boolean;
}

/** Applies a report about the customer's subscription. Ignores the report if the account now has another customer. */
export function setSubscription(
  account: Account,
  customerId: string,
  { subscription, at, isEmailTold = false }: Report,
): Change {
  const { billing } = account;
  if (billing?.customerId !== customerId) return unchanged(account);
  const dated = subscription && withPastDue(subscription, billing.subscription, at);
  const rest =
    billing.isEmailOutdated === true && !isEmailTold
      ? { retryAt: billing.retryAt, isEmailOutdated: true }
      : { retryAt: null };
  const { watchedUntil } = billing;
  return withReport(account, { customerId, subscription: dated, syncedAt: at, watchedUntil, ...rest }, at);
}

/**
 * Sets `pastDueSince` to the time of the first report of a missing payment. Later reports keep this time, so that a new
 * unpaid invoice does not restart the grace period.
 */
function withPastDue(subscription: Subscription, before: Subscription | null, at: Date): Subscription {
  if (subscription.status !== 'past_due') return { ...subscription, pastDueSince: null };
  const known = before?.id === subscription.id ? before.pastDueSince : null;
  return { ...subscription, pastDueSince: known ?? at };
}

/** Updates the tier from the stored subscription after a sync has failed. The next sync is at `retryAt`. */
export function postponeSync(account: Account, retryAt: Date, at: Date): Change {
  if (!account.billing) return unchanged(account);
  return withCurrentTier({ ...account, billing: { ...account.billing, retryAt } }, at);
}

/**
 * Returns the next time at which billing must process this account: the next sync, or the end of the granted plan if
 * the plan ends before the sync.
 */
export function billingDueAt(account: TierParts): Date | undefined {
  if (!account.billing) return undefined;
  const { syncedAt, retryAt } = account.billing;
  const nextSync = retryAt ?? new Date(syncedAt.getTime() + SYNC_EVERY_MS);
  const end = tierEndsAt(account);
  return end ? earlier(end, nextSync) : nextSync;
}
