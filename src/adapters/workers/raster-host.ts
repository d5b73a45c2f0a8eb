// One drawing process: forked, given one job at a time, killed.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RasterHostMessage, RasterHostOptions } from '../../../workers/raster/protocol.js';
import type { RasterJob, RasterOutcome } from '../../ports/rasterizer.js';

const ENTRY = fileURLToPath(new URL('../../../workers/raster/host.js', import.meta.url));

interface RasterHostStart extends RasterHostOptions {
  /** How long a job may take by the clock on the wall, ms. */
  readonly silenceMs: number;
  /** The process ended or was killed, other than by `kill`. */
  readonly onEnd: (reason: string) => void;
  /** Its thread crashed and was replaced. */
  readonly onThreadLoss: (reason: string) => void;
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

export function startRasterHost({ worker, timeoutMs, silenceMs, onEnd, onThreadLoss }: RasterHostStart): RasterHost {
  const options: RasterHostOptions = { worker, timeoutMs };
  const child = fork(ENTRY, [JSON.stringify(options)], {
    // No secret of the service's environment; libvips takes its thread from Node's pool.
    env: { UV_THREADPOOL_SIZE: '1' },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const gone = new Promise<void>((resolve) => child.once('close', resolve).once('error', resolve));
  let settle: ((outcome: RasterOutcome) => void) | undefined;
  let silence: NodeJS.Timeout | undefined;
  let ready = false;
  let ended = false;

  /** What the end of the process means for its job: one that was never ready has begun none. */
  const lost = (): RasterOutcome => (ready ? UNDRAWABLE : NOT_STARTED);

  /** One that could not be forked has no id, and a signal to none goes to the service's own group. */
  function killProcess(): void {
    if (child.pid !== undefined && child.pid > 0) child.kill('SIGKILL');
  }

  function answer(outcome: RasterOutcome): void {
    clearTimeout(silence);
    settle?.(outcome);
    settle = undefined;
  }

  function end(reason: string, outcome: RasterOutcome): void {
    if (ended) return;
    ended = true;
    killProcess();
    onEnd(reason);
    answer(outcome);
  }

  child.on('message', (message: RasterHostMessage) => {
    if (ended) return;
    switch (message.kind) {
      case 'ready':
        ready = true;
        break;
      case 'reply':
        answer(
          message.reply.ok
            ? { ...message.reply, cpuMs: message.cpuMs }
            : { ok: false, failure: 'rejected', message: message.reply.message },
        );
        break;
      case 'thread-lost':
        onThreadLoss(`a drawing thread ended: ${message.message}`);
        answer(UNDRAWABLE);
        break;
      case 'timeout':
        end(`a picture took more than ${timeoutMs} ms of processor time`, tooLong(`${timeoutMs} ms of processor time`));
    }
  });
  child.on('error', (error) => end(`the drawing process failed: ${error.message}`, lost()));
  child.once('close', (code, signal) => end(`the drawing process ended (${signal ?? `exit code ${code}`})`, lost()));

  return {
    draw: (job) =>
      new Promise((resolve) => {
        // A process that could not be forked has no channel.
        if (ended || !child.connected) {
          resolve(NOT_STARTED);
          return;
        }
        settle = resolve;
        silence = setTimeout(
          () =>
            end(`the drawing process was silent for ${silenceMs} ms`, ready ? tooLong(`${silenceMs} ms`) : NOT_STARTED),
          silenceMs,
        );
        // A failure to send means that the process has ended, which 'close' reports.
        child.send(job, () => undefined);
      }),
    kill() {
      ended = true;
      killProcess();
      answer(CLOSED);
      return gone;
    },
  };
}
