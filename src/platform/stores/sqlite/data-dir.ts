// Creation of DATA_DIR, and of database files in it.
import { closeSync, existsSync, fchownSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { getuid } from 'node:process';

/**
 * Creates the folder with access for its owner only. Does not use `recursive`, because Node's recursion never ends
 * below /proc. Throws the system's error.
 */
export function makeDataDir(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDataDir(parent);
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Creates a file with access for its owner only, because it will contain hashes of passwords and sessions. SQLite gives
 * its additional files the same mode. Does not open an existing file: closing it would remove SQLite's own locks
 * (sqlite.org/howtocorrupt.html, section 2.2). Throws the system's error.
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

/**
 * Gives a file to the folder's owner. A command run by root must not lock out the service's user. SQLite does the same
 * for its files beside a database.
 */
export function giveToOwnerOf(folder: string, file: number): void {
  if (getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  fchownSync(file, uid, gid);
}
