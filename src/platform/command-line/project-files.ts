// Files of a user's project. Symbolic links are never followed, because other people may have created them.
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

/** Flags to open a file for reading. Without O_NONBLOCK, opening a named pipe would wait for a writer. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Returns true if the path exists. A broken link counts as existing. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Returns the text of a file, or undefined for a link, folder, pipe or device. Throws the system's error if the path
 * does not exist.
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

/** Creates a file. Throws EEXIST if the path exists. A broken link counts as existing. */
export function createFile(path: string, text: string): void {
  // `wx` opens with O_CREAT and O_EXCL, which do not follow links.
  writeFileSync(path, text, { flag: 'wx' });
}

/** Replaces the file atomically. If the path is a link, replaces the link and not the file that it points to. */
export function replaceFile(path: string, text: string): void {
  const part = join(dirname(path), `.blazon-${randomUUID()}.part`);
  try {
    createFile(part, text);
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}
