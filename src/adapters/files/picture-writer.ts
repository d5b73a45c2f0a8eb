// Writing of picture files, many at a time, in a thread of its own. Each of Node's asynchronous file calls wakes a thread
// and the main one again, and a picture needs four: together they took a third of the time of its drawing.
import { setTimeout as sleep } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type * as Thread from '../../../workers/pictures/thread.js';
import type { PictureFile, Sweep } from '../../../workers/pictures/thread.js';

export interface PictureWriter {
  /** Resolves when it is written, or is not because too much waits; rejects when it cannot be. */
  write(file: PictureFile): Promise<void>;
  /** After what was written before. */
  sweep(sweep: Sweep): Promise<void>;
  /** Resolves when all of it is written. */
  close(): Promise<void>;
}

const THREAD = new URL('../../../workers/pictures/thread.js', import.meta.url);
/** Waking the thread takes the service as long as writing a picture takes the thread. */
const GATHER_MS = 100;
/** Of pictures that wait, when the disk is slower than drawing. */
const MAX_WAITING_BYTES = 16 * 2 ** 20;
/** Without work the thread ends after this long. */
const IDLE_MS = 60_000;

/** Functions of the thread. */
type Work = keyof typeof Thread;

interface Batch {
  readonly files: PictureFile[];
  readonly written: Promise<void>;
}

/** `thread`: its compiled entry. */
export function openPictureWriter(thread = THREAD): PictureWriter {
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
    // The thread could not be started: what waits for it is rejected, and the next one may start.
    started.on('error', () => {
      if (pool === started) pool = undefined;
      void started.destroy();
    });
    return started;
  }

  /** One after the other. */
  function run(task: readonly PictureFile[] | Sweep, name: Work, moved: ArrayBuffer[] = []): Promise<void> {
    pool ??= start();
    const done = pool.run(task, { name, transferList: moved }) as Promise<void>;
    last = done.catch(() => undefined);
    return done;
  }

  /** While one batch is written, the next is gathered. */
  function gather(): Batch {
    const files: PictureFile[] = [];
    const written = Promise.all([last, sleep(GATHER_MS)]).then(async () => {
      gathering = undefined;
      const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
      const moved = files.map(({ content }) => content.buffer);
      await run(files, 'write', moved).finally(() => (waitingBytes -= bytes));
    });
    return { files, written };
  }

  return {
    async write(file) {
      if (waitingBytes + file.content.length > MAX_WAITING_BYTES) return;
      waitingBytes += file.content.length;
      gathering ??= gather();
      gathering.files.push(file);
      await gathering.written;
    },
    sweep: (sweep) => run(sweep, 'sweep'),
    async close() {
      await gathering?.written.catch(() => undefined);
      await last;
      await pool?.destroy();
    },
  };
}
