// Picture store in files. Each picture is one file. The name of the file is the hash of the picture's key. The total
// size of the files is limited.
import { hash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, open, read, rm, utimes } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import type { PictureStore } from './picture-store.js';
import { openPictureWriter } from './picture-writer.files.js';

// The callback functions of `fs` take half the time of `fs/promises` for small files.
const [openFile, readBytes, remove, touch] = [promisify(open), promisify(read), promisify(rm), promisify(utimes)];

export interface OpenedPictureStore extends PictureStore {
  /** Resolves when all pictures that `put` has accepted are stored. */
  close(): Promise<void>;
}

interface Options {
  /** Folder of the files. The folder is created with the first picture. */
  readonly folder: string;
  /** Maximum disk space of all files and folders together, bytes. */
  readonly maxBytes: number;
  /** Maximum memory of pictures that wait until they are written, bytes. */
  readonly maxWaitingBytes: number;
  /**
   * True if no other process writes to the folder. This process then knows the total size, and counts the files only
   * when its own writes could exceed the limit.
   */
  readonly isAlone: boolean;
  /** Current time, ms since the epoch. */
  readonly now: () => number;
  /** Called with the error of a failed write, at most once a minute. */
  readonly onError: (error: unknown) => void;
}

/** Size of the header of a file: `BLZ1`, then CRC-32 and length of the picture, big-endian. */
const HEADER_BYTES = 12;
const MAGIC = 0x424c5a31;
/** Share of `maxBytes` that is written before the files are counted again. */
const WRITTEN_SHARE = 1 / 20;
/**
 * Share of `maxBytes` that remains after a sweep, which removes the oldest files. The rest is for what all processes of
 * the host write until the next sweep.
 */
const KEPT_SHARE = 3 / 4;
/**
 * Minimum time between two updates of a file's modification time, ms. The time is updated on use, because a sweep
 * removes the files with the oldest times first.
 */
const TOUCH_MS = 60 * 60 * 1000;
/** Time in ms for which nothing is written after a failed write, because the disk may be full. */
const PAUSE_MS = 60_000;

const NOTHING_TO_DO = Promise.resolve();

interface Batch {
  readonly written: Promise<number>;
  /** Resolves when the pictures are written or could not be written. Never rejects. */
  readonly done: Promise<void>;
}

/** Opens the store. A release that changes the file format must use another folder. */
export function openPictureFiles(options: Options): OpenedPictureStore {
  const { folder, maxBytes, maxWaitingBytes, isAlone, now, onError } = options;
  const writer = openPictureWriter(maxWaitingBytes);
  // `countBeyond` starts at 0, so the first write starts a count of all files. Earlier processes may have exceeded the
  // limit.
  let [writtenBytes, countBeyond] = [0, 0];
  let [pausedUntil, sweeping] = [-Infinity, false];
  /** Batch to which the last call of `put` has added a picture. */
  let batch: Batch | undefined;

  async function sweep(): Promise<void> {
    if (sweeping) return;
    sweeping = true;
    writtenBytes = 0;
    countBeyond = maxBytes * WRITTEN_SHARE;
    try {
      const left = await writer.sweep({ folder, maxBytes, keptBytes: maxBytes * KEPT_SHARE, nowMs: now() });
      if (isAlone) countBeyond = Math.max(countBeyond, maxBytes - left);
    } catch (error) {
      onError(error);
    } finally {
      sweeping = false;
    }
  }

  /** Adds the written bytes to the total, and sweeps if necessary. Never rejects. */
  async function finish(written: Promise<number>): Promise<void> {
    try {
      writtenBytes += await written;
      if (writtenBytes > countBeyond) await sweep();
    } catch (error) {
      // Writes are paused, because an earlier batch failed. Its error was already reported.
      if (now() < pausedUntil) return;
      pausedUntil = now() + PAUSE_MS;
      onError(error);
    }
  }

  return {
    async get(key) {
      const file = pathOf(folder, key);
      // Usually, the requested picture is not in the store, so a fast check comes first. `existsSync` takes 3 µs,
      // because the operating system answers from memory. A call through the thread pool takes 150 µs.
      if (!existsSync(file)) return undefined;
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

    put(key, bytes) {
      if (now() < pausedUntil || bytes.length > maxBytes * WRITTEN_SHARE) return NOTHING_TO_DO;
      const written = writer.write(pathOf(folder, key), [headerOf(bytes), bytes]);
      if (written === undefined) return NOTHING_TO_DO;
      // All pictures of a batch share one promise, because a promise for each picture would burden the garbage
      // collector.
      batch = batch?.written === written ? batch : { written, done: finish(written) };
      return batch.done;
    },

    close: () => writer.close(),
  };
}

function pathOf(folder: string, key: string): string {
  const name = hash('sha256', key);
  return join(folder, name.slice(0, 2), name);
}

function headerOf(bytes: Uint8Array): Uint8Array {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt32BE(MAGIC, 0);
  header.writeUInt32BE(crc32(bytes), 4);
  header.writeUInt32BE(bytes.length, 8);
  return header;
}

/**
 * Returns the picture in a file. Returns undefined if the content is damaged, for example by a power failure or a bad
 * disk.
 */
function pictureIn(content: Buffer): Buffer | undefined {
  if (content.length < HEADER_BYTES || content.readUInt32BE(0) !== MAGIC) return undefined;
  const bytes = content.subarray(HEADER_BYTES);
  return content.readUInt32BE(8) === bytes.length && content.readUInt32BE(4) === crc32(bytes) ? bytes : undefined;
}

/**
 * Reads a file with two calls through the thread pool; `readFile` and `stat` need five. Only opening and reading may
 * wait for the disk. `fstatSync` and `closeSync` don't block, because they use the open file.
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
    // The error is ignored: another process has removed the file.
  }
}
