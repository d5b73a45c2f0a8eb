// Child processes: forked with a message channel, and ended by a signal. Their end is reported once.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKERS_FOLDER } from './fence-launcher.js';
import { NO_FENCE, type Fence } from './fence.js';

interface WorkerProcessOptions<Message> {
  /** Name for messages, for example "the hashing process". */
  readonly name: string;
  /** Path below `workers/`, for example `hash/process-entry.js`. */
  readonly entry: string;
  /** The process's only argument, as JSON. */
  readonly options?: unknown;
  /** The whole environment. The process inherits no variable, and so no secret of the service. */
  readonly env?: Readonly<Record<string, string>>;
  readonly execArgv?: readonly string[];
  /** Fence around the process; none by default. */
  readonly fence?: Fence;
  readonly onMessage: (message: Message) => void;
  /** Called once, if the process ended by itself, could not be started, or was ended with this reason. */
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

  /** Kills the process, and reports the reason before returning. Resolves when the process is gone. */
  function end(reason: string): Promise<void> {
    if (ended) return gone;
    ended = true;
    // A process that could not be forked has no id. A signal without an id would go to the service's own process group.
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
    /**
     * Sends a task by structured clone. An undeliverable task reports no error, because the end of the process is
     * reported.
     */
    send(task: object): void {
      if (child.connected) child.send(task, () => undefined);
    },
    end,
    /** Returns false if the process ended or could not be forked. */
    isRunning: () => !ended && child.connected,
    /** Returns the CPU time used so far in ms. Infinite if the system has no /proc. */
    processorMs: () => processorMsOf(child.pid),
  };
}

/**
 * Reads fields 14 and 15 of proc_pid_stat(5): user and system time in ticks. Linux reports 100 ticks per second to
 * programs.
 */
function processorMsOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Infinity;
  }
}
