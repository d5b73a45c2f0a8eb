// What an account has used today, its plan and its key.
import { useQuery } from '@tanstack/react-query';
import { me, usageToday, type Account, type UsageReport } from '../data/queries.js';
import { BUCKET_NAMES, type Bucket } from '../buckets.js';
import { Icon } from '../components/icon.js';
import { Loaded } from '../components/loaded.js';
import { UsageMeter } from '../components/meter.js';
import { VerifyNote } from '../components/verify-note.js';
import { formatAgo, formatDateTime } from '../format.js';
import { useNow } from '../hooks/use-now.js';
import { usePage } from '../hooks/use-page.js';

export default function OverviewPage() {
  usePage('Overview');
  const account = useQuery(me);
  const usage = useQuery(usageToday);
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Overview</h1>
          <p className="lead">{account.data ? account.data.email : 'Your account today'}</p>
        </div>
        <a className="button" href="/catalog">
          Browse the catalog
        </a>
      </header>
      <div className="stack">
        {account.data && !account.data.emailVerified && <VerifyNote />}
        <div className="two">
          <section className="card" aria-labelledby="today">
            <div className="card-head">
              <div>
                <h2 id="today">Today’s requests</h2>
                <ResetTime />
              </div>
              <span className="badge good">Live</span>
            </div>
            <Loaded query={usage} lines={7}>
              {(report) => <Buckets report={report} />}
            </Loaded>
          </section>
          <div className="stack">
            <Loaded query={account}>{(data) => <AccountCards account={data} />}</Loaded>
          </div>
        </div>
      </div>
    </>
  );
}

function Buckets({ report }: { readonly report: UsageReport }) {
  return (
    <ul className="card-body stack" data-testid="buckets">
      {Object.entries(report.endpoints).map(([bucket, { used, limit }]) => (
        <li key={bucket}>
          <UsageMeter label={BUCKET_NAMES[bucket as Bucket]} used={used} limit={limit} />
        </li>
      ))}
    </ul>
  );
}

/** Days are UTC days. */
function ResetTime() {
  const now = useNow(30_000);
  const minutes = Math.ceil((86_400_000 - (now % 86_400_000)) / 60_000);
  return (
    <p className="tabular">
      Counters reset at 00:00 UTC, in {Math.floor(minutes / 60)} h {minutes % 60} min.
    </p>
  );
}

function AccountCards({ account: { tier, key } }: { readonly account: Account }) {
  return (
    <>
      <section className="card card-body stack" aria-labelledby="plan">
        <h2 id="plan">Plan</h2>
        <p>
          <span className="badge accent capital">{tier}</span>
        </p>
        <a href="/billing">{tier === 'free' ? 'Compare plans' : 'Manage the subscription'}</a>
      </section>
      <section className="card card-body stack" aria-labelledby="key">
        <h2 id="key">API key</h2>
        {key ? (
          <dl className="facts">
            <div>
              <dt>Ends in</dt>
              <dd>
                <code>blz_…{key.hint}</code>
              </dd>
            </div>
            <div>
              <dt>Created</dt>
              <dd>{formatDateTime(key.createdAt)}</dd>
            </div>
            <div>
              <dt>Last used</dt>
              <dd>{key.lastUsedAt === null ? 'Never' : formatAgo(key.lastUsedAt)}</dd>
            </div>
          </dl>
        ) : (
          <p className="quiet">It was revoked. Create a new one.</p>
        )}
        <a className="button small" href="/keys">
          <Icon name="keys" size={15} /> Manage keys
        </a>
      </section>
    </>
  );
}
