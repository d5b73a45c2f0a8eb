// Note after the return from a page of the payment provider. It says thanks for the new plan, or that nothing was paid.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Note } from '../../components/note.js';
import { refetch } from '../../data/client.js';
import { subscription, type Subscription } from '../../data/queries.js';
import { refreshSubscription } from './billing-calls.js';

/**
 * Interval in ms at which the page asks the service for the new plan, and time in ms after which the page stops asking.
 * The service asks the provider only every five seconds, but the provider may report the plan earlier.
 */
const ASK_MS = 1500;
const WAIT_MS = 10 * 60_000;
/**
 * Delay in ms of a second refresh. At the first refresh, the service may know only the state before the customer's
 * change, because the service asks the provider at most every five seconds.
 */
const ASK_AGAIN_MS = 6000;

/** Reads `?checkout=`, and removes it from the URL, so that a reload shows no second note. */
export function CheckoutReturn() {
  const [search] = useState(() => new URLSearchParams(location.search));
  const outcome = search.get('checkout') ?? '';
  useEffect(() => {
    if (outcome === '') return undefined;
    history.replaceState(history.state, '', location.pathname);
    if (outcome === 'canceled') return undefined;
    // The service may not know yet what the customer did at the provider. If the refresh fails, the page shows the
    // subscription that the service knows.
    const refresh = () => void refreshSubscription().catch(() => undefined);
    refresh();
    const timer = setTimeout(refresh, ASK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  if (outcome === 'canceled') return <Note>The checkout was canceled, and nothing was paid.</Note>;
  if (outcome === 'changed') return <Thanks plan={search.get('plan') ?? undefined} />;
  return outcome === 'done' ? <Thanks plan={undefined} /> : null;
}

/** `plan` is the plan to which the subscription was changed. Undefined means any plan. */
function Thanks({ plan }: { readonly plan: string | undefined }) {
  const [isLate, setLate] = useState(false);
  const isThere = (current: Subscription | undefined) =>
    hasPlan(current) && (plan === undefined || current?.plan === plan);
  const { data } = useQuery({
    ...subscription,
    refetchInterval: ({ state }) => (isLate || isThere(state.data) ? false : ASK_MS),
  });
  const isPaid = isThere(data);
  useEffect(() => {
    if (!isPaid) {
      const timer = setTimeout(() => setLate(true), WAIT_MS);
      return () => clearTimeout(timer);
    }
    // Reloads limits and other data that depend on the plan.
    void refetch();
    return undefined;
  }, [isPaid]);
  return (
    <div role="status">
      {isPaid ? (
        <Note kind="good">
          <p>
            Thank you. Your plan is <strong>{data?.tier}</strong> now. Its limits apply immediately.
          </p>
        </Note>
      ) : (
        <Note>
          <p>
            {isLate
              ? 'Thank you. The payment provider has not confirmed your payment yet. Your plan changes after the confirmation. If this takes too long, write to the operator of this service.'
              : 'Thank you. Waiting for the payment provider to confirm your payment…'}
          </p>
        </Note>
      )}
    </div>
  );
}

function hasPlan(current: Subscription | undefined): boolean {
  return current?.status === 'active' || current?.status === 'trialing';
}
