// A twelfth of the real catalog, for tests of the service that starts over and over: with the entries that they name.
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCommandStores } from '../../src/compose/open-stores.js';
import type { Slug } from '../../src/domain/catalog/entry.js';
import { importedCatalog } from './catalog.js';
import { copyCatalog } from './copy-catalog.js';
import { secretWatch } from './secret-guard.js';
import { embeddedIn } from './stores.js';

const EACH = 12;
/** With all that belongs to them, `google-maps` and the like. */
const FAMILIES = /^(?:git|google|adobe|stripe)/;
const NAMED = new Set<string>([
  'adobe',
  'airbnb',
  'amazon-web-services',
  'apache',
  'apple',
  'async-api',
  'bolt',
  'buffer',
  'calendly',
  'composer',
  'curl',
  'docker',
  'dropbox',
  'esbuild',
  'facebook',
  'fedex',
  'figma',
  'hack-the-box',
  'iconify',
  'instagram',
  'javascript',
  'keybase',
  'kubernetes',
  'linear',
  'linux',
  'microsoft',
  'mocha',
  'mongodb',
  'netflix',
  'nodejs',
  'npm',
  'openssl',
  'pino',
  'pm2',
  'postgresql',
  'python',
  'react',
  'redis',
  'rust',
  'safari',
  'signal',
  'skeleton',
  'slack',
  'spotify',
  'sqlite',
  'teal',
  'typescript',
  'v0',
  'vite',
  'vuedotjs',
  'x',
  'youtube',
  'zod',
]);

/** Changes with what is selected, and how. */
const SELECTION = hash('sha256', readFileSync(fileURLToPath(import.meta.url))).slice(0, 8);

export type CatalogPart = 'whole' | 'sample';

let sample: Promise<string> | undefined;

/** A folder with its database. Copy it before writing to it. */
export function catalogFolder(part: CatalogPart): Promise<string> {
  return part === 'whole' ? importedCatalog() : sampleCatalog();
}

export function sampleCatalog(): Promise<string> {
  sample ??= takeSample().then((folder) => {
    secretWatch.knowCatalog(folder);
    return folder;
  });
  return sample;
}

async function takeSample(): Promise<string> {
  const whole = await importedCatalog();
  const kept = `${whole}-sample-${SELECTION}`;
  if (existsSync(kept)) return kept;
  const fresh = mkdtempSync(join(tmpdir(), 'blazon-sample-'));
  const [folder, sampled] = [join(fresh, 'whole'), join(fresh, 'sample')];
  cpSync(whole, folder, { recursive: true });
  const options = { now: Date.now, onError: () => undefined };
  const [from, to] = [
    await openCommandStores(embeddedIn(folder), options),
    await openCommandStores(embeddedIn(sampled), options),
  ];
  const isKept = (slug: Slug, at: number): boolean => at % EACH === 0 || NAMED.has(slug) || FAMILIES.test(slug);
  await copyCatalog({ from: from.catalog, folder, isKept }, to.catalog);
  await Promise.all([from.close(), to.close()]);
  try {
    renameSync(sampled, kept);
  } catch {
    // Another test run was faster.
  }
  rmSync(fresh, { recursive: true, force: true });
  return kept;
}
