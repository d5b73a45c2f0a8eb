// Before `npm pack` (`prepack`), adds the imported default catalog and NOTICE to a build. After `npm pack`
// (`postpack`), `--remove` deletes both. Otherwise, imports in this clone would use the bundled catalog and not the
// packages.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLicenseTexts } from '../config/licenses.js';
import { BUNDLE_FOLDER, bundledCatalog, writeBundle } from '../src/catalog/sources/bundle-folder.js';
import { openCatalogTools, type CatalogTools } from '../src/catalog/catalog-tools.js';
import { openPackages } from '../src/catalog/sources/icon-sources.js';
import { packageVersion } from '../src/platform/package-version.js';
import { importText } from '../src/catalog/import/import-progress.js';
import { noticeOf } from '../src/catalog/write-license-notice.js';
import { shippedPackages } from './shipped-packages.js';

/** Minimum number of entries in a complete catalog. */
const MIN_ENTRIES = 6000;
const SAY_EVERY_MS = 5000;
const root = fileURLToPath(new URL('../../', import.meta.url)); // This file runs in dist/scripts/.
const noticePath = join(root, 'NOTICE');

if (process.argv.includes('--remove')) {
  rmSync(BUNDLE_FOLDER, { recursive: true, force: true });
  rmSync(noticePath, { force: true });
} else await bundle();

async function bundle(): Promise<void> {
  rmSync(BUNDLE_FOLDER, { recursive: true, force: true });
  const folder = mkdtempSync(join(tmpdir(), 'blazon-pack-'));
  try {
    const tools = await openCatalogTools({ DATA_DIR: folder, MONGODB_URI: '', REDIS_URL: '' });
    const { merged: sharing } = await tools.importSources(progressSayer(), await openPackages());
    await writeBundle(BUNDLE_FOLDER, tools.store, {
      ...{ version: packageVersion(), builtAt: new Date().toISOString() },
      merge: { policyDigest: tools.policyDigest(), sharing },
    });
    writeFileSync(noticePath, await notice(tools));
    await tools.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  check();
}

function progressSayer(): Parameters<CatalogTools['importSources']>[0] {
  let saidMs = 0;
  return (progress) => {
    if (performance.now() < saidMs + SAY_EVERY_MS) return;
    saidMs = performance.now();
    console.error(`Importing the catalog: ${importText(progress)}`);
  };
}

async function notice({ store }: CatalogTools): Promise<string> {
  const packages = shippedPackages(root).flatMap(({ name, version, license, text }) => [
    '',
    `${name} ${version}: ${license}`,
    ...(text === undefined ? [] : ['', text]),
  ]);
  return [
    'Blazon is under the license in LICENSE. Parts of others in this package:',
    await noticeOf(store, readLicenseTexts()),
    'Code that is built into it',
    '==========================',
    ...packages,
    '',
  ].join('\n');
}

/** Reads the bundled catalog like an installation does. Throws if entries or drawings are missing. */
function check(): void {
  const catalog = bundledCatalog();
  const entries = [...(catalog?.entries() ?? [])];
  if (catalog === undefined || entries.length < MIN_ENTRIES)
    throw new Error(`The bundled catalog has ${entries.length} entries, but needs at least ${MIN_ENTRIES}.`);
  const etags = new Set(entries.flatMap(({ variants }) => variants.map(({ etag }) => etag)));
  const missing = etags.size - catalog.drawingsOf(etags).size;
  if (missing > 0) throw new Error(`The bundled catalog lacks ${missing} drawings.`);
  console.error(`The bundled catalog has ${entries.length} entries.`);
}
