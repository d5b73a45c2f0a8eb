// Requests by day and bucket: chart, table and CSV, for up to 400 days.
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { BUCKET_NAMES, BUCKETS, type Bucket } from '../../data/buckets.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Chips } from '../../components/chips.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { Empty, QueryContent } from '../../components/query-states.js';
import { queryText, sendSignedIn } from '../../data/call.js';
import { usageByDay, usageToday, type UsageAnalytics } from '../../data/queries.js';
import { formatDay, formatNumber } from '../../format.js';
import { usePageTitle } from '../../hooks/use-page-title.js';
import { saveFile } from '../../save-file.js';
import { PageHead } from './page-head.js';
import { Responses } from './responses.js';
import { RangePicker, lastDays, type DayRange } from './range-picker.js';

/** The chart library is loaded while the figures are loaded. */
const UsageChart = lazy(() => import('./usage-chart.js'));

export default function UsagePage() {
  usePageTitle('Usage');
  // Days follow the service's clock.
  const today = useQuery({ ...usageToday, select: ({ date }) => date });
  return (
    <QueryContent query={today} lines={9}>
      {(date) => <UsageReport today={date} />}
    </QueryContent>
  );
}

function UsageReport({ today }: { readonly today: string }) {
  const [range, setRange] = useState<DayRange>(() => lastDays(30, today));
  const query = useQuery(usageByDay(range.from, range.to));
  const csv = useMutation({
    mutationFn: () =>
      sendSignedIn(`/v1/analytics/usage${queryText({ ...range })}`, { headers: { Accept: 'text/csv' } }),
    onSuccess: async (response) => saveFile(`blazon-usage-${range.from}-${range.to}.csv`, await response.blob()),
  });
  return (
    <>
      <PageHead title="Usage" lead="Requests per UTC day, for the last 400 days.">
        <Button busy={csv.isPending} onClick={() => csv.mutate()}>
          <Icon name="download" size={16} /> Download CSV
        </Button>
      </PageHead>
      <div className="stack">
        <ErrorNote error={csv.error} />
        <div className="card">
          <div className="card-head">
            <RangePicker today={today} range={range} onRange={setRange} />
          </div>
          <QueryContent query={query} lines={9}>
            {(usage) => <Totals usage={usage} />}
          </QueryContent>
        </div>
        <Responses range={range} />
        {query.data && <DayTable days={query.data.days.toReversed()} />}
      </div>
    </>
  );
}

function Totals({ usage }: { readonly usage: UsageAnalytics }) {
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
          requests, {formatDay(usage.from)} to {formatDay(usage.to)}
        </span>
      </p>
      <Chips
        label="Kinds of requests in the chart"
        values={BUCKETS}
        text={(bucket) => BUCKET_NAMES[bucket]}
        isPressed={(bucket) => !hidden.includes(bucket)}
        onPress={toggle}
      />
      {total === 0 ? (
        <Empty icon="usage" title="No requests in this period">
          <p>This page shows the requests made with your keys. New requests appear immediately.</p>
          <a className="button primary" href="/docs">
            Try a request
          </a>
        </Empty>
      ) : (
        <Suspense fallback={<div className="usage-chart" />}>
          <UsageChart usage={usage} buckets={shown} />
        </Suspense>
      )}
    </div>
  );
}

/** `days` is sorted, the latest day first. */
function DayTable({ days }: Pick<UsageAnalytics, 'days'>) {
  const [showsAll, setShowsAll] = useState(false);
  const counted = days.filter(({ total }, at) => total > 0 || at === 0);
  const rows = showsAll ? days : counted.slice(0, 30);
  const more = rows.length < days.length && (
    <button type="button" className="button small" onClick={() => setShowsAll(true)}>
      Show all {days.length} days
    </button>
  );
  return (
    <Card title="By day" action={more}>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Requests per day">
        {/* On a phone the rows are blocks, which removes the implicit roles of the elements. Explicit roles restore them. */}
        <table className="table usage-table" role="table">
          <thead role="rowgroup">
            <tr role="row">
              <th scope="col" role="columnheader">
                Day
              </th>
              {['Total', ...BUCKETS].map((column) => (
                <th key={column} scope="col" role="columnheader" className="number">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map(({ date, total, buckets }) => (
              <tr key={date} role="row">
                <th scope="row" role="rowheader" className="tabular">
                  {formatDay(date)}
                </th>
                <td role="cell" className="number" data-column="Total">
                  <strong>{formatNumber(total)}</strong>
                </td>
                {BUCKETS.map((bucket) => (
                  <td key={bucket} role="cell" className="number" data-column={bucket}>
                    {formatNumber(buckets[bucket] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
