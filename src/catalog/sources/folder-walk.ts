// Lists the regular files below a folder without following links. Number and depth are limited.
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { LINK, NO_FILE, rejectionOf } from './regular-file.js';

export interface WalkLimits {
  /** Maximum number of files and folders together. */
  readonly maxEntries: number;
  readonly maxDepth: number;
}

interface WalkSkip {
  /** Path relative to the folder. */
  readonly name: string;
  readonly reason: string;
  readonly message: string;
}

export interface Walked {
  /** Paths relative to the folder, unsorted. */
  readonly files: readonly string[];
  readonly skipped: readonly WalkSkip[];
}

/** Number of folder entries that are read in one call. */
const BUFFER_ENTRIES = 512;

/** Walks the folder. Rejects if `root` itself cannot be read. Lists unreadable subfolders in `skipped`. */
export async function walkFolder(root: string, { maxEntries, maxDepth }: WalkLimits): Promise<Walked> {
  const files: string[] = [];
  const skipped: WalkSkip[] = [];
  const folders = [{ name: '', depth: 0 }];
  let seen = 0;

  /** Lists one folder. Returns false if the limit of entries is reached. */
  async function list({ name: folder, depth }: { readonly name: string; readonly depth: number }): Promise<boolean> {
    for await (const entry of await opendir(join(root, folder), { bufferSize: BUFFER_ENTRIES })) {
      const name = join(folder, entry.name);
      if (++seen > maxEntries) {
        skipped.push({
          name,
          reason: 'too-many-files',
          message: `the folder has more than ${maxEntries} files and folders; this one and the following ones are not read`,
        });
        return false;
      }
      if (entry.isFile()) files.push(name);
      else if (entry.isSymbolicLink()) skipped.push({ name, ...LINK });
      else if (!entry.isDirectory()) skipped.push({ name, ...NO_FILE });
      else if (depth >= maxDepth)
        skipped.push({ name, reason: 'too-deep', message: `more than ${maxDepth} folder levels deep` });
      else folders.push({ name, depth: depth + 1 });
    }
    return true;
  }

  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { name } = folder;
    try {
      if (!(await list(folder))) break;
    } catch (error) {
      if (name === '') throw error;
      skipped.push({ name, ...rejectionOf(error) });
    }
  }
  return { files, skipped };
}
