// One drawing process: started, told what to draw, killed.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RasterHostMessage, RasterHostOptions, RasterHostTask } from '../../../workers/protocol.js';

const ENTRY = fileURLToPath(new URL('../../../workers/raster-host.js', import.meta.url));

interface RasterHostStart extends RasterHostOptions {
  /** Beyond `timeoutMs`, how long it may say nothing although it has work; then it is killed. */
  readonly silenceMs: number;
  readonly onMessage: (message: RasterHostMessage) => void;
  /** It ended, but not by `kill`. A process that was never ready began no task. */
  readonly onEnd: (reason: string, wasReady: boolean) => void;
}

export interface RasterHost {
  send(task: RasterHostTask): void;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

export function startRasterHost({ worker, threads, timeoutMs, silenceMs, onMessage, onEnd }: RasterHostStart): RasterHost {
  const options: RasterHostOptions = { worker, threads, timeoutMs };
  const child = fork(ENTRY, [JSON.stringify(options)], {
    // No secret of the service's environment; libvips takes its threads from Node's pool.
    env: { UV_THREADPOOL_SIZE: String(threads) },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const gone = new Promise<void>((resolve) => child.once('close', resolve).once('error', resolve));
  let unanswered = 0;
  let ready = false;
  let ended = false;
  let ending = 'ended';
  // It says something about each task within the task's time limit, so silence means that it cannot go on.
  const silence = setTimeout(() => {
    if (unanswered === 0) return;
    ending = `was silent for ${timeoutMs + silenceMs} ms`;
    child.kill('SIGKILL');
  }, timeoutMs + silenceMs).unref();

  child.on('message', (message: RasterHostMessage) => {
    if (ended) return;
    silence.refresh();
    if (message.kind === 'ready') ready = true;
    else unanswered--;
    onMessage(message);
  });
  const end = (reason: string): void => {
    if (ended) return;
    ended = true;
    clearTimeout(silence);
    onEnd(reason, ready);
  };
  child.once('error', (error) => end(`failed: ${error.message}`));
  child.once('close', (code, signal) => end(`${ending} (${signal ?? `exit code ${code}`})`));

  return {
    send(task) {
      if (unanswered++ === 0) silence.refresh();
      // A process that cannot be told has ended, and that is heard elsewhere.
      child.send(task, () => undefined);
    },
    kill() {
      ended = true;
      clearTimeout(silence);
      child.kill('SIGKILL');
      return gone;
    },
  };
}
