// `npm run bench [-- SECTION …]`: measures Blazon and its peers in one run, and prints one table.
import { cpus, loadavg, totalmem } from 'node:os';
import { measureRegenerations } from './accounts.js';
import { measureCluster, measureLargeImport } from './cluster.js';
import { measureComposed } from './composed.js';
import { measureDashboard } from './dashboard.js';
import { measureDelivery } from './delivery.js';
import { measureBurst, measurePasswordFloods, measurePictureFlood } from './floods.js';
import { measureLarge } from './large.js';
import { measureOwnBrands, measureOwnBrandsInCluster } from './own-brands.js';
import { installPeers } from './peers.js';
import { measureRasterizing } from './rasterize.js';
import { temporaryData, withService, type MeasuredService } from './service.js';
import { measureSlowSites } from './site-icons.js';
import { measureStart } from './start.js';
import { markdown, type Row } from './table.js';

const served = (measure: (service: MeasuredService) => Promise<Row[]>) => (dataDir: string) =>
  withService({ DATA_DIR: dataDir }, measure);

/**
 * Sections, in the order in which they run. The first one imports the default catalog into the data folder, and the
 * others use it.
 */
const EMBEDDED: Readonly<Record<string, (dataDir: string) => Promise<Row[]>>> = {
  start: (dataDir) => measureStart({ DATA_DIR: dataDir }),
  delivery: served(measureDelivery),
  raster: served(measureRasterizing),
  composed: served(measureComposed),
  dashboard: served(measureDashboard),
  flood: served(measurePictureFlood),
  burst: served(measureBurst),
  async accounts(dataDir) {
    const settings = { DATA_DIR: dataDir, TRUST_PROXY: '1' };
    const floods = await withService(settings, measurePasswordFloods);
    return [await measureRegenerations(settings, { name: '' }), ...floods];
  },
  'slow-sites': measureSlowSites,
  large: measureLarge,
  'own-brands': served((service) => measureOwnBrands(service)),
};
const CLUSTER: Readonly<Record<string, () => Promise<Row[]>>> = {
  cluster: measureCluster,
  'large-cluster': measureLargeImport,
  'own-brands-cluster': measureOwnBrandsInCluster,
};

const loadNow = (): string => (loadavg()[0] ?? 0).toFixed(1);

async function main(asked: readonly string[]): Promise<void> {
  const all = [...Object.keys(EMBEDDED), ...Object.keys(CLUSTER)];
  const unknown = asked.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`unknown section ${unknown.join(', ')}; allowed: ${all.join(', ')}`);
  const loadBefore = loadNow();
  const wanted = (section: string): boolean => asked.length === 0 || asked.includes(section);
  installPeers({ large: wanted('large') || wanted('large-cluster') });
  const data = temporaryData();
  const rows: Row[] = [];
  try {
    const isEmbedded = Object.keys(EMBEDDED).some(wanted);
    for (const [name, measure] of Object.entries(EMBEDDED))
      if (wanted(name) || (isEmbedded && name === 'start')) {
        console.log(`${name} …`);
        rows.push(...(await measure(data.path)));
      }
  } finally {
    data.remove();
  }
  for (const [name, measure] of Object.entries(CLUSTER))
    if (wanted(name)) {
      console.log(`${name} …`);
      rows.push(...(await measure()));
    }
  const [cpu] = cpus();
  console.log(
    `\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model ?? '?'}, ` +
      `${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ` +
      `load before ${loadBefore} and after ${loadNow()}\n`,
  );
  console.log(markdown(rows));
}

await main(process.argv.slice(2));
