// Picture store in files: one per picture, named by the hash of its key, bounded by the size of all together.
import { hash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, open, read, rm, utimes } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import type { PictureStore } from './picture-store.js';
import { openPictureWriter } from './picture-writer.files.js';

// The callbacks of `fs` take half the time of `fs/promises` for small files.
const [openFile, readBytes, remove, touch] = [promisify(open), promisify(read), promisify(rm), promisify(utimes)];

export interface OpenedPictureStore extends PictureStore {
  /** Resolves when what was put is stored. */
  close(): Promise<void>;
}

interface Options {
  /** Created when the first picture is stored. */
  readonly folder: string;
  /** On the disk, for all files and folders together. */
  readonly maxBytes: number;
  /** In memory, of pictures that wait to be written. */
  readonly maxWaitingBytes: number;
  /** No other process writes there: nothing is counted before what this one has written could exceed the limit. */
  readonly isAlone: boolean;
  /** ms since the epoch */
  readonly now: () => number;
  /** Called with the error of a failed write, at most once a minute. */
  readonly onError: (error: unknown) => void;
}

/** Before the picture in its file: `BLZ1`, then CRC-32 and length of what follows, big-endian. */
const HEADER_BYTES = 12;
const MAGIC = 0x424c5a31;
/** Share of `maxBytes` that is written before the files are counted again. */
const WRITTEN_SHARE = 1 / 20;
/** Share of `maxBytes` that a sweep leaves: the rest is room for what the processes of a host write before the next one. */
const KEPT_SHARE = 3 / 4;
/** A picture that is read counts as new again, at most this often. */
const TOUCH_MS = 60 * 60 * 1000;
/** After a failed write, a full disk for example, nothing is written for so long. */
const PAUSE_MS = 60_000;

const NOTHING_TO_DO = Promise.resolve();

/** Pictures that are written together. */
interface Batch {
  readonly written: Promise<number>;
  /** Never rejects. */
  readonly done: Promise<void>;
}

/** Files are of no use to another release of this format: it has another folder. */
export function openPictureFiles(options: Options): OpenedPictureStore {
  const { folder, maxBytes, maxWaitingBytes, isAlone, now, onError } = options;
  const writer = openPictureWriter(maxWaitingBytes);
  // Counted at the first write: what earlier processes left may be above the limit already.
  let [writtenBytes, countBeyond] = [0, 0];
  let [pausedUntil, sweeping] = [-Infinity, false];
  /** The pictures that were put last. */
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

  /** Never rejects. */
  async function finish(written: Promise<number>): Promise<void> {
    try {
      writtenBytes += await written;
      if (writtenBytes > countBeyond) await sweep();
    } catch (error) {
      // A failure of the batch before.
      if (now() < pausedUntil) return;
      pausedUntil = now() + PAUSE_MS;
      onError(error);
    }
  }

  return {
    async get(key) {
      const file = pathOf(folder, key);
      // Most pictures that are looked for are not there. The system answers that from memory in 3 µs, where a trip to the
      // thread pool takes 150.
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
      // One promise for each picture would live long enough to be costly for the garbage collector.
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
