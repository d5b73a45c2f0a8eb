// Writes picture files in batches, in a worker thread. Asynchronous file calls of Node would burden the main thread:
// the four calls for a picture take a third as long as drawing it.
import { setTimeout as sleep } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type * as Thread from '../../workers/picture-files.js';
import type { PictureBatch, Sweep } from '../../workers/picture-files.js';

/** Content of a file, as consecutive parts. The parts must not change until the file is written. */
type FileContent = readonly Uint8Array[];

export interface PictureWriter {
  /**
   * Adds a file to the current batch. Returns the promise of the batch, which resolves with the number of written
   * bytes, and rejects if a file cannot be written. Returns undefined and writes nothing if too many bytes are waiting.
   */
  write(path: string, content: FileContent): Promise<number> | undefined;
  /** Removes old files after all earlier writes have ended. Resolves with the number of remaining bytes. */
  sweep(sweep: Sweep): Promise<number>;
  /** Resolves when all accepted files are written. */
  close(): Promise<void>;
}

const THREAD = new URL('../../workers/picture-files.js', import.meta.url);
/**
 * Time for which files are collected in a batch, ms. A batch saves time, because waking the thread costs the main
 * thread as much time as the thread needs to write one picture.
 */
const GATHER_MS = 100;
/** Time without work after which the thread ends, ms. */
const IDLE_MS = 60_000;

type Work = keyof typeof Thread;

interface Batch {
  readonly paths: string[];
  readonly contents: FileContent[];
  readonly written: Promise<number>;
}

/**
 * Opens the writer. `maxWaitingBytes`: maximum size of waiting pictures if the disk is slower than drawing. `thread`:
 * compiled entry of the thread.
 */
export function openPictureWriter(maxWaitingBytes: number, thread = THREAD): PictureWriter {
  let pool: Piscina | undefined;
  let gathering: Batch | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waitingBytes = 0;

  function start(): Piscina {
    const started = new Piscina({
      filename: thread.href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      env: {},
    });
    // The thread could not be started. The waiting tasks are rejected, and the next task starts a new thread.
    started.on('error', () => {
      if (pool === started) pool = undefined;
      void started.destroy();
    });
    return started;
  }

  /** Runs tasks in the thread, one after the other. */
  function run<Result>(task: PictureBatch | Sweep, name: Work, moved: ArrayBuffer[] = []): Promise<Result> {
    pool ??= start();
    const done = pool.run(task, { name, transferList: moved }) as Promise<Result>;
    last = done.catch(() => undefined);
    return done;
  }

  /** Starts the next batch. It collects files for GATHER_MS, or longer if the previous batch is not written yet. */
  function gather(): Batch {
    const paths: string[] = [];
    const contents: FileContent[] = [];
    const written = Promise.all([last, sleep(GATHER_MS)]).then(async () => {
      gathering = undefined;
      try {
        const batch = packed(paths, contents);
        return await run<number>(batch, 'write', [batch.content.buffer]);
      } finally {
        waitingBytes -= lengthOf(contents.flat());
      }
    });
    return { paths, contents, written };
  }

  return {
    write(path, content) {
      const bytes = lengthOf(content);
      if (waitingBytes + bytes > maxWaitingBytes) return undefined;
      waitingBytes += bytes;
      gathering ??= gather();
      gathering.paths.push(path);
      gathering.contents.push(content);
      return gathering.written;
    },
    sweep: (sweep) => run(sweep, 'sweep'),
    async close() {
      await gathering?.written.catch(() => undefined);
      await last;
      await pool?.destroy();
    },
  };
}

/** Packs the files into one buffer, because transferring many buffers to a thread takes longer than copying them. */
function packed(paths: readonly string[], contents: readonly FileContent[]): PictureBatch {
  const lengths = contents.map(lengthOf);
  const content = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const piece of contents.flat()) {
    content.set(piece, at);
    at += piece.length;
  }
  return { paths, lengths, content };
}

function lengthOf(content: FileContent): number {
  return content.reduce((sum, { length }) => sum + length, 0);
}
