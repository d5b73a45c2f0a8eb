// Writes picture files in batches, in a separate thread. Each of Node's asynchronous file calls wakes a thread and then the main
// thread, and a picture needs four calls. Together they took a third of the time of its drawing.
import { setTimeout as sleep } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type * as Thread from '../../workers/picture-files.js';
import type { PictureBatch, Sweep } from '../../workers/picture-files.js';

/** Consecutive pieces of a file. They must not change until they are written. */
type FileContent = readonly Uint8Array[];

export interface PictureWriter {
  /**
   * Adds a file to the current batch. Returns the batch's promise, which all its files share. It resolves with the bytes on the
   * disk, and rejects when a file cannot be written. Returns undefined if too much is waiting; the file is then not written.
   */
  write(path: string, content: FileContent): Promise<number> | undefined;
  /** Runs after all earlier writes. Resolves with the number of remaining bytes. */
  sweep(sweep: Sweep): Promise<number>;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

const THREAD = new URL('../../workers/picture-files.js', import.meta.url);
/** Time for gathering a batch, ms. Waking the thread takes the service as long as writing one picture takes the thread. */
const GATHER_MS = 100;
/** Time without work after which the thread ends, ms. */
const IDLE_MS = 60_000;

/** Functions of the thread. */
type Work = keyof typeof Thread;

interface Batch {
  readonly paths: string[];
  readonly contents: FileContent[];
  readonly written: Promise<number>;
}

/**
 * Opens the writer. `maxWaitingBytes` limits waiting pictures when the disk is slower than drawing. `thread` is the thread's
 * compiled entry.
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
    // The thread could not be started. The waiting work is rejected, and the next work starts a new thread.
    started.on('error', () => {
      if (pool === started) pool = undefined;
      void started.destroy();
    });
    return started;
  }

  /** Runs tasks one after the other. */
  function run<Result>(task: PictureBatch | Sweep, name: Work, moved: ArrayBuffer[] = []): Promise<Result> {
    pool ??= start();
    const done = pool.run(task, { name, transferList: moved }) as Promise<Result>;
    last = done.catch(() => undefined);
    return done;
  }

  /** Gathers the next batch while a batch is being written. */
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

/** Packs the files into one buffer, because transferring a buffer between threads takes longer than copying its content. */
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
