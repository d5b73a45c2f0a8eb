// Creation of DATA_DIR and of database files in it.
import { closeSync, existsSync, fchownSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { getuid } from 'node:process';

/**
 * Creates the folder, accessible only to its owner. Throws the system's error. Does not use Node's option `recursive`,
 * because it loops forever below /proc.
 */
export function makeDataDir(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDataDir(parent);
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Creates a file that only its owner can access, because it will contain hashes of passwords and sessions. SQLite gives
 * its additional files the same mode. Does not open an existing file, because closing that file would release SQLite's
 * own locks (sqlite.org/howtocorrupt.html, section 2.2). Throws the system's error.
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
 * Gives the file to the owner of the folder. Otherwise, the service's user could not access a file that a command of
 * root has created. SQLite does the same for its additional files.
 */
export function giveToOwnerOf(folder: string, file: number): void {
  if (getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  fchownSync(file, uid, gid);
}
