// Version of this release, from package.json.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Location of package.json, relative to the built file. */
const MANIFEST = new URL('../../../package.json', import.meta.url);

export function packageVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(MANIFEST, 'utf8'))).version;
}
