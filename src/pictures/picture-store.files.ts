// Picture store in files. Each picture is one file, named by the hash of its key. The total size is limited.
import { hash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, open, read, rm, utimes } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import type { PictureStore } from './picture-store.js';
import { openPictureWriter } from './picture-writer.files.js';

// For small files, the callback functions of `fs` take half the time of `fs/promises`.
const [openFile, readBytes, remove, touch] = [promisify(open), promisify(read), promisify(rm), promisify(utimes)];

export interface OpenedPictureStore extends PictureStore {
  /** Resolves when all pictures passed to `put` are stored. */
  close(): Promise<void>;
}

interface Options {
  /** Folder of the files. It is created when the first picture is stored. */
  readonly folder: string;
  /** Maximum disk space of all files and folders together, bytes. */
  readonly maxBytes: number;
  /** Maximum memory of pictures that wait to be written, bytes. */
  readonly maxWaitingBytes: number;
  /**
   * True if no other process writes to the folder. The store then counts its own writes, and counts files only when
   * these may exceed the limit.
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
/** After writing this share of `maxBytes`, the files are counted again. */
const WRITTEN_SHARE = 1 / 20;
/**
 * Share of `maxBytes` that a sweep leaves. The rest is for the writes of all processes of a host until the next sweep.
 */
const KEPT_SHARE = 3 / 4;
/** Minimum time between two updates of a file's modification time, ms. A sweep removes the oldest files first. */
const TOUCH_MS = 60 * 60 * 1000;
/** Pause of all writes after a failed write, ms. The disk may be full. */
const PAUSE_MS = 60_000;

const NOTHING_TO_DO = Promise.resolve();

/** Pictures that are written in one call. */
interface Batch {
  readonly written: Promise<number>;
  /** Never rejects. */
  readonly done: Promise<void>;
}

/** Opens the store. A release that changes the file format must use another folder. */
export function openPictureFiles(options: Options): OpenedPictureStore {
  const { folder, maxBytes, maxWaitingBytes, isAlone, now, onError } = options;
  const writer = openPictureWriter(maxWaitingBytes);
  // The files are counted after the first write, because earlier processes may have exceeded the limit.
  let [writtenBytes, countBeyond] = [0, 0];
  let [pausedUntil, sweeping] = [-Infinity, false];
  /** Batch of the most recent `put`. */
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

  /** Counts the written bytes, and sweeps if necessary. Never rejects. */
  async function finish(written: Promise<number>): Promise<void> {
    try {
      writtenBytes += await written;
      if (writtenBytes > countBeyond) await sweep();
    } catch (error) {
      // Writes are paused: an earlier batch failed, and its error was reported.
      if (now() < pausedUntil) return;
      pausedUntil = now() + PAUSE_MS;
      onError(error);
    }
  }

  return {
    async get(key) {
      const file = pathOf(folder, key);
      // Most of the requested pictures are not in the store. The operating system answers `existsSync` from memory in 3
      // µs. A call through the thread pool takes 150 µs.
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
      // All pictures of a batch share one promise. One promise per picture would burden the garbage collector.
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
 * wait for the disk. The synchronous calls use the open file, so they don't block.
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
    // Another process has removed the file. The error is ignored.
  }
}
