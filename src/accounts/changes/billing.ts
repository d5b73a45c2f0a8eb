// Changes of an account's customer, subscription and operator's tier.
import type { Account, AccountBilling } from '../account.js';
import type { AuditFact } from '../audit-event.js';
import { tierEndsAt, tierOf, tierSource, type TierParts } from '../tier.js';
import type { Subscription } from '../subscription.js';
import type { Tier } from '../plan.js';
import { DAY_MS, earlier, isWithin, MINUTE_MS } from '../../platform/time.js';
import { unchanged, type Change } from './change.js';
import { NOTICE_STEP_MS, withNotice } from './mails.js';
import { subscriptionFacts } from './subscription-facts.js';

/** How old what is known of a customer may become. */
export const SYNC_EVERY_MS = DAY_MS;

/** How long the provider is asked after the owner has opened a page of it, or has come back from there. */
const WATCH_MS = 10 * MINUTE_MS;
/** A watch that began less than this ago is not renewed: each renewal is a write. */
const RENEW_WATCH_MS = MINUTE_MS;

/** The account with the tier that follows from the rest of it. */
function withCurrentTier(account: Account, at: Date): Change {
  const tier = tierOf(account, at);
  if (tier === account.tier) return unchanged(account);
  const changed = { ...account, tier };
  return { account: changed, facts: [tierFact(account, changed, at)], result: undefined };
}

function tierFact({ tier: from }: Account, changed: Account, at: Date): AuditFact {
  return { type: 'authz_change', detail: { from, to: changed.tier, source: tierSource(changed, at) } };
}

/** `tier` null: the subscription decides again. */
export function setOperatorTier(account: Account, tier: Tier | null, at: Date): Change {
  // The tier may differ all the same: an older release that runs beside this one has set it.
  if (account.operatorTier === tier && tierOf(account, at) === account.tier) return unchanged(account);
  const change = withCurrentTier({ ...account, operatorTier: tier }, at);
  // Recorded also where the tier stays: it no longer follows what is bought, or does again.
  return change.facts.length > 0 ? change : { ...change, facts: [tierFact(account, change.account, at)] };
}

/** The account after a report of the payment provider; the owner is notified of a change. */
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

/** The provider's billing page was opened: watched, recorded, and the owner notified; the last two once in ten minutes. */
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

/** From now on, until the subscription changes, `isWatched` for ten minutes. */
export function watchSubscription(account: Account, at: Date): Change {
  const { billing } = account;
  const leftMs = watchLeftMs(account, at);
  if (!billing || (leftMs > WATCH_MS - RENEW_WATCH_MS && leftMs <= WATCH_MS)) return unchanged(account);
  const watchedUntil = new Date(at.getTime() + WATCH_MS);
  return { account: { ...account, billing: { ...billing, watchedUntil } }, facts: [], result: undefined };
}

/** Whether reading the subscription asks the provider. False for a time that a clock ahead has written. */
export function isWatched(account: Account, at: Date): boolean {
  const leftMs = watchLeftMs(account, at);
  return leftMs > 0 && leftMs <= WATCH_MS;
}

function watchLeftMs({ billing }: Account, at: Date): number {
  return billing?.watchedUntil ? billing.watchedUntil.getTime() - at.getTime() : 0;
}

/** A new customer of the payment provider. */
export function setCustomer(account: Account, customerId: string, at: Date): Change {
  if (account.billing?.customerId === customerId) return unchanged(account);
  return withReport(account, { customerId, subscription: null, syncedAt: at, retryAt: null, watchedUntil: null }, at);
}

interface Report {
  readonly subscription: Subscription | null;
  readonly at: Date;
  /** The provider was told the present address of the owner before. */
  readonly isEmailTold?: boolean;
}

/** Takes over a report of the payment provider; ignored where the account has another customer by now. */
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

/** Since it was first reported so: each unpaid period has an invoice of its own, whose date would begin the time anew. */
function withPastDue(subscription: Subscription, before: Subscription | null, at: Date): Subscription {
  if (subscription.status !== 'past_due') return { ...subscription, pastDueSince: null };
  const known = before?.id === subscription.id ? before.pastDueSince : null;
  return { ...subscription, pastDueSince: known ?? at };
}

/** The tier by what is known, when the payment provider cannot be asked: it is asked again at `retryAt`. */
export function postponeSync(account: Account, retryAt: Date, at: Date): Change {
  if (!account.billing) return unchanged(account);
  return withCurrentTier({ ...account, billing: { ...account.billing, retryAt } }, at);
}

/** When something about billing is due: the end of the plan that is granted, or the next report. */
export function billingDueAt(account: TierParts): Date | undefined {
  if (!account.billing) return undefined;
  const { syncedAt, retryAt } = account.billing;
  const nextSync = retryAt ?? new Date(syncedAt.getTime() + SYNC_EVERY_MS);
  const end = tierEndsAt(account);
  return end ? earlier(end, nextSync) : nextSync;
}
