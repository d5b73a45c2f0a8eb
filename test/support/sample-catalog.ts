// Small part of the default catalog, for tests that often start the service. Contains all entries that tests use by
// name.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openPackages } from '../../src/catalog/sources/icon-sources.js';
import type { IconFacts } from '../../src/catalog/import/candidate.js';
import { nameKey, slugOf } from '../../src/catalog/names.js';
import type { IconSource } from '../../src/catalog/import/catalog-sources.js';
import { importedCatalog, importOnce } from './catalog.js';

const EACH = 40;
/** Prefixes of slugs. The sample contains all brands with these prefixes, such as `google-maps`. */
const FAMILIES = /^(?:git|google|adobe|stripe)/;
const NAMED = new Set(
  `
  adobe airbnb amazon-web-services apache apple async-api bolt buffer calendly composer curl docker dropbox
  esbuild facebook fedex figma hack-the-box iconify instagram javascript keybase kubernetes linear linux
  microsoft mocha mongodb netflix nike nodejs npm openssl pino pm2 postgresql python react redis rust safari shopify signal
  skeleton slack spotify sqlite teal typescript v0 vite vuedotjs x youtube zod
  `
    .trim()
    .split(/\s+/),
);

/** Hash of this file. When the selection changes, the hash changes, and the sample is imported again. */
const SELECTION = hash('sha256', readFileSync(fileURLToPath(import.meta.url))).slice(0, 8);

export type CatalogPart = 'whole' | 'sample';

/** Returns the folder with the imported part. Copy it before you write to it. */
export function catalogFolder(part: CatalogPart): Promise<string> {
  return part === 'whole' ? importedCatalog() : sampleCatalog();
}

export function sampleCatalog(): Promise<string> {
  return importOnce([`sample-${SELECTION}`, async () => (await openPackages()).map(sampled)]);
}

function sampled(source: IconSource): IconSource {
  return {
    ...source,
    async *items() {
      for await (const item of source.items()) if (item.kind !== 'icon' || isKept(item.icon)) yield item;
    },
  };
}

/** Selects by the name of the brand, so that a selected brand has its drawings from all packages. */
function isKept({ key, title }: IconFacts): boolean {
  const slugs = [slugOf(key), slugOf(title)];
  const share = hash('sha256', nameKey(title), 'buffer').readUInt16BE() / 0x10000;
  return share < 1 / EACH || slugs.some((slug) => slug !== undefined && (NAMED.has(slug) || FAMILIES.test(slug)));
}
