// Benchmark command, npm run bench [-- start delivery iconify raster dashboard flood burst accounts billing analytics counters large cluster large-cluster]:
// Blazon and its peers measured in one run, printed as one table.
import { cpSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { measureAccounts } from './accounts.js';
import { measureAnalytics } from './analytics.js';
import { measureBurst } from './burst.js';
import { measureBilling } from './billing.js';
import { measureCluster, measureClusterCounters, measureLargeImport } from './cluster.js';
import { measureCounters } from './counters.js';
import { measureDashboard } from './dashboard.js';
import { measureDelivery } from './delivery.js';
import { measureIconify } from './iconify.js';
import { measureDrawingFlood } from './flood.js';
import { measureLarge } from './large.js';
import { loadTool } from './load.js';
import { installPeers, startIconify } from './peers.js';
import { measureRaster } from './raster.js';
import { startService, temporaryData } from './service.js';
import { measureStart } from './start.js';
import { markdown, type Row } from './table.js';

const SECTIONS = [
  'start',
  'delivery',
  'iconify',
  'raster',
  'dashboard',
  'flood',
  'burst',
  'accounts',
  'billing',
  'counters',
  'analytics',
  'large',
  'cluster',
  'large-cluster',
] as const;
/** Measured on one running service. */
const SERVED = ['delivery', 'iconify', 'raster', 'dashboard', 'counters'] as const;
type Section = (typeof SECTIONS)[number];
type Wanted = (section: Section) => boolean;

/** Processes that run or want to, over the last minute. */
const loadNow = (): string => (loadavg()[0] ?? 0).toFixed(1);

async function main(asked: readonly string[]): Promise<void> {
  const unknown = asked.filter((name) => !SECTIONS.some((section) => section === name));
  if (unknown.length > 0) throw new Error(`unknown section ${unknown.join(', ')}; allowed: ${SECTIONS.join(', ')}`);
  const loadBefore = loadNow();
  const wanted: Wanted = (section) => asked.length === 0 || asked.includes(section);
  installPeers({ large: wanted('large') || wanted('large-cluster') });
  const rows = SECTIONS.some((section) => wanted(section) && !section.endsWith('cluster'))
    ? await measureEmbedded(wanted)
    : [];
  if (wanted('counters')) {
    console.log('counters of the cluster …');
    rows.push(...(await measureClusterCounters()));
  }
  if (wanted('cluster')) {
    console.log('cluster …');
    rows.push(...(await measureCluster()));
  }
  if (wanted('large-cluster')) {
    console.log('large-cluster …');
    rows.push(...(await measureLargeImport()));
  }
  const [cpu] = cpus();
  console.log(
    `\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model ?? '?'}, ` +
      `${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${loadTool}, ` +
      `load before ${loadBefore} and after ${loadNow()}\n`,
  );
  console.log(markdown(rows));
}

async function measureEmbedded(wanted: Wanted): Promise<Row[]> {
  const data = temporaryData();
  const largeData = temporaryData();
  try {
    console.log('start …');
    const rows: Row[] = await measureStart(data.path);
    if (SERVED.some(wanted)) rows.push(...(await measureServing(data.path, wanted)));
    if (wanted('flood')) {
      console.log('flood …');
      rows.push(...(await measureDrawingFlood(data.path)));
    }
    if (wanted('burst')) {
      console.log('burst …');
      rows.push(...(await measureBurst(data.path)));
    }
    if (wanted('accounts')) {
      console.log('accounts …');
      rows.push(...(await measureAccounts(data.path)));
    }
    if (wanted('billing')) {
      console.log('billing …');
      rows.push(...(await measureBilling(data.path)));
    }
    if (wanted('large')) {
      console.log('large …');
      cpSync(data.path, largeData.path, { recursive: true });
      rows.push(...(await measureLarge(data.path, largeData.path)));
    }
    // Last: its rows make the database large.
    if (wanted('analytics')) {
      console.log('analytics …');
      rows.push(...(await measureAnalytics(data.path)));
    }
    return rows;
  } finally {
    data.remove();
    largeData.remove();
  }
}

async function measureServing(dataDir: string, wanted: Wanted): Promise<Row[]> {
  const service = await startService(dataDir);
  try {
    const rows: Row[] = [];
    if (wanted('delivery')) {
      console.log('delivery …');
      const iconify = await startIconify();
      rows.push(...(await measureDelivery(service, iconify)));
      iconify.stop();
    }
    if (wanted('iconify')) {
      console.log('iconify …');
      const iconify = await startIconify();
      rows.push(...(await measureIconify(service, iconify)));
      iconify.stop();
    }
    if (wanted('raster')) {
      console.log('raster …');
      rows.push(...(await measureRaster(service)));
    }
    if (wanted('dashboard')) {
      console.log('dashboard …');
      rows.push(...(await measureDashboard(service)));
    }
    if (wanted('counters')) {
      console.log('counters …');
      const key = service.headers['X-API-Key'] ?? '';
      rows.push(...(await measureCounters({ family: '', base: service.base, key })));
    }
    return rows;
  } finally {
    await service.stop();
  }
}

await main(process.argv.slice(2));
