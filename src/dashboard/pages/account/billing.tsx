// Plan and subscription; buying and changing happens on the pages of the payment provider.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card, Fact } from '../../components/card.js';
import { Chips } from '../../components/chips.js';
import { Icon } from '../../components/icon.js';
import { Note } from '../../components/note.js';
import { QueryContent } from '../../components/query-states.js';
import { announce } from '../../components/toasts.js';
import { callSignedIn, sendSignedIn } from '../../data/call.js';
import { queryClient } from '../../data/client.js';
import { plans, subscription, type Plan, type Subscription } from '../../data/queries.js';
import { formatDate, formatNumber, formatPrice } from '../../format.js';
import { settings } from '../../settings.js';
import { CheckoutReturn } from './checkout-return.js';
import { PageHead } from './page-head.js';
import { PasswordButton } from './password-button.js';

type Interval = 'month' | 'year';

export default function BillingPage() {
  const query = useQuery(subscription);
  return (
    <>
      <PageHead title="Billing" lead="Your plan, and what others offer." />
      <div className="stack">
        {settings.billing === 'on' && <CheckoutReturn />}
        <section className="card" aria-labelledby="current">
          <QueryContent query={query}>{(current) => <CurrentPlan {...current} />}</QueryContent>
        </section>
        {settings.billing === 'off' ? (
          <Note>Billing is off on this service: ask its operator about other plans.</Note>
        ) : (
          query.data && !hasSubscription(query.data) && <Offers />
        )}
      </div>
    </>
  );
}

function hasSubscription({ status }: Subscription): boolean {
  return status === 'active' || status === 'trialing' || status === 'past_due';
}

function CurrentPlan(current: Subscription) {
  const { tier, source, status, interval } = current;
  return (
    <div className="card-body stack">
      <div>
        <h2 id="current" className="plan-name">
          {tier}
        </h2>
        <p className="quiet">
          {source === 'operator' && 'Set by the operator of this service.'}
          {source === 'none' && 'Without a subscription.'}
          {source === 'stripe' && `Paid by the ${interval ?? 'month'}.`}
        </p>
      </div>
      {status === 'past_due' && (
        <Note kind="warn">The last payment failed. Update your payment method to keep the plan.</Note>
      )}
      {settings.billing === 'on' && status !== null && (
        <>
          <PeriodFacts {...current} />
          <SubscriptionButtons {...current} />
        </>
      )}
    </div>
  );
}

function PeriodFacts({ status, currentPeriodEnd, cancelAtPeriodEnd }: Subscription) {
  return (
    <dl className="facts">
      <Fact name="Status">
        <span className={status === 'active' || status === 'trialing' ? 'badge good' : 'badge warn'}>
          {status?.replaceAll('_', ' ')}
        </span>
      </Fact>
      {currentPeriodEnd !== null && (
        <Fact name={cancelAtPeriodEnd ? 'Ends on' : 'Renews on'}>{formatDate(currentPeriodEnd)}</Fact>
      )}
    </dl>
  );
}

function SubscriptionButtons({ cancelAtPeriodEnd }: Subscription) {
  return (
    <div className="button-row">
      <PasswordButton
        title="Payment method and invoices"
        text="They are on a page of the payment provider."
        action="Open the page"
        run={openPortal}
      >
        <Icon name="external-link" size={16} /> Payment method and invoices
      </PasswordButton>
      {cancelAtPeriodEnd ? (
        <PasswordButton
          key="resume"
          kind="primary"
          title="Keep the subscription"
          text="It renews at the end of the period as before."
          action="Keep it"
          run={(password) => changeSubscription('resume', password)}
        >
          Keep the subscription
        </PasswordButton>
      ) : (
        <PasswordButton
          key="cancel"
          kind="danger"
          title="Cancel the subscription"
          text="The plan stays until the end of the period that is paid."
          action="Cancel the subscription"
          run={(password) => changeSubscription('cancel', password)}
        >
          Cancel the subscription
        </PasswordButton>
      )}
    </div>
  );
}

async function openPortal(currentPassword: string): Promise<void> {
  location.assign((await callSignedIn('post', '/v1/billing/portal', { body: { currentPassword } })).url);
}

async function changeSubscription(change: 'cancel' | 'resume', currentPassword: string): Promise<void> {
  await sendSignedIn(`/dashboard/subscription/${change}`, { method: 'POST', body: { currentPassword } });
  announce(change === 'cancel' ? 'The subscription ends with its period.' : 'The subscription goes on.');
  await queryClient.invalidateQueries();
}

function Offers() {
  const query = useQuery(plans);
  const [interval, setInterval] = useState<Interval>('month');
  const intervals = (
    <Chips
      label="Billing interval"
      values={['month', 'year'] as const}
      text={(each) => (each === 'month' ? 'Monthly' : 'Yearly')}
      isPressed={(each) => each === interval}
      onPress={setInterval}
    />
  );
  return (
    <Card title="Upgrade" action={intervals}>
      <QueryContent query={query}>
        {(list) => (
          <ul className="list">
            {list.map((plan) => (
              <Offer key={plan.tier} {...plan} interval={interval} />
            ))}
          </ul>
        )}
      </QueryContent>
    </Card>
  );
}

function Offer({ tier, limits, prices, interval }: Plan & { readonly interval: Interval }) {
  if (tier !== 'pro' && tier !== 'enterprise') return null;
  const price = prices[interval];
  const buy = async (currentPassword: string): Promise<void> => {
    const body = { plan: tier, interval, currentPassword };
    location.assign((await callSignedIn('post', '/v1/billing/checkout', { body })).url);
  };
  return (
    <li>
      <div className="grow">
        <strong className="capital">{tier}</strong>
        <span className="small quiet">
          {limits.svg === null ? 'Unlimited' : formatNumber(limits.svg)} SVG pictures and{' '}
          {limits.search === null ? 'unlimited' : formatNumber(limits.search)} searches a day
        </span>
      </div>
      <span className="tabular">
        {price === null
          ? 'Not sold by the ' + interval
          : price.amount === null
            ? 'Depends'
            : `${formatPrice(price.amount, price.currency)} a ${interval}`}
      </span>
      <PasswordButton
        kind="primary"
        disabled={price === null}
        title="Upgrade"
        text="You pay on the page of the payment provider, and come back here."
        action="Go to payment"
        run={buy}
      >
        Upgrade to {tier}
      </PasswordButton>
    </li>
  );
}
