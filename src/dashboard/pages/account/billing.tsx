// Plan and subscription. Buying and changing a plan happens on the pages of the payment provider.
import { useQuery } from '@tanstack/react-query';
import { Fact } from '../../components/card.js';
import { Icon } from '../../components/icon.js';
import { Note } from '../../components/note.js';
import { QueryContent } from '../../components/query-states.js';
import { announce } from '../../components/toasts.js';
import { sendByCookie } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { subscription, type Subscription } from '../../data/queries.js';
import { formatDate } from '../../format.js';
import { settings } from '../../settings.js';
import { CheckoutReturn } from './checkout-return.js';
import { openPageOfProvider, withPassword } from './billing-calls.js';
import { Offers } from './offers.js';
import NotFound from '../not-found.js';
import { PageHead } from './page-head.js';
import { PasswordButton } from './password-button.js';

export default function BillingPage() {
  return settings.billing === 'on' ? <Billing /> : <NotFound />;
}

function Billing() {
  const query = useQuery(subscription);
  return (
    <>
      <PageHead title="Billing" lead="Your plan and the other plans." />
      <div className="stack">
        <CheckoutReturn />
        <section className="card" aria-labelledby="current">
          <QueryContent query={query}>{(current) => <CurrentPlan {...current} />}</QueryContent>
        </section>
        {query.data && <Offers current={query.data} />}
      </div>
    </>
  );
}

function CurrentPlan(current: Subscription) {
  const { tier, source, status, plan, interval, collectionPause } = current;
  const isOpen = isOpenStatus(status);
  return (
    <div className="card-body stack">
      <div>
        <h2 id="current" className="plan-name">
          {tier}
        </h2>
        <p className="quiet">
          {source === 'operator' && 'Set by the operator of this service.'}
          {source === 'none' &&
            (isOpen ? 'You have a subscription that belongs to no plan of this service.' : 'No subscription.')}
          {source === 'stripe' && `Billed every ${interval ?? 'month'}.`}
        </p>
      </div>
      {status === 'past_due' && (
        <Note kind="warn">The last payment failed. Update your payment method to keep the plan.</Note>
      )}
      {isOpen && plan === null && (
        <Note kind="warn">
          Your subscription belongs to none of the plans below. Ask the operator of this service which plan you have, or
          cancel the subscription.
        </Note>
      )}
      {collectionPause && (
        <Note>
          The operator has paused your payments
          {collectionPause.resumesAt !== null && ` until ${formatDate(collectionPause.resumesAt)}`}. You keep the plan.
        </Note>
      )}
      {status !== null && (
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
      {currentPeriodEnd !== null && isOpenStatus(status) && (
        <Fact name={cancelAtPeriodEnd ? 'Ends on' : 'Renews on'}>{formatDate(currentPeriodEnd)}</Fact>
      )}
    </dl>
  );
}

/** Returns true if the subscription has started and has not ended. */
function isOpenStatus(status: Subscription['status']): boolean {
  return status !== null && status !== 'canceled' && status !== 'incomplete' && status !== 'incomplete_expired';
}

function SubscriptionButtons({ status, cancelAtPeriodEnd }: Subscription) {
  return (
    <div className="button-row">
      <PasswordButton
        once
        title="Payment method and invoices"
        text="You find both on the website of the payment provider."
        action="Continue"
        run={(password) => openPageOfProvider('portal', {}, password)}
      >
        <Icon name="external-link" size={16} /> Payment method and invoices
      </PasswordButton>
      {!isOpenStatus(status) ? null : cancelAtPeriodEnd ? (
        <PasswordButton
          key="resume"
          once
          kind="primary"
          title="Keep the subscription"
          text="The subscription renews at the end of the current period."
          action="Keep subscription"
          run={(password) => changeSubscription('resume', password)}
        >
          Keep the subscription
        </PasswordButton>
      ) : (
        <PasswordButton
          key="cancel"
          once
          kind="danger"
          title="Cancel the subscription"
          text="You keep the plan until the end of the paid period."
          action="Cancel subscription"
          run={(password) => changeSubscription('cancel', password)}
        >
          Cancel the subscription
        </PasswordButton>
      )}
    </div>
  );
}

async function changeSubscription(change: 'cancel' | 'resume', password: string): Promise<void> {
  await sendByCookie(`/dashboard/subscription/${change}`, withPassword({}, password));
  announce(
    change === 'cancel'
      ? 'Subscription canceled. You keep the plan until the end of the period.'
      : 'Subscription kept.',
  );
  await refetch();
}
