// Audit facts about changes of a subscription.
import type { AuditFact } from '../audit-event.js';
import { isOpen, type Subscription } from '../subscription.js';

/**
 * Kinds of change. The field `detail.subscription` of an audit event contains the kind, for which `audit-message.ts`
 * has a sentence.
 */
type SubscriptionChange = 'new' | 'removed' | 'plan' | 'canceled' | 'resumed' | 'status';

/** Returns the audit facts of a change. A renewal has none, because the payment provider sends a receipt for it. */
export function subscriptionFacts(before: Subscription | null, after: Subscription | null): AuditFact[] {
  if (after && isOpen(after) && !(before?.id === after.id && isOpen(before))) return [factOf('new', after)];
  // A new subscription is not reported if it is not open. It has ended, or its first payment is missing, so the owner
  // has bought nothing. Only the loss of the previous open subscription is reported.
  if (before?.id !== after?.id) return before && isOpen(before) ? [factOf('removed', before)] : [];
  return before && after ? changesOf(before, after).map((change) => factOf(change, after)) : [];
}

function changesOf(before: Subscription, after: Subscription): SubscriptionChange[] {
  const changes: SubscriptionChange[] = [];
  if (before.plan !== after.plan || before.interval !== after.interval) changes.push('plan');
  // If the subscription has already ended, `status` reports this. A changed `endsAt` is then not reported.
  if (isOpen(after) && before.endsAt?.getTime() !== after.endsAt?.getTime())
    changes.push(after.endsAt ? 'canceled' : 'resumed');
  if (before.status !== after.status) changes.push('status');
  return changes;
}

function factOf(subscription: SubscriptionChange, { plan, interval, status, endsAt }: Subscription): AuditFact {
  const endsOn = endsAt?.toISOString().slice(0, 10) ?? null;
  return { type: 'user_updated', detail: { subscription, plan, interval, status, endsOn } };
}
