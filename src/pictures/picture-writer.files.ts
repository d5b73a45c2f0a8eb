// Writing of picture files, many at a time, in a thread of its own. Each of Node's asynchronous file calls wakes a thread
// and the main one again, and a picture needs four: together they took a third of the time of its drawing.
import { setTimeout as sleep } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type * as Thread from '../../workers/picture-files.js';
import type { PictureBatch, Sweep } from '../../workers/picture-files.js';

/** Pieces, one after the other. They must not change until they are written. */
type FileContent = readonly Uint8Array[];

export interface PictureWriter {
  /**
   * Resolves when it is written with all others of its batch, and is one promise for all of them, of the bytes that they take on the
   * disk; rejects when one of them cannot be. Undefined: it is not written, because too much waits.
   */
  write(path: string, content: FileContent): Promise<number> | undefined;
  /** After what was written before. Resolves with the bytes that are left. */
  sweep(sweep: Sweep): Promise<number>;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

const THREAD = new URL('../../workers/picture-files.js', import.meta.url);
/** Waking the thread takes the service as long as writing a picture takes the thread. */
const GATHER_MS = 100;
/** Without work the thread ends after this long. */
const IDLE_MS = 60_000;

/** Functions of the thread. */
type Work = keyof typeof Thread;

interface Batch {
  readonly paths: string[];
  readonly contents: FileContent[];
  readonly written: Promise<number>;
}

/** `maxWaitingBytes`: of pictures that wait, when the disk is slower than drawing. `thread`: its compiled entry. */
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
    // The thread could not be started: what waits for it is rejected, and the next one may start.
    started.on('error', () => {
      if (pool === started) pool = undefined;
      void started.destroy();
    });
    return started;
  }

  /** One after the other. */
  function run<Result>(task: PictureBatch | Sweep, name: Work, moved: ArrayBuffer[] = []): Promise<Result> {
    pool ??= start();
    const done = pool.run(task, { name, transferList: moved }) as Promise<Result>;
    last = done.catch(() => undefined);
    return done;
  }

  /** While one batch is written, the next is gathered. */
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

/** In one buffer: each that changes hands between threads takes longer than copying what is in it. */
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
