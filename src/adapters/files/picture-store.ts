// Picture store in files: one per picture, named by the hash of its key, bounded by the size of all together.
import { hash, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, mkdir, open, opendir, read, rename, rm, stat, utimes, writeFile } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import type { PictureStore } from '../../ports/picture-store.js';

// The callbacks of `fs` take half the time of `fs/promises` for small files.
const [makeFolder, openFile, openFolder, readBytes, move, remove, status, touch, write] = [
  promisify(mkdir),
  promisify(open),
  promisify(opendir),
  promisify(read),
  promisify(rename),
  promisify(rm),
  promisify(stat),
  promisify(utimes),
  promisify(writeFile),
];

interface Options {
  /** Created when the first picture is stored. */
  readonly folder: string;
  /** Of all files together. */
  readonly maxBytes: number;
  /** ms since the epoch */
  readonly now: () => number;
  /** Called with the error of a failed write, at most once a minute. */
  readonly onError: (error: unknown) => void;
}

/** Before the picture in its file: `BLZ1`, then CRC-32 and length of what follows, big-endian. */
const HEADER_BYTES = 12;
const MAGIC = 0x424c5a31;
/** Beyond this share of `maxBytes` written since the last count, the files are counted again. */
const WRITTEN_SHARE = 1 / 20;
/** What a sweep leaves, as a share of `maxBytes`: room for what the processes of a host write before the next one. */
const KEPT_SHARE = 3 / 4;
/** A picture that is read counts as new again, at most this often. */
const TOUCH_MS = 60 * 60 * 1000;
/** After a failed write, a full disk for example, nothing is written for so long. */
const PAUSE_MS = 60_000;
/** A file that a killed process has left half written is removed when it is so old. */
const PART_MS = 10 * 60 * 1000;

/** Files are of no use to another release of this format: it has another folder. */
export function createPictureFiles({ folder, maxBytes, now, onError }: Options): PictureStore {
  // Counted at the first write: what earlier processes left may be above the limit already.
  let writtenBytes = Infinity;
  let pausedUntil = -Infinity;
  let sweeping = false;

  function pathOf(key: string): { readonly folder: string; readonly file: string } {
    const name = hash('sha256', key);
    const parent = join(folder, name.slice(0, 2));
    return { folder: parent, file: join(parent, name) };
  }

  async function sweep(): Promise<void> {
    if (sweeping) return;
    sweeping = true;
    writtenBytes = 0;
    try {
      await removeOldest(folder, { maxBytes, keptBytes: maxBytes * KEPT_SHARE, nowMs: now() });
    } catch (error) {
      onError(error);
    } finally {
      sweeping = false;
    }
  }

  async function store(key: string, bytes: Uint8Array): Promise<void> {
    const { folder: parent, file } = pathOf(key);
    const part = `${file}.${randomUUID()}.part`;
    try {
      await writeNew(part, bytes, parent);
      await move(part, file);
    } catch (error) {
      await remove(part, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  return {
    async get(key) {
      const { file } = pathOf(key);
      try {
        const { content, mtimeMs } = await readWhole(file);
        const bytes = pictureIn(content);
        const nowMs = now();
        if (bytes === undefined) await remove(file, { force: true });
        else if (nowMs - mtimeMs > TOUCH_MS) void keepNew(file, nowMs);
        return bytes;
      } catch {
        return undefined;
      }
    },

    async put(key, bytes) {
      const nowMs = now();
      if (nowMs < pausedUntil || bytes.length > maxBytes * WRITTEN_SHARE) return;
      try {
        await store(key, bytes);
        writtenBytes += bytes.length;
        if (writtenBytes > maxBytes * WRITTEN_SHARE) await sweep();
      } catch (error) {
        pausedUntil = nowMs + PAUSE_MS;
        onError(error);
      }
    },
  };
}

async function writeNew(file: string, bytes: Uint8Array, parent: string): Promise<void> {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(MAGIC, 0);
  header.writeUInt32BE(crc32(bytes), 4);
  header.writeUInt32BE(bytes.length, 8);
  const content = Buffer.concat([header, bytes]);
  try {
    await write(file, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await makeFolder(parent, { recursive: true, mode: 0o700 });
    await write(file, content, { flag: 'wx', mode: 0o600 });
  }
}

/** Undefined when the file is not what was written: a crash of the machine, a bad disk. */
function pictureIn(content: Buffer): Buffer | undefined {
  if (content.length < HEADER_BYTES || content.readUInt32BE(0) !== MAGIC) return undefined;
  const bytes = content.subarray(HEADER_BYTES);
  return content.readUInt32BE(8) === bytes.length && content.readUInt32BE(4) === crc32(bytes) ? bytes : undefined;
}

/**
 * In two trips to the thread pool, where `readFile` and `stat` take five: opening and reading may wait for the disk, the
 * other calls, on a file that is open, do not.
 */
async function readWhole(file: string): Promise<{ readonly content: Buffer; readonly mtimeMs: number }> {
  const descriptor = await openFile(file, 'r');
  try {
    const { size, mtimeMs } = fstatSync(descriptor);
    const content = Buffer.allocUnsafeSlow(size);
    const { bytesRead } = await readBytes(descriptor, content, 0, size, 0);
    return { content: content.subarray(0, bytesRead), mtimeMs };
  } finally {
    closeSync(descriptor);
  }
}

async function keepNew(file: string, nowMs: number): Promise<void> {
  try {
    await touch(file, nowMs / 1000, nowMs / 1000);
  } catch {
    // Another process has removed it; nothing is lost.
  }
}

interface Sweep {
  readonly maxBytes: number;
  readonly keptBytes: number;
  readonly nowMs: number;
}

/** Removes the oldest until `keptBytes` are left, when there are more than `maxBytes`; and what was left half written. */
async function removeOldest(folder: string, { maxBytes, keptBytes, nowMs }: Sweep): Promise<void> {
  const files: { readonly file: string; readonly bytes: number; readonly mtimeMs: number }[] = [];
  for await (const parent of await openFolder(folder)) {
    for await (const { name } of await openFolder(join(folder, parent.name))) {
      const file = join(folder, parent.name, name);
      const found = await status(file).catch(() => undefined);
      if (found === undefined) continue;
      if (name.endsWith('.part') && nowMs - found.mtimeMs > PART_MS) await remove(file, { force: true });
      else files.push({ file, bytes: found.size, mtimeMs: found.mtimeMs });
    }
  }
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return;
  files.sort((one, other) => one.mtimeMs - other.mtimeMs);
  for (const { file, bytes } of files) {
    if (total <= keptBytes) return;
    await remove(file, { force: true });
    total -= bytes;
  }
}
