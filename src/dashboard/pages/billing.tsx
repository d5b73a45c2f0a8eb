// Plan and subscription; buying and changing happens on the pages of the payment provider.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callSignedIn, sendSignedIn } from '../data/call.js';
import { queryClient } from '../data/client.js';
import { plans, subscription, type Plan, type Subscription } from '../data/queries.js';
import { Button } from '../components/button.js';
import { CheckoutReturn } from '../components/checkout-return.js';
import { Confirm } from '../components/confirm.js';
import { Icon } from '../components/icon.js';
import { Loaded } from '../components/loaded.js';
import { Note } from '../components/note.js';
import { announce } from '../components/toaster.js';
import { formatDate, formatNumber, formatPrice } from '../format.js';
import { usePage } from '../hooks/use-page.js';
import { settings } from '../settings.js';

type Interval = 'month' | 'year';
type PaidTier = 'pro' | 'enterprise';
type Asked =
  | { readonly kind: 'checkout'; readonly plan: PaidTier; readonly interval: Interval }
  | { readonly kind: 'portal' | 'cancel' | 'resume' };

export default function BillingPage() {
  usePage('Billing');
  const query = useQuery(subscription);
  const [asked, setAsked] = useState<Asked>();
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Billing</h1>
          <p className="lead">Your plan, and what others offer.</p>
        </div>
      </header>
      <div className="stack">
        {settings.billing === 'on' && <CheckoutReturn />}
        <section className="card" aria-labelledby="current">
          <Loaded query={query}>{(current) => <CurrentPlan current={current} onAsk={setAsked} />}</Loaded>
        </section>
        {settings.billing === 'off' ? (
          <Note>Billing is off on this service: ask its operator about other plans.</Note>
        ) : (
          query.data && <Offers current={query.data} onAsk={setAsked} />
        )}
      </div>
      {asked && <AskedDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

interface CurrentProps {
  readonly current: Subscription;
  readonly onAsk: (asked: Asked) => void;
}

function CurrentPlan({ current, onAsk }: CurrentProps) {
  const { tier, source, status, interval, cancelAtPeriodEnd } = current;
  const isBought = settings.billing === 'on' && status !== null;
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
      {isBought && <PeriodFacts current={current} />}
      {isBought && (
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
      )}
    </div>
  );
}

function PeriodFacts({ current: { status, currentPeriodEnd, cancelAtPeriodEnd } }: { readonly current: Subscription }) {
  return (
    <dl className="facts">
      <div>
        <dt>Status</dt>
        <dd>
          <span className={status === 'active' || status === 'trialing' ? 'badge good' : 'badge warn'}>
            {status?.replaceAll('_', ' ')}
          </span>
        </dd>
      </div>
      {currentPeriodEnd !== null && (
        <div>
          <dt>{cancelAtPeriodEnd ? 'Ends on' : 'Renews on'}</dt>
          <dd>{formatDate(currentPeriodEnd)}</dd>
        </div>
      )}
    </dl>
  );
}

function Offers({ current, onAsk }: CurrentProps) {
  const query = useQuery(plans);
  const [interval, setInterval] = useState<Interval>('month');
  const isOpen = current.status === 'active' || current.status === 'trialing' || current.status === 'past_due';
  if (isOpen) return null;
  return (
    <section className="card" aria-labelledby="offers">
      <div className="card-head">
        <h2 id="offers">Upgrade</h2>
        <div className="chips" role="group" aria-label="Billing interval">
          {(['month', 'year'] as const).map((each) => (
            <button
              key={each}
              type="button"
              className="chip"
              aria-pressed={interval === each}
              onClick={() => setInterval(each)}
            >
              {each === 'month' ? 'Monthly' : 'Yearly'}
            </button>
          ))}
        </div>
      </div>
      <Loaded query={query}>
        {(list) => (
          <ul className="list">
            {list.map((plan) => (
              <Offer key={plan.tier} plan={plan} interval={interval} onAsk={onAsk} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

interface OfferProps {
  readonly plan: Plan;
  readonly interval: Interval;
  readonly onAsk: (asked: Asked) => void;
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
    <Confirm
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
  switch (asked.kind) {
    case 'checkout': {
      const { plan, interval } = asked;
      location.assign(
        (await callSignedIn('post', '/v1/billing/checkout', { body: { plan, interval, currentPassword } })).url,
      );
      return;
    }
    case 'portal':
      location.assign((await callSignedIn('post', '/v1/billing/portal', { body: { currentPassword } })).url);
      return;
    case 'cancel':
    case 'resume':
      await sendSignedIn(`/dashboard/subscription/${asked.kind}`, { method: 'POST', body: { currentPassword } });
      announce(asked.kind === 'cancel' ? 'The subscription ends with its period.' : 'The subscription goes on.');
      await queryClient.invalidateQueries();
  }
}
