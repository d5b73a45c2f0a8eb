// Changes of an account's customer, subscription and operator's tier, and the tier that follows from them.
import type { Account } from '../account.js';
import type { AuditFact } from '../audit-event.js';
import { grantedUntil, isGranted, type Subscription } from '../../billing/subscription.js';
import type { Tier } from '../../metering/plan.js';
import { DAY_MS, earlier } from '../../time.js';
import type { Change } from './change.js';

/** How old what is known of a customer may become. */
export const SYNC_EVERY_MS = DAY_MS;

type TierSource = 'operator' | 'stripe' | 'none';

/** Where the tier comes from: the operator's setting, else a subscription that is granted, else neither. */
export function tierSource({ operatorTier, billing }: Account, at: Date): TierSource {
  if (operatorTier !== null) return 'operator';
  return billing?.subscription && isGranted(billing.subscription, at) ? 'stripe' : 'none';
}

function tierOf(account: Account, at: Date): Tier {
  const { operatorTier, billing } = account;
  if (operatorTier !== null) return operatorTier;
  return billing?.subscription && isGranted(billing.subscription, at) ? billing.subscription.plan : 'free';
}

/** The account with the tier that follows from the rest of it. */
function withCurrentTier(account: Account, at: Date): Change {
  const tier = tierOf(account, at);
  if (tier === account.tier) return { account, facts: [], result: undefined };
  const changed = { ...account, tier };
  return { account: changed, facts: [tierFact(account, changed, at)], result: undefined };
}

function tierFact({ tier: from }: Account, changed: Account, at: Date): AuditFact {
  return { type: 'authz_change', detail: { from, to: changed.tier, source: tierSource(changed, at) } };
}

/** `tier` null: the subscription decides again. */
export function setOperatorTier(account: Account, tier: Tier | null, at: Date): Change {
  // The tier may differ all the same: an older release that runs beside this one has set it.
  if (account.operatorTier === tier && tierOf(account, at) === account.tier)
    return { account, facts: [], result: undefined };
  const change = withCurrentTier({ ...account, operatorTier: tier }, at);
  // Recorded also where the tier stays: it no longer follows what is bought, or does again.
  return change.facts.length > 0 ? change : { ...change, facts: [tierFact(account, change.account, at)] };
}

/** A new customer of the payment provider. */
export function setCustomer(account: Account, customerId: string, at: Date): Change {
  if (account.billing?.customerId === customerId) return { account, facts: [], result: undefined };
  return withCurrentTier({ ...account, billing: { customerId, subscription: null, syncedAt: at, retryAt: null } }, at);
}

interface Report {
  readonly subscription: Subscription | null;
  readonly at: Date;
  /** The provider was told the present address of the owner before. */
  readonly isEmailTold?: boolean;
}

/** What the payment provider reports of this customer; nothing where the account has another one by now. */
export function setSubscription(
  account: Account,
  customerId: string,
  { subscription, at, isEmailTold = false }: Report,
): Change {
  const { billing } = account;
  if (billing?.customerId !== customerId) return { account, facts: [], result: undefined };
  const dated = subscription && withPastDue(subscription, billing.subscription, at);
  const rest =
    billing.isEmailOutdated === true && !isEmailTold
      ? { retryAt: billing.retryAt, isEmailOutdated: true }
      : { retryAt: null };
  return withCurrentTier({ ...account, billing: { customerId, subscription: dated, syncedAt: at, ...rest } }, at);
}

/** Since it was first reported so: each unpaid period has an invoice of its own, whose date would begin the time anew. */
function withPastDue(subscription: Subscription, before: Subscription | null, at: Date): Subscription {
  if (subscription.status !== 'past_due') return { ...subscription, pastDueSince: null };
  const known = before?.id === subscription.id ? before.pastDueSince : null;
  return { ...subscription, pastDueSince: known ?? at };
}

/** The tier by what is known, when the payment provider cannot be asked: it is asked again at `retryAt`. */
export function postponeSync(account: Account, retryAt: Date, at: Date): Change {
  if (!account.billing) return { account, facts: [], result: undefined };
  return withCurrentTier({ ...account, billing: { ...account.billing, retryAt } }, at);
}

/** When something about billing is due: the end of the plan that is granted, or the next report. */
export function billingDueAt({ billing, operatorTier, tier }: Account): Date | undefined {
  if (!billing) return undefined;
  const { subscription, syncedAt, retryAt } = billing;
  const nextSync = retryAt ?? new Date(syncedAt.getTime() + SYNC_EVERY_MS);
  const isSource = operatorTier === null && subscription?.plan === tier;
  const end = isSource ? grantedUntil(subscription) : undefined;
  return end ? earlier(end, nextSync) : nextSync;
}
