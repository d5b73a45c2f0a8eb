// The whole default catalog, or a part. It is imported once, and kept in the system's temporary folder until the
// importer's code changes.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCatalogConfig } from '../../config/catalog.js';
import { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import { openCatalogTools } from '../../src/catalog/catalog-tools.js';
import { openPackages } from '../../src/catalog/sources/icon-sources.js';
import type { IconSource } from '../../src/catalog/import/catalog-sources.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Paths of the compiled code that affects the result of an import. */
const IMPORTER = [
  'dist/workers',
  ...['platform/stores', 'platform/text', 'platform/web', 'catalog', 'search', 'brands', 'pictures', 'iconify'].map(
    (folder) => `dist/src/${folder}`,
  ),
];
const CONFIG = ['catalog', 'catalog-overrides', 'search-names', 'brand-domains', 'kinds'].map(
  (name) => `config/${name}.json`,
);
const PACKAGES = readCatalogConfig().packages;

type Part = readonly [name: string, sources: () => Promise<IconSource[]>];

const kept = new Map<string, Promise<string>>();

/** Returns the folder with the imported default catalog. Copy it before you write to it. */
export function importedCatalog(): Promise<string> {
  return importOnce(['whole', openPackages]);
}

export async function importOnce(part: Part): Promise<string> {
  const [name] = part;
  const folder = kept.get(name) ?? importPart(part);
  kept.set(name, folder);
  return folder;
}

async function importPart([name, sources]: Part): Promise<string> {
  const path = join(tmpdir(), `blazon-catalog-${fingerprint()}-${name}`);
  if (existsSync(path)) return path;
  const fresh = mkdtempSync(join(tmpdir(), 'blazon-import-'));
  const tools = await openCatalogTools({ DATA_DIR: fresh, MONGODB_URI: '', REDIS_URL: '' });
  await tools.importSources(() => undefined, await sources());
  await tools.close();
  // Moves the write-ahead log into the database file. This halves the size of the folder, which tests copy often.
  const db = openDatabase(fresh);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  try {
    renameSync(fresh, path);
  } catch {
    // Another test run has imported the catalog in the meantime, so this import is not needed.
    rmSync(fresh, { recursive: true, force: true });
  }
  return path;
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
