// Iconify sets for tests, and their import. One set uses every feature of the format, and one set has real drawings.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readBrandFacts } from '../../config/brand-domains.js';
import { readCatalogConfig } from '../../config/catalog.js';
import { openIconifySets } from '../../src/catalog/sources/iconify.js';
import { openSanitizer } from '../../src/catalog/sanitizer.worker.js';
import type { CatalogStore } from '../../src/catalog/catalog-store.js';
import { importCatalog } from '../../src/catalog/import/import-catalog.js';
import { temporaryDir } from './temporary.js';

interface IconSetFile {
  readonly prefix: string;
  readonly icons: Readonly<Record<string, { readonly body: string; readonly [field: string]: unknown }>>;
  readonly aliases?: Readonly<Record<string, { readonly parent: string; readonly [field: string]: unknown }>>;
}

const path = (d: string): string => `<path fill="currentColor" d="${d}"/>`;

export const SHAPES: IconSetFile & Readonly<Record<string, unknown>> = {
  prefix: 'shapes',
  lastModified: 1_700_000_000,
  info: {
    name: 'Shapes',
    total: 99,
    version: '1.2.3',
    author: { name: 'A. Author', url: 'https://example.com' },
    license: { title: 'MIT', spdx: 'MIT', url: 'https://example.com/license' },
    samples: ['home', 'arrow-left'],
    height: 24,
    category: 'UI 24px',
    tags: ['Has Padding'],
    palette: false,
  },
  width: 24,
  height: 24,
  icons: {
    home: { body: path('M12 3L2 12h3v8h6v-6h2v6h6v-8h3z') },
    'home-outline': { body: path('M12 5.69l5 4.5V18h-2v-6H9v6H7v-7.81zM12 3L2 12h3v8h6v-6h2v6h6v-8h3z') },
    'home-city': { body: path('M10 2v2.26l2 1.33V4h10v15h-5v2h7V2zM7.5 5L0 10v11h15V10z') },
    smarthome: { body: path('M2 2h20v20H2z') },
    'arrow-left': { body: path('M20 11v2H8l5.5 5.5l-1.42 1.42L4.16 12l7.92-7.92L13.5 5.5L8 11z') },
    github: { body: path('M12 2A10 10 0 0 0 2 12c0 4.4 3 8 7 9z'), width: 20 },
    'git-hub': { body: path('M1 2h10v9H2z') },
    offset: { body: path('M-4 -4h20v9H2z'), left: -4, top: -2, width: 30, height: 28 },
    turned: { body: path('M2 2h10v3H2z'), rotate: 1 },
    mirrored: { body: path('M2 2h10v3H4z'), hFlip: true, vFlip: true },
    gradient: {
      body:
        '<defs><linearGradient id="a" x1="0%" x2="100%"><stop offset="0%" stop-color="#f00"/>' +
        '<stop offset="100%" stop-color="blue"/></linearGradient></defs><path fill="url(#a)" d="M2 2h20v20H2z"/>',
    },
    colored: {
      body: '<g fill="none" stroke="#FFF"><path stroke="#123456" d="M2 2h9"/><path fill="red" d="M2 2h8v9z"/></g>',
    },
    'two-tone': {
      body: '<path fill="currentColor" d="M2 2h9v9z"/><path fill="#ff0000" stroke="currentColor" d="M4 2h9v9z"/>',
    },
    single: { body: '<path fill="#f7df1e" d="M2 2h18v18z"/>' },
    castle: { body: path('M2 2h18v18z'), hidden: true },
    black: { body: '<path d="M2 2h18v18z"/>' },
  },
  aliases: {
    house: { parent: 'home' },
    haus: { parent: 'house' },
    'arrow-right': { parent: 'arrow-left', hFlip: true },
    'arrow-up': { parent: 'arrow-left', rotate: 1 },
    'arrow-east': { parent: 'arrow-right' },
    'arrow-around': { parent: 'arrow-up', rotate: 1, vFlip: true },
    'old-home': { parent: 'home', hidden: true },
    octocat: { parent: 'github' },
    'home-fill': { parent: 'home' },
    'older-castle': { parent: 'castle', hFlip: true },
  },
  chars: { f101: 'home', f102: 'arrow-right', f103: 'house' },
  categories: { Buildings: ['home', 'home-outline', 'home-city'], Arrows: ['arrow-left', 'arrow-up'], Empty: ['none'] },
  suffixes: { '': 'Fill', outline: 'Outline' },
};

/** Returns a set with real drawings and the prefix `real`. Omits drawings that the sanitizer changes or rejects. */
export function realSet(count = 60): IconSetFile & Readonly<Record<string, unknown>> {
  const require = createRequire(import.meta.url);
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(require.resolve(`@iconify-json/logos/${name}`), 'utf8'));
  const set = read('icons.json') as IconSetFile & Readonly<Record<string, unknown>>;
  const icons = Object.fromEntries(
    Object.entries(set.icons)
      .filter(([name, { body }]) => !/filter|xlink|style=|mask/.test(body) && !name.startsWith('async-api'))
      .slice(0, count),
  );
  const aliases = Object.fromEntries(Object.entries(set.aliases ?? {}).filter(([, { parent }]) => parent in icons));
  const { width, height, lastModified } = set;
  const info = { ...(read('info.json') as object), prefix: undefined };
  return { prefix: 'real', width, height, lastModified, info, icons, aliases };
}

/** Imports the sets like `catalog import --iconify`. */
export async function importIconSets(store: CatalogStore, sets: readonly IconSetFile[]): Promise<void> {
  const folder = temporaryDir();
  const sanitizer = openSanitizer({ processes: 1 });
  try {
    for (const set of sets) writeFileSync(join(folder.path, `${set.prefix}.json`), JSON.stringify(set));
    const sources = await openIconifySets(folder.path, { kind: 'set', license: 'MIT' });
    await importCatalog({
      sources,
      store,
      sanitizer,
      policy: { ...readCatalogConfig(), hosts: readBrandFacts().hosts },
    });
  } finally {
    await sanitizer.close();
    folder.remove();
  }
}

/** Replaces the ids in a drawing by numbers. Drawings that differ only in ids become equal. */
export function withoutIds(text: string): string {
  const ids = new Map<string, string>();
  const nameOf = (id: string): string => {
    ids.set(id, ids.get(id) ?? `id${ids.size}`);
    return ids.get(id) ?? '';
  };
  return text.replace(
    /(id=\\?"|url\(#|href=\\?"#)([^"\\)]+)/g,
    (_all, before: string, id: string) => before + nameOf(id),
  );
}
