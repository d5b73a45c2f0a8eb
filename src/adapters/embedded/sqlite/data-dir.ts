// Creation of DATA_DIR.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** For its owner only. Not `recursive`: below /proc, Node's own recursion never ends. Throws the system's error. */
export function makeDataDir(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDataDir(parent);
  mkdirSync(path, { mode: 0o700 });
}
