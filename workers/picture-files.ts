// Entry of the thread that stores finished pictures in files and removes the oldest files.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files to write. */
export interface PictureBatch {
  readonly paths: readonly string[];
  /** Length of each file, bytes. */
  readonly lengths: readonly number[];
  /** Contents of all files, concatenated. */
  readonly content: Uint8Array<ArrayBuffer>;
}

export interface Sweep {
  readonly folder: string;
  /** Maximum disk space of all files, bytes. */
  readonly maxBytes: number;
  /**
   * If the files exceed `maxBytes`, the oldest ones are removed until the others use at most this disk space, bytes.
   */
  readonly keptBytes: number;
  readonly nowMs: number;
}

/** Unit of `Stats.blocks`, the same on every file system. */
const BLOCK_BYTES = 512;
/** Age after which an incomplete file is removed, ms. By then, the process that wrote it must have been killed. */
const PART_MS = 10 * 60 * 1000;

/**
 * Writes files. Returns the disk space that they use, bytes. Throws at the first file that cannot be written. Readers
 * never see an incomplete file.
 */
export function write({ paths, lengths, content }: PictureBatch): number {
  let [at, written] = [0, 0];
  for (const [index, path] of paths.entries()) {
    const length = lengths[index] ?? 0;
    written += writeWhole(path, content.subarray(at, at + length));
    at += length;
  }
  return written;
}

function writeWhole(path: string, content: Uint8Array): number {
  const part = `${path}.${randomUUID()}.part`;
  try {
    const inFolder = writeNew(part, content);
    const inFile = bytesOnDisk(statusOf(part));
    renameSync(part, path);
    return inFolder + inFile;
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/**
 * Maximum number of attempts to write a file. An attempt fails if another process has just removed the folder, because
 * it was empty.
 */
const WRITE_TRIES = 3;

/**
 * Writes a file. If this call creates the file's folder, returns the bytes that the folder itself takes on the disk.
 * Otherwise returns 0.
 */
function writeNew(path: string, content: Uint8Array): number {
  const folder = dirname(path);
  let isNewFolder = false;
  for (let tries = 1; ; tries++) {
    try {
      writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
      return isNewFolder ? bytesOnDisk(statusOf(folder)) : 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === WRITE_TRIES) throw error;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      isNewFolder = true;
    }
  }
}

/**
 * Returns the disk space of a file, bytes. It is at least the file's size, because some file systems update the number
 * of blocks later.
 */
function bytesOnDisk(found: Stats | undefined): number {
  return found === undefined ? 0 : Math.max(found.size, found.blocks * BLOCK_BYTES);
}

interface Folder {
  readonly path: string;
  readonly bytes: number;
  files: number;
}

interface PictureFile {
  readonly folder: Folder;
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/**
 * Removes incomplete files. If files and folders together exceed `maxBytes`, removes the oldest files until at most
 * `keptBytes` are used. Returns the disk space that the remaining files and folders use, bytes.
 */
export function sweep({ folder, maxBytes, keptBytes, nowMs }: Sweep): number {
  const folders = foldersIn(folder);
  const files = folders.flatMap((one) => filesIn(one, nowMs));
  let total = [...folders, ...files].reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return total;
  files.sort((one, other) => one.mtimeMs - other.mtimeMs);
  for (const file of files) {
    if (total <= keptBytes) break;
    rmSync(file.path, { force: true });
    total -= file.bytes;
    file.folder.files--;
    if (file.folder.files === 0 && removeEmpty(file.folder.path)) total -= file.folder.bytes;
  }
  return total;
}

function foldersIn(folder: string): readonly Folder[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const found = entry.isDirectory() ? statusOf(path) : undefined;
    return found === undefined ? [] : [{ path, bytes: bytesOnDisk(found), files: 0 }];
  });
}

/** Returns the files of a folder, and stores their number in `folder.files`. Removes old incomplete files. */
function filesIn(folder: Folder, nowMs: number): readonly PictureFile[] {
  const files: PictureFile[] = [];
  for (const name of readdirSync(folder.path)) {
    const path = join(folder.path, name);
    const found = statusOf(path);
    if (found === undefined) continue;
    if (name.endsWith('.part') && nowMs - found.mtimeMs > PART_MS) rmSync(path, { force: true });
    else files.push({ folder, path, bytes: bytesOnDisk(found), mtimeMs: found.mtimeMs });
  }
  folder.files = files.length;
  return files;
}

/** Removes an empty folder. Returns false if another process has written to the folder in the meantime. */
function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** Returns the status of a file, or undefined if another process has removed it. */
function statusOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
