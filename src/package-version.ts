// This release's version, from package.json.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** From dist/src/ as from src/, package.json is above. */
const MANIFEST = new URL(
  import.meta.url.includes('/dist/src/') ? '../../package.json' : '../package.json',
  import.meta.url,
);

export function packageVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(MANIFEST, 'utf8'))).version;
}
