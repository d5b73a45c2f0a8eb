// Installed packages as sources. The import searches for them in the same folders as Node.js, and never executes their
// code.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import type { IconSource, SourceItem } from '../import/catalog-sources.js';
import type { SourceNotice } from '../catalog-store.js';

interface InstalledPackage {
  readonly folder: string;
  readonly version: string;
  readonly notice: SourceNotice;
}

const manifest = z.object({
  version: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
  license: z.string().optional(),
});
const require = createRequire(import.meta.url);

/**
 * Finds an installed package. Rejects if it is not installed. Searches the node_modules folders itself, because
 * `require.resolve` can't find a package.json that `exports` hides.
 */
export async function findPackage(name: string): Promise<InstalledPackage> {
  const folder = require.resolve
    .paths(name)
    ?.map((place) => join(place, name))
    .find((place) => existsSync(join(place, 'package.json')));
  if (folder === undefined) throw new Error('the package is not installed');
  const text = await readFile(join(folder, 'package.json'), 'utf8');
  const { version, author = null, license = null } = manifest.parse(JSON.parse(text));
  return { folder, version, notice: { author, license, text: await licenseText(folder) } };
}

async function licenseText(folder: string): Promise<string | null> {
  const file = (await readdir(folder)).find((name) => /^licen[cs]e(?:\.md|\.txt)?$/i.test(name));
  return file === undefined ? null : readFile(join(folder, file), 'utf8');
}

interface PackageFacts<Item> extends Pick<IconSource, 'package' | 'version' | 'kind' | 'iconSet' | 'notice'> {
  readonly listed: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /**
   * Reads an item. If `read` throws, the item is skipped. `read` is synchronous, because asynchronous reads of
   * thousands of small files take eight times as long.
   */
  readonly read: (item: Item, at: number) => SourceItem;
}

export function packageSource<Item>({ listed, keyOf, read, ...facts }: PackageFacts<Item>): IconSource {
  return {
    id: `package:${facts.package}`,
    ...facts,
    prefix: null,
    size: listed.length,
    *items() {
      for (const [at, item] of listed.entries()) yield readOrSkip(item, at);
    },
  };

  function readOrSkip(item: Item, at: number): SourceItem {
    try {
      return read(item, at);
    } catch (error) {
      const message = error instanceof Error ? error.message : 'cannot be read';
      return { kind: 'skipped', key: keyOf(item), reason: 'unreadable', message };
    }
  }
}
