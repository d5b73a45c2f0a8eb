// A plan: its price, its limits, and a button to get it.
import { useSession } from '../../api/session.js';
import { Icon } from '../../components/icon.js';
import { BUCKET_NAMES, BUCKETS } from '../../data/buckets.js';
import type { Plan } from '../../data/queries.js';
import { formatNumber, formatPrice } from '../../format.js';
import { operatorAddress } from '../../operator-address.js';
import { settings } from '../../settings.js';

export function PlanCard(plan: Plan) {
  const { tier, limits, burstPerSecond } = plan;
  const inSentence = (name: string) => name.replace(/^[A-Z](?=[a-z]+\b)/, (letter) => letter.toLowerCase());
  return (
    <article className={tier === 'pro' ? 'card plan featured' : 'card plan'}>
      <h3>{tier}</h3>
      <PlanPrice {...plan} />
      <PlanAction {...plan} />
      <ul className="plan-limits">
        {BUCKETS.map((bucket) => (
          <li key={bucket}>
            <Icon name="check" size={16} />
            <span>
              <strong className="tabular">
                {limits[bucket] === null ? 'Unlimited' : formatNumber(limits[bucket])}
              </strong>{' '}
              {inSentence(BUCKET_NAMES[bucket])} a day
            </span>
          </li>
        ))}
        <li>
          <Icon name="check" size={16} />
          <span>
            {burstPerSecond === null
              ? 'No limit on requests a second'
              : `${formatNumber(burstPerSecond)} requests a second`}
          </span>
        </li>
      </ul>
    </article>
  );
}

/** Returns the monthly price, or undefined if the plan is not sold here or its price is not known. */
function monthlyPrice({ prices: { month } }: Plan) {
  return settings.billing === 'on' && typeof month?.amount === 'number'
    ? { ...month, amount: month.amount }
    : undefined;
}

function PlanPrice(plan: Plan) {
  const price = monthlyPrice(plan);
  return (
    <p className="plan-price">
      {plan.tier === 'free' ? (
        'Free'
      ) : price ? (
        <>
          {formatPrice(price.amount, price.currency)} <span className="hint">a month</span>
        </>
      ) : (
        <span className="on-request">On request</span>
      )}
    </p>
  );
}

function PlanAction(plan: Plan) {
  const isSignedIn = useSession() === 'signed-in';
  const { tier } = plan;
  if (tier === 'free')
    return isSignedIn ? (
      <a className="button" href="/overview">
        Your dashboard
      </a>
    ) : settings.registration === 'closed' ? (
      <a className="button" href="/sign-in">
        Sign in
      </a>
    ) : (
      <a className="button" href="/register">
        Get started free
      </a>
    );
  if (monthlyPrice(plan))
    return (
      <a
        className={tier === 'pro' ? 'button primary' : 'button'}
        href={isSignedIn ? '/billing' : '/sign-in?next=/billing'}
      >
        Upgrade to <span>{tier}</span>
      </a>
    );
  const address = operatorAddress(`The ${tier} plan of ${settings.origin}`);
  return address === undefined ? (
    <p className="plan-way quiet small">Ask the operator of this service for this plan.</p>
  ) : (
    <a className={tier === 'pro' ? 'button primary' : 'button'} href={address}>
      Ask for {tier}
    </a>
  );
}
