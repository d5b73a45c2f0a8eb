// Files of a user's project. Other people may have put links there, so links are never read or written through.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Without O_NONBLOCK, opening a pipe would wait for its writer. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Returns true if the name exists, even as a link that leads nowhere. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Returns the text of a file, or undefined for a link, a folder, a pipe or a device. Throws the system's error if
 * nothing has this name.
 */
export function readRegularFile(path: string): string | undefined {
  if (lstatSync(path).isSymbolicLink()) return undefined;
  const descriptor = openSync(path, READ_FLAGS);
  try {
    return fstatSync(descriptor).isFile() ? readFileSync(descriptor, 'utf8') : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Creates a file. Throws EEXIST if the name is taken, even by a link. */
export function createFile(path: string, text: string): void {
  // O_CREAT with O_EXCL does not follow links.
  writeFileSync(path, text, { flag: 'wx' });
}

/** Replaces the file, completely or not at all. If the name is a link, replaces the link and not its target. */
export function replaceFile(path: string, text: string): void {
  const part = join(dirname(path), `.blazon-${randomUUID()}.part`);
  try {
    createFile(part, text);
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}
