// Responses in a range of days: counts by status class (2xx to 5xx), and the most requested logos.
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/card.js';
import { Empty, QueryContent } from '../../components/query-states.js';
import { responsesByDay, type ResponseAnalytics } from '../../data/queries.js';
import { formatNumber } from '../../format.js';
import { useTheme } from '../../theme.js';
import { Preview } from '../../components/preview.js';
import type { DayRange } from './range-picker.js';

const CLASSES = [
  ['2xx', 'Successful', 'good'],
  ['3xx', 'Redirected, or not modified since the client cached the response', 'plain'],
  ['4xx', 'Rejected: invalid key or parameter, unknown logo, or exceeded limit', 'warn'],
  ['5xx', 'Failed: the service was overloaded or had an error', 'bad'],
] as const;
type StatusClass = (typeof CLASSES)[number][0];
type Days = ResponseAnalytics['days'];

const TOP = 10;
const PICTURE_PX = 28;
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
/** Smallest share that is shown as it is. A smaller share is shown as `<0.1%`, so that it does not look like zero. */
const SMALLEST_SHARE = 0.001;

export function Responses({ range }: { readonly range: DayRange }) {
  const query = useQuery(responsesByDay(range.from, range.to));
  return (
    <QueryContent query={query} lines={6}>
      {({ days }) => (
        <div className="two">
          <Card title="Responses" lead={<p>Responses by status code. New requests appear after some seconds.</p>}>
            <Classes days={days} />
          </Card>
          <Card title="Most requested logos" lead={<p>For each day, only the ten most requested logos are counted.</p>}>
            <TopSlugs days={days} />
          </Card>
        </div>
      )}
    </QueryContent>
  );
}

function Classes({ days }: { readonly days: Days }) {
  const totals = CLASSES.map(([name]) => days.reduce((sum, { responses }) => sum + responses[name], 0));
  const all = totals.reduce((sum, count) => sum + count, 0);
  return (
    <>
      <ul className="list" aria-label="Responses by status class">
        {CLASSES.map(([name, meaning, kind], at) => (
          <li key={name} className="response-class">
            <span className={`badge ${kind}`}>{name}</span>
            <div className="grow">
              <span>{meaning}</span>
              {(name === '4xx' || name === '5xx') && <WorstDay name={name} days={days} />}
            </div>
            <span className="number tabular">
              <strong>{formatNumber(totals[at] ?? 0)}</strong>
              {all > 0 && <span className="small quiet"> {shareText((totals[at] ?? 0) / all)}</span>}
            </span>
          </li>
        ))}
      </ul>
      <p className="card-body small quiet">
        The <a href="/docs#errors">list of error codes</a> says what to do about each.
      </p>
    </>
  );
}

function shareText(share: number): string {
  return share > 0 && share < SMALLEST_SHARE ? `<${PERCENT.format(SMALLEST_SHARE)}` : PERCENT.format(share);
}

/** Renders nothing if no day has responses of this class, or if there is only one day. */
function WorstDay({ name, days }: { readonly name: StatusClass; readonly days: Days }) {
  const worst = days.reduce<Days[number] | undefined>(
    (most, day) => (most && most.responses[name] >= day.responses[name] ? most : day),
    undefined,
  );
  if (!worst || worst.responses[name] === 0 || days.length === 1) return null;
  return (
    <span className="small quiet tabular">
      Most on {worst.date}: {formatNumber(worst.responses[name])}
    </span>
  );
}

function TopSlugs({ days }: { readonly days: Days }) {
  const theme = useTheme();
  const sums = new Map<string, number>();
  for (const { slug, requests } of days.flatMap(({ topSlugs }) => topSlugs))
    sums.set(slug, (sums.get(slug) ?? 0) + requests);
  const top = [...sums].sort(([, one], [, other]) => other - one).slice(0, TOP);
  const most = top[0]?.[1] ?? 1;
  if (top.length === 0)
    return (
      <Empty icon="usage" title="No logos in this period">
        <p>The logos that you request most appear here.</p>
      </Empty>
    );
  return (
    <ol className="top-slugs" aria-label="Most requested logos">
      {top.map(([slug, requests]) => (
        <li key={slug}>
          <Preview slug={slug} alt="" size={PICTURE_PX} query={{ on: theme }} />
          <a href={`/catalog/${encodeURIComponent(slug)}`}>{slug}</a>
          <span className="number tabular">{formatNumber(requests)}</span>
          <span className="meter-track" aria-hidden="true">
            <span className="meter-fill" style={{ width: `${(requests / most) * 100}%` }} />
          </span>
        </li>
      ))}
    </ol>
  );
}
