// Creation of DATA_DIR, and of database files in it.
import { closeSync, existsSync, fchownSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { getuid } from 'node:process';

/** For its owner only. Not `recursive`: below /proc, Node's own recursion never ends. Throws the system's error. */
export function makeDataDir(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDataDir(parent);
  mkdirSync(path, { mode: 0o700 });
}

/**
 * For its owner only, and with it what SQLite puts beside it: hashes of passwords and sessions are in there. One that
 * is there already is not opened: closing it would take SQLite's own locks away (sqlite.org/howtocorrupt.html, section
 * 2.2). Throws the system's error.
 */
export function makePrivateFile(path: string): void {
  try {
    const file = openSync(path, 'wx', 0o600);
    giveToOwnerOf(dirname(path), file);
    closeSync(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** What a command makes as root must not lock the service's user out. SQLite does the same for what it puts beside a database. */
export function giveToOwnerOf(folder: string, file: number): void {
  if (getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  fchownSync(file, uid, gid);
}
