// One drawing process, with one job at a time.
import { z } from 'zod';
import type {
  RasterHostMessage,
  RasterHostOptions,
  RasterReplyFields,
  RasterTaskFields,
} from '../../../workers/raster/protocol.js';
import type { RasterJob, RasterOutcome } from '../../ports/rasterizer.js';
import { awaitReply, startChildProcess, type PendingReply } from './child-process.js';
import { createFrameReader, frameOf } from './frames.js';

interface RasterHostStart extends RasterHostOptions {
  /** How long a job may take by the clock on the wall, ms. */
  readonly silenceMs: number;
  /** The process ended or was killed, other than by `kill`. */
  readonly onEnd: (reason: string) => void;
}

export interface RasterHost {
  /** One at a time. Resolves in any case: when the process ends, with what that means for the job. */
  draw(job: RasterJob): Promise<RasterOutcome>;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

const UNDRAWABLE: RasterOutcome = { ok: false, failure: 'crash', message: 'This picture cannot be drawn.' };
const NOT_STARTED: RasterOutcome = { ok: false, failure: 'busy', message: 'No drawing process can be started.' };
const tooLong = (what: string): RasterOutcome => ({
  ok: false,
  failure: 'timeout',
  message: `Drawing this picture takes more than ${what}.`,
});
const CLOSED: RasterOutcome = { ok: false, failure: 'busy', message: 'The service is closing.' };

/** Of a picture, at most: pixels that look random take a little more than their four bytes. */
const BYTES_PER_PIXEL = 5;
const MARGIN_BYTES = 2 ** 16;
/** Of an error of the renderer; none that is known has 200 characters. */
const MAX_MESSAGE_LENGTH = 10_000;

/** Parsed, because the process has read foreign drawings. */
const replyFields: z.ZodType<RasterReplyFields> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('picture'), cpuMs: z.number() }),
  z.object({ kind: z.literal('rejected'), message: z.string().max(MAX_MESSAGE_LENGTH) }),
]);
const hostMessage: z.ZodType<RasterHostMessage> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('thread-lost'), message: z.string().max(MAX_MESSAGE_LENGTH), number: z.number() }),
  z.object({ kind: z.literal('timeout'), number: z.number() }),
]);

function outcomeOf(reply: Exclude<RasterReplyFields, { kind: 'ready' }>, bytes: Buffer): RasterOutcome {
  if (reply.kind === 'picture') return { ok: true, bytes, cpuMs: reply.cpuMs };
  return { ok: false, failure: 'rejected', message: reply.message };
}

export function startRasterHost({ worker, timeoutMs, silenceMs, onEnd }: RasterHostStart): RasterHost {
  let pending: PendingReply<RasterOutcome> | undefined;
  let ready = false;
  let [jobs, mostPictureBytes] = [0, 0];
  let closed = false;
  const limit = `${timeoutMs} ms of processor time`;

  const child = startChildProcess<never, unknown>({
    name: 'the drawing process',
    entry: 'raster/host.js',
    options: { worker, timeoutMs } satisfies RasterHostOptions,
    // libvips takes its thread from Node's pool.
    env: { UV_THREADPOOL_SIZE: '1' },
    onBytes: createFrameReader({ onFrame: receiveFrame, onMalformed: () => onMalformed() }),
    onMessage: receive,
    onEnd(reason) {
      if (!closed) onEnd(reason);
      // One that was never ready has begun no job.
      settle(closed ? CLOSED : ready ? UNDRAWABLE : NOT_STARTED);
    },
  });

  function settle(outcome: RasterOutcome): void {
    pending?.settle(outcome);
    pending = undefined;
  }

  function end(reason: string, outcome: RasterOutcome): void {
    settle(outcome);
    void child.end(reason);
  }

  const onMalformed = (): void => void child.end('the drawing process sent a malformed message');

  function receiveFrame(fields: unknown, bytes: Buffer): void {
    const { data: reply } = replyFields.safeParse(fields);
    const isExpected = reply?.kind === 'ready' ? !ready : pending !== undefined && bytes.length <= mostPictureBytes;
    if (reply === undefined || !isExpected) onMalformed();
    else if (reply.kind === 'ready') ready = true;
    else settle(outcomeOf(reply, bytes));
  }

  function receive(sent: unknown): void {
    const { data: message } = hostMessage.safeParse(sent);
    const isOfPending = message?.number === jobs && pending !== undefined;
    if (message === undefined) onMalformed();
    else if (message.kind === 'thread-lost')
      end(`a drawing thread ended: ${message.message}`, isOfPending ? UNDRAWABLE : NOT_STARTED);
    else if (isOfPending) end(`a picture took more than ${limit}`, tooLong(limit));
  }

  return {
    async draw({ svg, ...fields }) {
      if (!child.isRunning()) return NOT_STARTED;
      pending = awaitReply(silenceMs, () =>
        end(`the drawing process was silent for ${silenceMs} ms`, ready ? tooLong(`${silenceMs} ms`) : NOT_STARTED),
      );
      const { reply } = pending;
      jobs++;
      mostPictureBytes = MARGIN_BYTES + BYTES_PER_PIXEL * fields.width * fields.height;
      child.write(frameOf(fields satisfies RasterTaskFields, svg));
      return reply;
    },
    kill() {
      closed = true;
      return child.end('the drawing process was closed');
    },
  };
}
