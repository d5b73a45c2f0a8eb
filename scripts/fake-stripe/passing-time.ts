// Passing of time: what is due by a moment happens in its order, at its own time.
import {
  cancelSubscription,
  DAY_SECONDS,
  expireSession,
  hasEnded,
  itemOf,
  renewSubscription,
  setStatus,
} from './lifecycle.js';
import type { State } from './state.js';
import type { Subscription } from './objects.js';

/** Stripe tries a first payment this long. */
const INCOMPLETE_SECONDS = DAY_SECONDS - 3600;

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
  const sessions = [...state.sessions.values()].filter(({ status }) => status === 'open');
  const all = [
    ...[...state.subscriptions.values()].flatMap((subscription) => subscriptionDue(state, subscription) ?? []),
    ...sessions.map((session): Due => ({ at: session.expires_at, run: () => expireSession(state, session) })),
  ];
  return all.sort((one, other) => one.at - other.at)[0];
}

function subscriptionDue(state: State, subscription: Subscription): Due | undefined {
  const { status, cancel_at: cancelAt, created } = subscription;
  if (hasEnded(subscription)) return undefined;
  if (status === 'incomplete')
    return { at: created + INCOMPLETE_SECONDS, run: () => setStatus(state, subscription, 'incomplete_expired') };
  const periodEnd = itemOf(subscription).current_period_end;
  if (cancelAt !== null && (cancelAt <= periodEnd || status === 'paused'))
    return { at: cancelAt, run: () => cancelSubscription(state, subscription) };
  if (status === 'paused') return undefined;
  const pays = status === 'active' || status === 'trialing';
  return { at: periodEnd, run: () => renewSubscription(state, subscription, pays) };
}
