// Worker processes: forked with a message channel, and ended by a signal. The end of each process is reported exactly
// once.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKERS_FOLDER } from './fence-launcher.js';
import { NO_FENCE, type Fence } from './fence.js';

interface WorkerProcessOptions<Message> {
  readonly name: string;
  /** Path below `workers/`, such as `hash/process-entry.js`. */
  readonly entry: string;
  /** The only argument of the process, as JSON. */
  readonly options?: unknown;
  /**
   * Whole environment of the process. The process does not inherit the service's variables, because they contain
   * secrets.
   */
  readonly env?: Readonly<Record<string, string>>;
  readonly execArgv?: readonly string[];
  /** Protections of the process (`fence.ts`); absent for none. */
  readonly fence?: Fence;
  readonly onMessage: (message: Message) => void;
  /** Called once, when the process has exited, could not be started, or was ended by `end`. */
  readonly onEnd: (reason: string) => void;
}

/** Starts the process. Throws if there is not enough memory to fork. */
export function startWorkerProcess<Message>({
  name,
  entry,
  options,
  env = {},
  execArgv = [],
  fence = NO_FENCE,
  onMessage,
  onEnd,
}: WorkerProcessOptions<Message>) {
  const [execPath, ...words] = [...fence.launcher, process.execPath, ...fence.nodeFlags, ...execArgv];
  const child = fork(join(WORKERS_FOLDER, entry), options === undefined ? [] : [JSON.stringify(options)], {
    cwd: WORKERS_FOLDER,
    env,
    execPath,
    execArgv: words,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
  let ended = false;

  /** Kills the process and reports `reason` synchronously. The promise resolves when the process has ended. */
  function end(reason: string): Promise<void> {
    if (ended) return gone;
    ended = true;
    // A process that could not be forked has no id. Without an id, the signal would go to all processes in the
    // service's process group.
    if (child.pid !== undefined && child.pid > 0) child.kill('SIGKILL');
    onEnd(reason);
    return gone;
  }

  child.on('message', (message) => {
    if (!ended) onMessage(message as Message);
  });
  child.on('error', (error) => void end(`${name} failed: ${error.message}`));
  child.once('close', (code, signal) => void end(`${name} ended (${signal ?? `exit code ${code}`})`));

  return {
    /** Sends a task by structured clone. Ignores a failed delivery, because `onEnd` reports the end of the process. */
    send(task: object): void {
      if (child.connected) child.send(task, () => undefined);
    },
    end,
    isRunning: () => !ended && child.connected,
    /** Returns the CPU time in ms that the process has used, or Infinity if the system has no /proc. */
    processorMs: () => processorMsOf(child.pid),
  };
}

/**
 * Returns user plus system time, from fields 14 and 15 of proc_pid_stat(5), converted from ticks to ms. Linux always
 * reports 100 ticks per second.
 */
function processorMsOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The fields are counted from the last parenthesis, because the process name in parentheses may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Infinity;
  }
}
