// Lookup of an installed package where node would find it, without running any of it.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';

export interface InstalledPackage {
  readonly folder: string;
  readonly version: string;
}

const manifest = z.object({ version: z.string() });
const require = createRequire(import.meta.url);

/**
 * Rejects when it is not installed. `exports` may hide package.json from `require.resolve`, so its places are looked
 * at.
 */
export async function findPackage(name: string): Promise<InstalledPackage> {
  const folder = require.resolve
    .paths(name)
    ?.map((place) => join(place, name))
    .find((place) => existsSync(join(place, 'package.json')));
  if (folder === undefined) throw new Error('it is not installed');
  const { version } = manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  return { folder, version };
}
