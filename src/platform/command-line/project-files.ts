// Files of a user's project, which may hold links that others have put there: links are neither read nor written through.
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

/** Also true for a link that leads nowhere. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Undefined for a link, a folder, a pipe or a device. Throws the system's error where there is nothing. */
export function readRegularFile(path: string): string | undefined {
  if (lstatSync(path).isSymbolicLink()) return undefined;
  const descriptor = openSync(path, READ_FLAGS);
  try {
    return fstatSync(descriptor).isFile() ? readFileSync(descriptor, 'utf8') : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Throws EEXIST when the name is taken, also by a link. */
export function createFile(path: string, text: string): void {
  // O_CREAT with O_EXCL follows no link.
  writeFileSync(path, text, { flag: 'wx' });
}

/** Takes the place of what has the name: of a link, not of the file that the link leads to. Complete or not at all. */
export function replaceFile(path: string, text: string): void {
  const part = join(dirname(path), `.blazon-${randomUUID()}.part`);
  try {
    createFile(part, text);
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}
