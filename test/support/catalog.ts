// The real default catalog, imported once and kept beside the system's temporary files until the importer changes.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCatalogConfig } from '../../config/catalog.js';
import { openCatalogTools } from '../../src/compose/catalog-tools.js';
import { openPackages } from '../../src/compose/icon-sources.js';
import { secretWatch } from './secret-guard.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Compiled code that decides what an import gives. */
const IMPORTER = [
  'dist/workers',
  'dist/src/adapters/icon-sources',
  'dist/src/adapters/embedded',
  'dist/src/domain',
  'dist/src/services',
];
const CONFIG = ['catalog', 'catalog-overrides', 'search-names', 'brand-domains'].map((name) => `config/${name}.json`);
const PACKAGES = readCatalogConfig().packages;

let imported: Promise<string> | undefined;

/** A folder with the imported database. Copy it before writing to it. */
export function importedCatalog(): Promise<string> {
  imported ??= importOnce().then((folder) => {
    secretWatch.knowCatalog(folder);
    return folder;
  });
  return imported;
}

async function importOnce(): Promise<string> {
  const kept = join(tmpdir(), `blazon-catalog-${fingerprint()}`);
  if (existsSync(kept)) return kept;
  const fresh = mkdtempSync(join(tmpdir(), 'blazon-import-'));
  const tools = await openCatalogTools({ DATA_DIR: fresh, MONGODB_URI: '', REDIS_URL: '' });
  await tools.importSources(() => undefined, await openPackages());
  await tools.close();
  try {
    renameSync(fresh, kept);
  } catch {
    // Another test run was faster.
    rmSync(fresh, { recursive: true, force: true });
  }
  return kept;
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of CONFIG) hash.update(readFileSync(join(ROOT, file)));
  for (const name of [...PACKAGES, '@resvg/resvg-js', 'sharp']) hash.update(readFileSync(manifestOf(name)));
  for (const folder of IMPORTER) {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        file.endsWith('.js') && /catalog|sanit|raster|pixels|schema|source|icons|svg|import/.test(file + folder),
    );
    for (const file of files.sort()) hash.update(readFileSync(join(ROOT, folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

function manifestOf(name: string): string {
  const require = createRequire(import.meta.url);
  const [found] = (require.resolve.paths(name) ?? [])
    .map((folder) => join(folder, name, 'package.json'))
    .filter((path) => existsSync(path));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}
