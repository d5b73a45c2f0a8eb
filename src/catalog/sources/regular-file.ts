// Reads regular files inside a folder, with a size limit and without following links.
import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { unreadableReason } from './unreadable-source.js';

interface Rejection {
  readonly reason: 'link' | 'not-a-file' | 'outside' | 'too-large' | 'unreadable';
  readonly message: string;
}

export type FileContent = { readonly bytes: Buffer } | Rejection;

interface ReadLimits {
  /** Folder as a real path (`realpath`). Files outside the folder are rejected. */
  readonly root: string;
  readonly maxBytes: number;
}

export const LINK: Rejection = { reason: 'link', message: 'a symbolic link; only files inside the folder are read' };
export const NO_FILE: Rejection = { reason: 'not-a-file', message: 'a pipe, a socket or a device' };
const FOLDER: Rejection = { reason: 'not-a-file', message: 'a folder' };
const OUTSIDE: Rejection = { reason: 'outside', message: 'the file is outside the folder' };
const CHANGED: Rejection = { reason: 'unreadable', message: 'the file changed while it was being read' };

/**
 * Flags for opening a file. Without O_NONBLOCK, opening a pipe would wait for a writer. All checks use the open file,
 * because a file at the same path could be replaced between check and read.
 */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads the file. Never rejects. After a failure, returns the reason. */
export async function readSourceFile(path: string, limits: ReadLimits): Promise<FileContent> {
  try {
    const handle = await open(path, FLAGS);
    try {
      return await readOpened(handle, path, limits);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return rejectionOf(error);
  }
}

export function rejectionOf(error: unknown): Rejection {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ELOOP') return LINK;
  if (code === 'ENXIO') return NO_FILE;
  return { reason: 'unreadable', message: unreadableReason(error) };
}

async function readOpened(handle: FileHandle, path: string, { root, maxBytes }: ReadLimits): Promise<FileContent> {
  const stats = await handle.stat({ bigint: true });
  if (stats.isDirectory()) return FOLDER;
  if (!stats.isFile()) return NO_FILE;
  if (!(await isInside(root, path, stats))) return OUTSIDE;
  if (stats.size > maxBytes)
    return { reason: 'too-large', message: `the file has ${stats.size} bytes; at most ${maxBytes} are allowed` };
  // The buffer has one byte more than the file. If this byte is read, the file has grown since `stat`.
  const bytes = Buffer.alloc(Number(stats.size) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null);
    length += bytesRead;
    if (length === bytes.length) return CHANGED;
    if (bytesRead === 0) return { bytes: bytes.subarray(0, length) };
  }
}

/** Checks that the open file is inside `root`, because a folder of its path may have been replaced with a link. */
async function isInside(root: string, path: string, { dev, ino }: BigIntStats): Promise<boolean> {
  const real = await realpath(path);
  const below = relative(root, real);
  if (below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return false;
  const found = await lstat(real, { bigint: true });
  return found.dev === dev && found.ino === ino;
}
