// The npm package @cardog-icons/core as a source: logos of carmakers, with one file per drawing.
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { IconSource, SourceItem } from '../import/catalog-sources.js';
import { findPackage, packageSource } from './installed-package.js';

const NAME = '@cardog-icons/core';
const LICENSE = { type: 'MIT', url: 'https://www.npmjs.com/package/@cardog-icons/core' };
const PAGE = 'https://www.npmjs.com/package/@cardog-icons/core';

/**
 * Ending of the file name → variant. Files with other endings are not used. They are lockups (symbol and name in one
 * drawing), or drawings for dark pages, which the import derives itself.
 */
const VARIANTS: Readonly<Record<string, string>> = { Icon: 'default', Wordmark: 'wordmark' };
/**
 * File name → title, for brands with a short form of the title as the file name. The same short form may be the name of
 * another brand, so the full title is used.
 */
const TITLES: Readonly<Record<string, string>> = {
  Landrover: 'Land Rover',
  Lincoln: 'Lincoln Motor Company',
  Lucid: 'Lucid Motors',
  MB: 'Mercedes-Benz',
  Mitsubishi: 'Mitsubishi Motors',
};

export async function openCardog(): Promise<IconSource> {
  const { folder, version, notice } = await findPackage(NAME);
  const drawings = join(folder, 'optimized');
  return packageSource({
    ...{ package: NAME, version, notice, kind: 'brands' },
    listed: [...groupFiles((await readdir(drawings)).sort())],
    keyOf: ([title]) => keyOf(title),
    read: ([title, files]) => readBrand(drawings, title, files),
  });
}

/** Groups the files by brand: title of the brand → variant → file name. */
function groupFiles(files: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const brands = new Map<string, Map<string, string>>();
  for (const file of files) {
    const [, name = '', ending = ''] = /^(.+) (\w+)\.svg$/.exec(file) ?? [];
    const variant = VARIANTS[ending];
    if (variant === undefined) continue;
    const title = TITLES[name] ?? name;
    brands.set(title, (brands.get(title) ?? new Map<string, string>()).set(variant, file));
  }
  return brands;
}

function readBrand(folder: string, title: string, files: ReadonlyMap<string, string>): SourceItem {
  return {
    kind: 'icon',
    icon: {
      ...{ key: keyOf(title), title, titleGuessed: true, aliases: [], categories: ['automotive'] },
      ...{ hex: null, website: null, origin: PAGE, guidelines: null, license: LICENSE },
      drawings: [...files].map(([name, file]) => ({ name, svg: readFileSync(join(folder, file), 'utf8') })),
    },
  };
}

function keyOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}
