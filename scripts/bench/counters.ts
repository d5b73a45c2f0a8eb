// Visitor counters against our own SVG, in either family.
import { compareRates } from './delivery.js';
import { perSecond, type Row } from './table.js';

const COUNTER = '/v1/public/visitor-counter/example';
/** Some visitors in turn; load tools by their own names are bots, which do not count. */
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';
const VISITOR = { 'User-Agent': AGENT };

interface Measured {
  /** What the rows begin with. */
  readonly family: '' | 'cluster: ';
  readonly base: string;
  readonly key: string;
}

export async function measureCounters({ family, base, key }: Measured): Promise<Row[]> {
  const rates = await compareRates({
    svg: { base, headers: { 'X-API-Key': key }, paths: ['/v1/svg/github'] },
    hit: { base, method: 'POST', headers: VISITOR, paths: [`${COUNTER}/hits`] },
    badge: { base, headers: VISITOR, paths: [`${COUNTER}/badge.svg`] },
  });
  const rate = (name: string): number => rates[name] ?? NaN;
  const row = (what: string, name: string, goal: Row['goal']): Row => ({
    what: `${family}${what}`,
    measured: perSecond(rate(name)),
    peer: `our SVG ${perSecond(rate('svg'))}`,
    figure: rate(name) / rate('svg'),
    goal,
    unit: '×',
  });
  return [
    row('a visit counted (`POST …/hits`)', 'hit', { atLeast: 0.5 }),
    row('a visit counted with its badge (`GET …/badge.svg`)', 'badge', null),
  ];
}
