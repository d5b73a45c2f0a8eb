// One drawing process, with one job at a time.
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

export function startRasterHost({ worker, timeoutMs, silenceMs, onEnd }: RasterHostStart): RasterHost {
  let pending: PendingReply<RasterOutcome> | undefined;
  let ready = false;
  let jobs = 0;
  let closed = false;

  const child = startChildProcess<never, RasterHostMessage>({
    name: 'the drawing process',
    entry: 'raster/host.js',
    options: { worker, timeoutMs } satisfies RasterHostOptions,
    // libvips takes its thread from Node's pool.
    env: { UV_THREADPOOL_SIZE: '1' },
    onBytes: createFrameReader((fields, content) => receiveFrame(fields as RasterReplyFields, content)),
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

  function receiveFrame(fields: RasterReplyFields, bytes: Buffer): void {
    if (fields.kind === 'ready') ready = true;
    else if (fields.kind === 'picture') settle({ ok: true, bytes, cpuMs: fields.cpuMs });
    else settle({ ok: false, failure: 'rejected', message: fields.message });
  }

  function receive(message: RasterHostMessage): void {
    const isOfPending = message.number === jobs && pending !== undefined;
    if (message.kind === 'thread-lost')
      end(`a drawing thread ended: ${message.message}`, ready && isOfPending ? UNDRAWABLE : NOT_STARTED);
    else if (isOfPending) {
      const limit = `${timeoutMs} ms of processor time`;
      end(`a picture took more than ${limit}`, tooLong(limit));
    }
  }

  return {
    async draw({ svg, ...fields }) {
      if (!child.isRunning()) return NOT_STARTED;
      pending = awaitReply(silenceMs, () =>
        end(`the drawing process was silent for ${silenceMs} ms`, ready ? tooLong(`${silenceMs} ms`) : NOT_STARTED),
      );
      const { reply } = pending;
      jobs++;
      child.write(frameOf(fields satisfies RasterTaskFields, svg));
      return reply;
    },
    kill() {
      closed = true;
      return child.end('the drawing process was closed');
    },
  };
}
