// Passing of time: what is due by a moment happens in its order, at its own time.
import {
  cancelSubscription,
  expireIncomplete,
  hasEnded,
  INCOMPLETE_SECONDS,
  itemOf,
  renewSubscription,
} from './lifecycle.js';
import type { State } from './state.js';
import type { CheckoutSession, Subscription } from './wire.js';

interface Due {
  /** Seconds since the epoch. */
  readonly at: number;
  readonly run: () => void;
}

/** Never back: a time before now is now. */
export function advance(state: State, timeMs: number): void {
  const until = Math.floor(Math.max(timeMs, state.nowMs()) / 1000);
  for (let due = firstDue(state); due && due.at <= until; due = firstDue(state)) {
    state.moveTo(due.at * 1000);
    due.run();
  }
  state.moveTo(timeMs);
}

function firstDue(state: State): Due | undefined {
  let first: Due | undefined;
  const consider = (due: Due | undefined) => {
    if (due && (!first || due.at < first.at)) first = due;
  };
  for (const subscription of state.subscriptions.values()) consider(subscriptionDue(state, subscription));
  for (const session of state.sessions.values()) consider(sessionDue(state, session));
  return first;
}

function subscriptionDue(state: State, subscription: Subscription): Due | undefined {
  const { status, cancel_at: cancelAt, created } = subscription;
  if (hasEnded(subscription)) return undefined;
  if (status === 'incomplete')
    return { at: created + INCOMPLETE_SECONDS, run: () => expireIncomplete(state, subscription) };
  const periodEnd = itemOf(subscription).current_period_end;
  if (cancelAt !== null && (cancelAt <= periodEnd || status === 'paused'))
    return { at: cancelAt, run: () => cancelSubscription(state, subscription) };
  if (status === 'paused') return undefined;
  const pays = status === 'active' || status === 'trialing';
  return { at: periodEnd, run: () => renewSubscription(state, subscription, pays) };
}

function sessionDue(state: State, session: CheckoutSession): Due | undefined {
  if (session.status !== 'open') return undefined;
  return { at: session.expires_at, run: () => expireSession(state, session) };
}

export function expireSession(state: State, session: CheckoutSession): void {
  session.status = 'expired';
  session.url = null;
  state.emit('checkout.session.expired', session);
}
