// Grafana dashboard: its queries use existing metrics and labels, and every metric is shown.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createPrometheusMetrics } from '../../src/platform/metrics/prometheus.js';
import { samplesIn } from '../support/prometheus-text.js';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly definition?: string }[];
  };
}

const FILE = fileURLToPath(new URL('../../../docs/grafana-dashboard.json', import.meta.url));
/** Words in queries that are not metrics: keywords of PromQL and Grafana, and labels that Prometheus adds. */
const WORDS = new Set([
  ...['sum', 'by', 'rate', 'increase', 'histogram_quantile', 'label_values'],
  ...['le', 'instance'],
]);

/** Returns the metrics and labels that the service exports after it has recorded one event of each kind. */
async function known(): Promise<{ readonly metrics: ReadonlySet<string>; readonly labels: ReadonlySet<string> }> {
  const metrics = createPrometheusMetrics();
  for (const gauge of ['mailbox_waiting', 'pictures_waiting', 'pictures_bytes', 'webhooks_sending'] as const)
    metrics.gauge(gauge, () => 0);
  metrics.request({ route: '/v1/search', method: 'GET', status: 200, seconds: 0 });
  metrics.admission('svg', 'admitted');
  metrics.picture('memory');
  metrics.pictureWait(0);
  metrics.drawing(0);
  metrics.store('accounts.save', 0, true);
  metrics.lockWait(0);
  metrics.siteIconFetch('found', 0);
  metrics.siteIconLookup('hit');
  metrics.job('send-mails', 'done');
  metrics.webhookTry('delivered', 0);
  const samples = samplesIn(await metrics.text());
  return {
    metrics: new Set(samples.map(({ name }) => name)),
    labels: new Set(samples.flatMap(({ labels }) => Object.keys(labels))),
  };
}

/** Returns the names in a query. Ignores quoted text, variables and durations. */
function namesIn(query: string): readonly string[] {
  return query.replaceAll(/"[^"]*"|\[[^\]]*\]|\b\d\w*/g, ' ').match(/[a-z_]\w*/gi) ?? [];
}

describe('docs/grafana-dashboard.json', () => {
  const dashboard = JSON.parse(readFileSync(FILE, 'utf8')) as Dashboard;
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');
  const queries = [
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.flatMap(({ definition }) => definition ?? []),
  ];

  it('only queries existing metrics and labels', async () => {
    const { metrics, labels } = await known();
    const unknown = queries.flatMap((query) =>
      namesIn(query)
        .filter((name) => !metrics.has(name) && !labels.has(name) && !WORDS.has(name))
        .map((name) => `${name} in ${query}`),
    );
    expect(unknown).to.deep.equal([]);
    expect(queries.every((query) => namesIn(query).some((name) => metrics.has(name)))).to.equal(true);
    const legends = panels.flatMap(({ targets = [] }) => targets.flatMap(({ legendFormat }) => namesIn(legendFormat)));
    const shown = legends.filter((name) => labels.has(name) || name === 'instance');
    expect(shown).to.include.members([
      'route',
      'status',
      'outcome',
      'bucket',
      'source',
      'operation',
      'name',
      'instance',
    ]);
  });

  it('shows every metric of the service', async () => {
    const { metrics } = await known();
    const own = [...metrics].filter((name) => name.startsWith('blazon_') && !name.endsWith('_sum'));
    const families = new Set(own.map((name) => name.replace(/_(bucket|count)$/, '')));
    const text = queries.join('\n');
    expect([...families].filter((family) => !text.includes(family))).to.deep.equal([]);
  });

  it('can be imported: a variable for the data source, panels that do not overlap', () => {
    expect(dashboard).to.include({ uid: 'blazon', title: 'Blazon' });
    expect(dashboard.schemaVersion).to.be.a('number');
    expect(dashboard.templating.list[0]).to.include({ name: 'datasource', type: 'datasource' });
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).to.equal(dashboard.panels.length);
    for (const { title, description, datasource, targets = [] } of panels) {
      expect(datasource?.uid, title).to.equal('${datasource}');
      expect(description, title).to.be.a('string').and.not.empty;
      expect(targets, title).to.not.be.empty;
    }
    for (const [at, { gridPos: one }] of dashboard.panels.entries()) {
      expect(one.x + one.w).to.be.at.most(24);
      for (const { gridPos: other } of dashboard.panels.slice(at + 1)) {
        const apart =
          one.x + one.w <= other.x ||
          other.x + other.w <= one.x ||
          one.y + one.h <= other.y ||
          other.y + other.h <= one.y;
        expect(apart).to.equal(true);
      }
    }
  });
});
