// Thread entry: writes finished pictures into files, and removes the oldest ones.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files to write. */
export interface PictureBatch {
  readonly paths: readonly string[];
  /** Bytes of each file. */
  readonly lengths: readonly number[];
  /** Contents of all files, one after the other. */
  readonly content: Uint8Array<ArrayBuffer>;
}

export interface Sweep {
  readonly folder: string;
  /** Limit of all files together. */
  readonly maxBytes: number;
  /** Bytes that are left when there are more. */
  readonly keptBytes: number;
  readonly nowMs: number;
}

/** A file that a killed process has left half written is removed when it is so old. */
const PART_MS = 10 * 60 * 1000;

/** Throws at the first that cannot be written. No reader finds one half written. */
export function write({ paths, lengths, content }: PictureBatch): void {
  let at = 0;
  for (const [index, path] of paths.entries()) {
    const length = lengths[index] ?? 0;
    writeWhole(path, content.subarray(at, at + length));
    at += length;
  }
}

function writeWhole(path: string, content: Uint8Array): void {
  const part = `${path}.${randomUUID()}.part`;
  try {
    writeNew(part, content);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function writeNew(path: string, content: Uint8Array): void {
  const options = { flag: 'wx', mode: 0o600 };
  try {
    writeFileSync(path, content, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content, options);
  }
}

/**
 * Removes the oldest until `keptBytes` are left, when there are more than `maxBytes`; and what was left half written.
 * Returns the bytes that are left.
 */
export function sweep({ folder, maxBytes, keptBytes, nowMs }: Sweep): number {
  const files: { readonly path: string; readonly bytes: number; readonly mtimeMs: number }[] = [];
  for (const parent of readdirSync(folder, { withFileTypes: true })) {
    if (!parent.isDirectory()) continue;
    for (const name of readdirSync(join(folder, parent.name))) {
      const path = join(folder, parent.name, name);
      const found = statusOf(path);
      if (found === undefined) continue;
      const { size: bytes, mtimeMs } = found;
      if (name.endsWith('.part') && nowMs - mtimeMs > PART_MS) rmSync(path, { force: true });
      else files.push({ path, bytes, mtimeMs });
    }
  }
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return total;
  files.sort((one, other) => one.mtimeMs - other.mtimeMs);
  for (const { path, bytes } of files) {
    if (total <= keptBytes) break;
    rmSync(path, { force: true });
    total -= bytes;
  }
  return total;
}

/** Undefined: another process has removed it. */
function statusOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
