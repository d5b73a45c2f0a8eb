// The usage of an account today, its plan and its key.
import { useQuery } from '@tanstack/react-query';
import { BUCKET_NAMES, type Bucket } from '../../data/buckets.js';
import { Card, Fact } from '../../components/card.js';
import { Icon } from '../../components/icon.js';
import { QueryContent } from '../../components/query-states.js';
import { me, usageToday, type Account } from '../../data/queries.js';
import { formatAgo, formatDateTime } from '../../format.js';
import { useNow } from '../../hooks/use-now.js';
import { settings } from '../../settings.js';
import { FirstSteps } from './first-steps.js';
import { PageHead } from './page-head.js';
import { UsageMeter } from './usage-meter.js';
import { VerifyNote } from './verify-note.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export default function OverviewPage() {
  const account = useQuery(me);
  const usage = useQuery(usageToday);
  return (
    <>
      <PageHead title="Overview" lead={account.data?.email ?? 'Your account'} />
      <div className="stack">
        {account.data && !account.data.emailVerified && <VerifyNote />}
        {usage.data && <FirstSteps today={usage.data.date} />}
        <div className="two">
          <Card title="Requests today" lead={<ResetTime />}>
            <QueryContent query={usage} lines={7}>
              {({ endpoints }) => (
                <ul className="card-body stack" data-testid="buckets">
                  {Object.entries(endpoints).map(([bucket, { used, limit }]) => (
                    <li key={bucket}>
                      <UsageMeter label={BUCKET_NAMES[bucket as Bucket]} used={used} limit={limit} />
                    </li>
                  ))}
                </ul>
              )}
            </QueryContent>
          </Card>
          <div className="stack">
            <QueryContent query={account}>{(data) => <AccountCards account={data} />}</QueryContent>
          </div>
        </div>
      </div>
    </>
  );
}

/** Time until the end of the UTC day. */
function ResetTime() {
  const minutes = Math.ceil((DAY_MS - (useNow(MINUTE_MS / 2) % DAY_MS)) / MINUTE_MS);
  return (
    <p className="tabular">
      Resets at 00:00 UTC, in {Math.floor(minutes / 60)} h {minutes % 60} min.
    </p>
  );
}

function AccountCards({ account: { tier, key: apiKey } }: { readonly account: Account }) {
  return (
    <>
      {settings.billing === 'on' && (
        <section className="card card-body stack" aria-labelledby="plan">
          <h2 id="plan">Plan</h2>
          <p>
            <span className="badge accent capital">{tier}</span>
          </p>
          <a href="/billing">{tier === 'free' ? 'Compare plans' : 'Manage the subscription'}</a>
        </section>
      )}
      <section className="card card-body stack" aria-labelledby="key">
        <h2 id="key">API key</h2>
        {apiKey ? (
          <dl className="facts">
            <Fact name="Ends in">
              <code>blz_…{apiKey.hint}</code>
            </Fact>
            <Fact name="Created">{formatDateTime(apiKey.createdAt)}</Fact>
            <Fact name="Last used">{apiKey.lastUsedAt === null ? 'Never' : formatAgo(apiKey.lastUsedAt)}</Fact>
          </dl>
        ) : (
          <p className="quiet">Your key was revoked. Create a new one.</p>
        )}
        <a className="button small" href="/keys">
          <Icon name="keys" size={15} /> Manage keys
        </a>
      </section>
    </>
  );
}
