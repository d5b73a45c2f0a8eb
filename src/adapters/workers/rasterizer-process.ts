// One drawing process: a job that it draws, and one that waits in its pipe behind a cheap one.
import { z } from 'zod';
import type {
  RasterizerMessage,
  RasterizerProcessOptions,
  RasterizeReplyFields,
  RasterizeTaskFields,
} from '../../../workers/rasterizer-protocol.js';
import type { RasterizeLane } from '../../domain/picture/picture-cost.js';
import type { RasterizeJob, RasterizeOutcome } from '../../ports/rasterizer.js';
import { startWorkerProcess } from './worker-process.js';
import type { Fence } from './fence.js';
import { createFrameReader, frameOf } from './frames.js';
import { createPendingJobs, UNBEGUN, type JobOutcome, type PendingJob } from './pending-jobs.js';

interface RasterizerProcessStart extends RasterizerProcessOptions {
  /** How long a job may take by the clock on the wall, ms. */
  readonly silenceMs: number;
  readonly fence: Fence;
  /** The process ended or was killed, other than by `kill`. */
  readonly onEnd: (reason: string) => void;
}

export type RasterizerProcess = ReturnType<typeof startRasterizerProcess>;

const UNDRAWABLE: RasterizeOutcome = { ok: false, failure: 'crash', message: 'This picture cannot be drawn.' };
const NOT_STARTED: RasterizeOutcome = { ok: false, failure: 'busy', message: 'No drawing process can be started.' };
const tooLong = (what: string): RasterizeOutcome => ({
  ok: false,
  failure: 'timeout',
  message: `Drawing this picture takes more than ${what}.`,
});
const CLOSED: RasterizeOutcome = { ok: false, failure: 'busy', message: 'The service is closing.' };

/** Bytes of a picture, at most: pixels that look random take a little more than their four bytes. */
const BYTES_PER_PIXEL = 5;
const MARGIN_BYTES = 2 ** 16;
/** Characters of an error of resvg; none that is known has 200. */
const MAX_MESSAGE_LENGTH = 10_000;

/** Parsed, because the process has read foreign drawings. */
const replyFields: z.ZodType<RasterizeReplyFields> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('picture'), number: z.number(), cpuMs: z.number() }),
  z.object({ kind: z.literal('rejected'), number: z.number(), message: z.string().max(MAX_MESSAGE_LENGTH) }),
]);
const hostMessage: z.ZodType<RasterizerMessage> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('thread-lost'), message: z.string().max(MAX_MESSAGE_LENGTH), number: z.number() }),
  z.object({ kind: z.literal('timeout'), number: z.number() }),
]);

function outcomeOf(reply: Exclude<RasterizeReplyFields, { kind: 'ready' }>, bytes: Buffer): RasterizeOutcome {
  if (reply.kind === 'picture') return { ok: true, bytes, cpuMs: reply.cpuMs };
  return { ok: false, failure: 'rejected', message: reply.message };
}

function isReplyTo(job: PendingJob | undefined, { number }: { readonly number: number }, bytes: Buffer): boolean {
  return job?.number === number && bytes.length <= job.mostBytes;
}

export function startRasterizerProcess({ worker, timeoutMs, silenceMs, fence, onEnd }: RasterizerProcessStart) {
  let [ready, closed] = [false, false];
  const limit = `${timeoutMs} ms of processor time`;
  const jobs = createPendingJobs(silenceMs, () =>
    end(`the drawing process was silent for ${silenceMs} ms`, ready ? tooLong(`${silenceMs} ms`) : NOT_STARTED),
  );
  const child = startWorkerProcess<unknown>({
    name: 'the drawing process',
    entry: 'rasterize/process-entry.js',
    options: { worker, timeoutMs } satisfies RasterizerProcessOptions,
    // libvips takes its thread from Node's pool.
    env: { UV_THREADPOOL_SIZE: '1' },
    fence,
    onBytes: createFrameReader({ onFrame: receiveFrame, onMalformed: () => onMalformed() }),
    onMessage: receive,
    onEnd(reason) {
      if (!closed) onEnd(reason);
      // One that was never ready has begun no job.
      settleAll(closed ? CLOSED : ready ? UNDRAWABLE : NOT_STARTED);
    },
  });

  function end(reason: string, outcome: JobOutcome): void {
    settleAll(outcome);
    void child.end(reason);
  }

  /** Outcome of a job that another process can draw. */
  const unbegun = (): JobOutcome => (closed ? CLOSED : ready ? UNBEGUN : NOT_STARTED);

  /** `first`: of the first job. */
  const settleAll = (first: JobOutcome): void => jobs.settleAll(first, unbegun());

  const onMalformed = (): void => void child.end('the drawing process sent a malformed message');

  function receiveFrame(fields: unknown, bytes: Buffer): void {
    const { data: reply } = replyFields.safeParse(fields);
    if (reply?.kind === 'ready' && !ready) ready = true;
    else if (reply === undefined || reply.kind === 'ready' || !isReplyTo(jobs.first(), reply, bytes)) onMalformed();
    else jobs.settleFirst(outcomeOf(reply, bytes));
  }

  function receive(sent: unknown): void {
    const { data: message } = hostMessage.safeParse(sent);
    const first = jobs.first()?.number;
    if (message === undefined) onMalformed();
    // The reply to the first is still on the pipe. A process whose thread is lost ends, which is reported after that.
    else if (first !== undefined && message.number > first) return;
    else if (message.kind === 'thread-lost')
      end(`a drawing thread ended: ${message.message}`, message.number === first ? UNDRAWABLE : unbegun());
    else if (message.number === first) end(`a picture took more than ${limit}`, tooLong(limit));
  }

  return {
    /** It takes another job: it runs, and has none, or a cheap one. */
    isFree: () => child.isRunning() && jobs.isFree(),
    /** False from when it cannot be reached, which may be before its end is known. */
    isRunning: child.isRunning,
    /** Without an outcome. */
    jobs: jobs.count,
    isReady: () => ready,
    /** When it is free. Resolves in any case: when the process ends, with what that means for the job. */
    async draw({ svg, ...fields }: RasterizeJob, lane: RasterizeLane): Promise<JobOutcome> {
      if (!child.isRunning()) return NOT_STARTED;
      const frame = frameOf(fields satisfies RasterizeTaskFields, svg);
      const outcome = jobs.add({ lane, mostBytes: MARGIN_BYTES + BYTES_PER_PIXEL * fields.width * fields.height });
      child.write(frame);
      return outcome;
    },
    /** Resolves when the process is gone. */
    kill(): Promise<void> {
      closed = true;
      return child.end('the drawing process was closed');
    },
  };
}
