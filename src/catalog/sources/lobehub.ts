// The npm package @lobehub/icons-static-svg as a source: logos of AI brands, with one file per drawing.
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nameKey, titleOfKey } from '../names.js';
import type { IconSource, SourceItem } from '../import/catalog-sources.js';
import { findPackage, packageSource } from './installed-package.js';

const NAME = '@lobehub/icons-static-svg';
const LICENSE = { type: 'MIT', url: 'https://github.com/lobehub/lobe-icons/blob/master/LICENSE' };
const PAGE = 'https://github.com/lobehub/lobe-icons';

/**
 * Ending of the file name → variant, the longest ending first. Files with the variant null are not used. They are
 * wordmarks in color, Chinese versions, or lockups (symbol and name in one drawing) in one color.
 */
const ENDINGS: readonly (readonly [ending: string, variant: string | null])[] = [
  ['-brand-color', 'horizontal'],
  ['-text-color', null],
  ['-text-cn', null],
  ['-brand', null],
  ['-color', 'color'],
  ['-text', 'wordmark'],
];
/** Variant of a file whose name does not end with any of the ENDINGS. Its drawing has one color. */
const PLAIN = 'default';

export async function openLobehub(): Promise<IconSource> {
  const { folder, version, notice } = await findPackage(NAME);
  const icons = join(folder, 'icons');
  return packageSource({
    ...{ package: NAME, version, notice, kind: 'brands' },
    listed: [...groupFiles((await readdir(icons)).sort())],
    keyOf: ([key]) => key,
    read: ([key, files]) => readBrand(icons, key, files),
  });
}

/** Groups the files by brand: key of the brand → variant → file name. */
function groupFiles(files: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const brands = new Map<string, Map<string, string>>();
  for (const file of files) {
    if (!file.endsWith('.svg')) continue;
    const name = file.slice(0, -'.svg'.length);
    const [ending, variant] = ENDINGS.find(([end]) => name.endsWith(end)) ?? ['', PLAIN];
    if (variant === null) continue;
    const key = name.slice(0, name.length - ending.length);
    brands.set(key, (brands.get(key) ?? new Map<string, string>()).set(variant, file));
  }
  return brands;
}

function readBrand(folder: string, key: string, files: ReadonlyMap<string, string>): SourceItem {
  const drawings = [...files].map(([variant, file]) => ({
    name: variant === PLAIN && files.has('color') ? 'mono' : variant,
    svg: readFileSync(join(folder, file), 'utf8'),
  }));
  return {
    kind: 'icon',
    icon: {
      ...{ key, title: titleOf(key, drawings), titleGuessed: true, aliases: [], categories: ['ai'] },
      ...{ hex: null, website: null, origin: PAGE, guidelines: null, license: LICENSE },
      drawings,
    },
  };
}

/**
 * Returns the title that the brand's files state. Ignores a title that does not match the key, because some files are
 * copies from another brand, still with its title.
 */
function titleOf(key: string, drawings: readonly { readonly svg: string }[]): string {
  const titles = drawings.map(({ svg }) => /<title>([^<&]+)<\/title>/.exec(svg)?.[1]);
  return titles.find((title) => title !== undefined && nameKey(title) === nameKey(key)) ?? titleOfKey(key);
}
