// Plan and subscription; buying and changing happens on the pages of the payment provider.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.js';
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
import { PasswordDialog } from './password-dialog.js';

type Interval = 'month' | 'year';
type PaidTier = 'pro' | 'enterprise';
type Asked =
  | { readonly kind: 'checkout'; readonly plan: PaidTier; readonly interval: Interval }
  | { readonly kind: 'portal' | 'cancel' | 'resume' };

export default function BillingPage() {
  const query = useQuery(subscription);
  const [asked, setAsked] = useState<Asked>();
  return (
    <>
      <PageHead title="Billing" lead="Your plan, and what others offer." />
      <div className="stack">
        {settings.billing === 'on' && <CheckoutReturn />}
        <section className="card" aria-labelledby="current">
          <QueryContent query={query}>{(current) => <CurrentPlan current={current} onAsk={setAsked} />}</QueryContent>
        </section>
        {settings.billing === 'off' ? (
          <Note>Billing is off on this service: ask its operator about other plans.</Note>
        ) : (
          query.data && !hasSubscription(query.data) && <Offers onAsk={setAsked} />
        )}
      </div>
      {asked && <AskedDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function hasSubscription({ status }: Subscription): boolean {
  return status === 'active' || status === 'trialing' || status === 'past_due';
}

interface AskProps {
  readonly onAsk: (asked: Asked) => void;
}

function CurrentPlan({ current, onAsk }: AskProps & { readonly current: Subscription }) {
  const { tier, source, status, interval, cancelAtPeriodEnd, currentPeriodEnd } = current;
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
          <dl className="facts">
            <Fact name="Status">
              <span className={status === 'active' || status === 'trialing' ? 'badge good' : 'badge warn'}>
                {status.replaceAll('_', ' ')}
              </span>
            </Fact>
            {currentPeriodEnd !== null && (
              <Fact name={cancelAtPeriodEnd ? 'Ends on' : 'Renews on'}>{formatDate(currentPeriodEnd)}</Fact>
            )}
          </dl>
          <div className="button-row">
            <Button onClick={() => onAsk({ kind: 'portal' })}>
              <Icon name="external-link" size={16} /> Payment method and invoices
            </Button>
            {cancelAtPeriodEnd ? (
              <Button kind="primary" onClick={() => onAsk({ kind: 'resume' })}>
                Keep the subscription
              </Button>
            ) : (
              <Button kind="danger" onClick={() => onAsk({ kind: 'cancel' })}>
                Cancel the subscription
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  );
}

function Offers({ onAsk }: AskProps) {
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
              <Offer key={plan.tier} plan={plan} interval={interval} onAsk={onAsk} />
            ))}
          </ul>
        )}
      </QueryContent>
    </Card>
  );
}

interface OfferProps extends AskProps {
  readonly plan: Plan;
  readonly interval: Interval;
}

function Offer({ plan: { tier, limits, prices }, interval, onAsk }: OfferProps) {
  if (tier !== 'pro' && tier !== 'enterprise') return null;
  const price = prices[interval];
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
      <Button
        kind="primary"
        disabled={price === null}
        onClick={() => onAsk({ kind: 'checkout', plan: tier, interval })}
      >
        Upgrade to {tier}
      </Button>
    </li>
  );
}

const TEXTS = {
  checkout: ['Upgrade', 'You pay on the page of the payment provider, and come back here.', 'Go to payment'],
  portal: ['Payment method and invoices', 'They are on a page of the payment provider.', 'Open the page'],
  cancel: [
    'Cancel the subscription',
    'The plan stays until the end of the period that is paid.',
    'Cancel the subscription',
  ],
  resume: ['Keep the subscription', 'It renews at the end of the period as before.', 'Keep it'],
} as const;

function AskedDialog({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }) {
  const [title, text, action] = TEXTS[asked.kind];
  return (
    <PasswordDialog
      title={title}
      text={text}
      action={action}
      danger={asked.kind === 'cancel'}
      run={(password) => carryOut(asked, password)}
      onClose={onClose}
    />
  );
}

async function carryOut(asked: Asked, currentPassword: string): Promise<void> {
  if (asked.kind === 'checkout') {
    const { plan, interval } = asked;
    const body = { plan, interval, currentPassword };
    location.assign((await callSignedIn('post', '/v1/billing/checkout', { body })).url);
  } else if (asked.kind === 'portal') {
    location.assign((await callSignedIn('post', '/v1/billing/portal', { body: { currentPassword } })).url);
  } else {
    await sendSignedIn(`/dashboard/subscription/${asked.kind}`, { method: 'POST', body: { currentPassword } });
    announce(asked.kind === 'cancel' ? 'The subscription ends with its period.' : 'The subscription goes on.');
    await queryClient.invalidateQueries();
  }
}
