// Folders that a command creates for what it writes.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** With those above it. Not `recursive`: below /proc, Node's own recursion never ends. Throws the system's error. */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path);
}
