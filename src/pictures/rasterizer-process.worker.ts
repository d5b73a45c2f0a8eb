// A drawing process, and its current job.
import { z } from 'zod';
import type { RasterizerMessage, RasterizerProcessOptions, RasterizeTask } from '../../workers/rasterizer-protocol.js';
import type { RasterizeJob, RasterizeOutcome } from './rasterizer.js';
import { startWorkerProcess } from '../platform/processes/worker-process.js';
import type { Fence } from '../platform/processes/fence.js';

interface RasterizerProcessStart extends RasterizerProcessOptions {
  /** Wall-clock time without an answer after which the job is abandoned and the process is killed, ms. */
  readonly silenceMs: number;
  readonly fence: Fence;
  /** Called if the process ends for any reason except a call of `kill`. */
  readonly onEnd: (reason: string) => void;
}

export type RasterizerProcess = ReturnType<typeof startRasterizerProcess>;

const UNDRAWABLE: RasterizeOutcome = { ok: false, failure: 'crash', message: 'This picture cannot be drawn.' };
const RETRY_ELSEWHERE: RasterizeOutcome = {
  ok: false,
  failure: 'busy',
  message: 'The drawing process cannot be started.',
};
const CLOSED: RasterizeOutcome = { ok: false, failure: 'busy', message: 'The service is shutting down.' };
const tooLong = (what: string): RasterizeOutcome => ({
  ok: false,
  failure: 'timeout',
  message: `Drawing this picture takes more than ${what}.`,
});

/** Maximum bytes per pixel of a picture. A PNG of noise takes slightly more than four. */
const BYTES_PER_PIXEL = 5;
const MARGIN_BYTES = 2 ** 16;
/** Maximum length of an error message. Known messages of resvg have fewer than 200 characters. */
const MAX_MESSAGE_LENGTH = 10_000;

/** Schema of messages from the process. Messages are not trusted, because the process has read untrusted drawings. */
const messageSchema: z.ZodType<RasterizerMessage> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('picture'), bytes: z.instanceof(Uint8Array), cpuMs: z.number() }),
  z.object({ kind: z.literal('rejected'), message: z.string().max(MAX_MESSAGE_LENGTH) }),
  z.object({ kind: z.literal('thread-lost'), message: z.string().max(MAX_MESSAGE_LENGTH) }),
  z.object({ kind: z.literal('timeout') }),
]);

/** Returns the outcome of a job. Returns undefined if the message isn't a valid reply to a job. */
function outcomeOf(message: RasterizerMessage | undefined, mostBytes: number): RasterizeOutcome | undefined {
  if (message?.kind === 'rejected') return { ok: false, failure: 'rejected', message: message.message };
  if (message?.kind !== 'picture' || message.bytes.length > mostBytes) return undefined;
  return { ok: true, bytes: message.bytes, cpuMs: message.cpuMs };
}

interface PendingJob {
  readonly mostBytes: number;
  readonly silence: NodeJS.Timeout;
  readonly settle: (outcome: RasterizeOutcome) => void;
}

export function startRasterizerProcess({ worker, timeoutMs, silenceMs, fence, onEnd }: RasterizerProcessStart) {
  let [ready, closed] = [false, false];
  let pending: PendingJob | undefined;
  const limit = `${timeoutMs} ms of processor time`;
  const child = startWorkerProcess<unknown>({
    name: 'the drawing process',
    entry: 'rasterize/process-entry.js',
    options: { worker, timeoutMs } satisfies RasterizerProcessOptions,
    // The thread pool of Node needs only one thread, because libvips uses only one.
    env: { UV_THREADPOOL_SIZE: '1' },
    fence,
    onMessage: receive,
    onEnd(reason) {
      if (!closed) onEnd(reason);
      // If the process was never ready, it has not started its job. Another process can then draw the picture.
      settle(closed ? CLOSED : ready ? UNDRAWABLE : RETRY_ELSEWHERE);
    },
  });

  function settle(outcome: RasterizeOutcome): void {
    clearTimeout(pending?.silence);
    pending?.settle(outcome);
    pending = undefined;
  }

  function end(reason: string, outcome: RasterizeOutcome): void {
    settle(outcome);
    void child.end(reason);
  }

  function receive(sent: unknown): void {
    const { data: message } = messageSchema.safeParse(sent);
    if (message?.kind === 'ready' && !ready) ready = true;
    else if (message?.kind === 'thread-lost') void child.end(`a drawing thread ended: ${message.message}`);
    else if (message?.kind === 'timeout' && pending) end(`a picture took more than ${limit}`, tooLong(limit));
    else {
      const outcome = pending && outcomeOf(message, pending.mostBytes);
      if (outcome) settle(outcome);
      else void child.end('the drawing process sent a malformed message');
    }
  }

  return {
    /** Returns false as soon as the process can't receive messages, even if its exit is not reported yet. */
    isRunning: child.isRunning,
    isReady: () => ready,
    isBusy: () => pending !== undefined,
    /**
     * Draws a picture. Must not be called while the process is busy. Never rejects: resolves with a failure if the
     * process ends.
     */
    draw(task: RasterizeJob): Promise<RasterizeOutcome> {
      return new Promise((resolve) => {
        const giveUp = (): void => {
          const outcome = ready ? tooLong(`${silenceMs} ms`) : RETRY_ELSEWHERE;
          end(`the drawing process did not respond for ${silenceMs} ms`, outcome);
        };
        const silence = setTimeout(giveUp, silenceMs);
        const mostBytes = MARGIN_BYTES + BYTES_PER_PIXEL * task.width * task.height;
        pending = { mostBytes, silence, settle: resolve };
        if (child.isRunning()) child.send(task satisfies RasterizeTask);
        else settle(RETRY_ELSEWHERE);
      });
    },
    /** Ends the process. Resolves when it has ended. */
    kill(): Promise<void> {
      closed = true;
      return child.end('the drawing process was closed');
    },
  };
}
