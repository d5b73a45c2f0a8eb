// All plans with their limits and prices, and buttons for changing the plan.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/card.js';
import { Chips } from '../../components/chips.js';
import { QueryContent } from '../../components/query-states.js';
import { BUCKETS, BUCKET_NAMES } from '../../data/buckets.js';
import { plans, type Plan, type Subscription } from '../../data/queries.js';
import { formatNumber, formatPrice } from '../../format.js';
import { settings } from '../../settings.js';
import { openPageOfProvider } from './billing-calls.js';
import { PasswordButton } from './password-button.js';

type Interval = 'month' | 'year';

const BILLING: Readonly<Record<Interval, string>> = { month: 'monthly', year: 'yearly' };

export function Offers({ current }: { readonly current: Subscription }) {
  const query = useQuery(plans);
  const [interval, setInterval] = useState<Interval>(current.interval ?? 'month');
  const intervals = settings.billing === 'on' && (
    <Chips
      label="Billing interval"
      values={['month', 'year'] as const}
      text={(each) => (each === 'month' ? 'Monthly' : 'Yearly')}
      isPressed={(each) => each === interval}
      onPress={setInterval}
    />
  );
  return (
    <Card title="Plans" lead={<p>Limits are requests per UTC day.</p>} action={intervals}>
      <QueryContent query={query} lines={8}>
        {(list) => (
          <div className="offers">
            {list.map((plan) => (
              <Offer key={plan.tier} plan={plan} interval={interval} current={current} />
            ))}
          </div>
        )}
      </QueryContent>
    </Card>
  );
}

interface OfferProps {
  readonly plan: Plan;
  readonly interval: Interval;
  readonly current: Subscription;
}

function Offer(props: OfferProps) {
  const { plan, current } = props;
  const { tier, limits, burstPerSecond } = plan;
  const isPresent = tier === current.tier;
  return (
    <section className={isPresent ? 'offer present' : 'offer'} aria-label={`The ${tier} plan`}>
      <div className="offer-head">
        <h3 className="capital">{tier}</h3>
        {isPresent && <span className="badge accent">Your plan</span>}
      </div>
      {settings.billing === 'on' && <Price {...props} />}
      <dl className="offer-limits">
        {BUCKETS.map((bucket) => (
          <Limit key={bucket} name={BUCKET_NAMES[bucket]} value={limits[bucket]} />
        ))}
        <Limit name="Requests a second" value={burstPerSecond} />
      </dl>
      {settings.billing === 'on' && <OfferButton {...props} />}
    </section>
  );
}

function Limit({ name, value }: { readonly name: string; readonly value: number | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular">{value === null ? 'No limit' : formatNumber(value)}</dd>
    </div>
  );
}

function Price({ plan: { tier, prices }, interval }: OfferProps) {
  const price = prices[interval];
  if (tier === 'free') return <p className="offer-price">No charge</p>;
  if (price === null) return <p className="quiet">Not available with {BILLING[interval]} billing</p>;
  if (price.amount === null) return <p className="quiet">No fixed price</p>;
  return (
    <p className="offer-price">
      {formatPrice(price.amount, price.currency)} <span className="quiet">a {interval}</span>
    </p>
  );
}

/** Accounts with a tier set by the operator can't buy a plan. */
function OfferButton({ plan: { tier, prices }, interval, current }: OfferProps) {
  if ((tier !== 'pro' && tier !== 'enterprise') || prices[interval] === null || current.source === 'operator')
    return null;
  const isSubscribed = hasSubscription(current);
  const isPresent = isSubscribed && tier === current.plan;
  if (isPresent && interval === current.interval) return null;
  const target = isPresent ? `${BILLING[interval]} billing` : tier;
  const name = isSubscribed ? `Change to ${target}` : `Upgrade to ${target}`;
  return (
    <PasswordButton
      once
      kind="primary"
      title={name}
      text={
        isSubscribed
          ? 'The payment provider shows the new price and asks you to confirm the change.'
          : 'You pay on the page of the payment provider, and come back here.'
      }
      action={isSubscribed ? 'Go on' : 'Go to payment'}
      run={(password) => openPageOfProvider('checkout', { plan: tier, interval }, password)}
    >
      {name}
    </PasswordButton>
  );
}

function hasSubscription({ status }: Subscription): boolean {
  return status === 'active' || status === 'trialing' || status === 'past_due';
}
