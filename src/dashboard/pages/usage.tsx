// Requests by day and bucket: chart, table and CSV, for up to 400 days.
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { queryText, sendSignedIn } from '../data/call.js';
import { usageByDay, usageToday, type UsageAnalytics } from '../data/queries.js';
import { BUCKET_NAMES, BUCKETS, type Bucket } from '../buckets.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { Loaded } from '../components/loaded.js';
import { ErrorNote } from '../components/note.js';
import { RangePicker, lastDays, type DayRange } from '../components/range-picker.js';
import { Empty } from '../components/states.js';
import { formatNumber } from '../format.js';
import { usePage } from '../hooks/use-page.js';
import { saveFile } from '../save-file.js';

/** The library of charts is loaded beside the figures. */
const UsageChart = lazy(() => import('../components/usage-chart.js'));

export default function UsagePage() {
  usePage('Usage');
  // Days are those of the service's clock.
  const today = useQuery({ ...usageToday, select: ({ date }) => date });
  return (
    <Loaded query={today} lines={9}>
      {(date) => <UsageOf today={date} />}
    </Loaded>
  );
}

function UsageOf({ today }: { readonly today: string }) {
  const [range, setRange] = useState<DayRange>(() => lastDays(30, today));
  const query = useQuery(usageByDay(range.from, range.to));
  const csv = useMutation({
    mutationFn: () =>
      sendSignedIn(`/v1/analytics/usage${queryText({ ...range })}`, { headers: { Accept: 'text/csv' } }),
    onSuccess: async (response) => saveFile(`blazon-usage-${range.from}-${range.to}.csv`, await response.blob()),
  });
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Usage</h1>
          <p className="lead">Counted requests by UTC day. They are kept for 400 days.</p>
        </div>
        <Button busy={csv.isPending} onClick={() => csv.mutate()}>
          <Icon name="download" size={16} /> CSV
        </Button>
      </header>
      <div className="stack">
        <ErrorNote error={csv.error} />
        <div className="card">
          <div className="card-head">
            <RangePicker today={today} range={range} onRange={setRange} />
          </div>
          <Loaded query={query} lines={9}>
            {(usage) => <Report usage={usage} />}
          </Loaded>
        </div>
        {query.data && <DayTable usage={query.data} />}
      </div>
    </>
  );
}

function Report({ usage }: { readonly usage: UsageAnalytics }) {
  const [hidden, setHidden] = useState<readonly Bucket[]>([]);
  const shown = useMemo(() => BUCKETS.filter((bucket) => !hidden.includes(bucket)), [hidden]);
  const total = shown.reduce((sum, bucket) => sum + (usage.totals[bucket] ?? 0), 0);
  const toggle = (bucket: Bucket): void =>
    setHidden(hidden.includes(bucket) ? hidden.filter((each) => each !== bucket) : [...hidden, bucket]);
  return (
    <div className="card-body stack">
      <p>
        <span className="total tabular">{formatNumber(total)}</span>{' '}
        <span className="quiet">
          requests, {usage.from} to {usage.to}
        </span>
      </p>
      <div className="chips" role="group" aria-label="Buckets of the chart">
        {BUCKETS.map((bucket) => (
          <button
            key={bucket}
            type="button"
            className="chip"
            aria-pressed={!hidden.includes(bucket)}
            onClick={() => toggle(bucket)}
          >
            {BUCKET_NAMES[bucket]}
          </button>
        ))}
      </div>
      {total === 0 ? (
        <Empty icon={<Icon name="usage" size={32} />} title="No requests in these days">
          <p>Requests with your key appear here at once.</p>
        </Empty>
      ) : (
        <Suspense fallback={<div className="usage-chart" />}>
          <UsageChart usage={usage} buckets={shown} />
        </Suspense>
      )}
    </div>
  );
}

function DayTable({ usage }: { readonly usage: UsageAnalytics }) {
  const [all, setAll] = useState(false);
  const days = usage.days.toReversed();
  const counted = days.filter(({ total }, at) => total > 0 || at === 0);
  const rows = all ? days : counted.slice(0, 30);
  return (
    <section className="card" aria-labelledby="by-day">
      <div className="card-head">
        <h2 id="by-day">By day</h2>
        {rows.length < days.length && (
          <button type="button" className="button small" onClick={() => setAll(true)}>
            Show all {days.length} days
          </button>
        )}
      </div>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Table of days">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" className="number">
                Total
              </th>
              {BUCKETS.map((bucket) => (
                <th key={bucket} scope="col" className="number">
                  {bucket}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ date, total, buckets }) => (
              <tr key={date}>
                <th scope="row" className="tabular">
                  {date}
                </th>
                <td className="number">
                  <strong>{formatNumber(total)}</strong>
                </td>
                {BUCKETS.map((bucket) => (
                  <td key={bucket} className="number">
                    {formatNumber(buckets[bucket] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
