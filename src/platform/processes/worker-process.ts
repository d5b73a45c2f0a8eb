// Child processes of the adapters: forked with a message channel, ended by a signal, their end reported once.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKERS_FOLDER } from './fence-launcher.js';
import { NO_FENCE, type Fence } from './fence.js';

interface WorkerProcessOptions<Message> {
  /** Subject of the reasons: "the hashing process". */
  readonly name: string;
  /** Below `workers/`: `hash/process-entry.js`. */
  readonly entry: string;
  /** The process's only argument, as JSON. */
  readonly options?: unknown;
  /** The whole environment: no secret of the service's is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly execArgv?: readonly string[];
  /** None by default. */
  readonly fence?: Fence;
  readonly onMessage: (message: Message) => void;
  /** Called once: the process ended by itself, could not be started, or was ended with this reason. */
  readonly onEnd: (reason: string) => void;
}

/** Throws when there is no memory to fork. */
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

  /** Kills it, and reports the reason before this returns. Resolves when the process is gone. */
  function end(reason: string): Promise<void> {
    if (ended) return gone;
    ended = true;
    // One that could not be forked has no id, and a signal to none goes to the service's own group.
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
    /** Structured clone. A task that cannot be delivered has no error of its own: the process has ended. */
    send(task: object): void {
      if (child.connected) child.send(task, () => undefined);
    },
    end,
    /** False also for one that could not be forked. */
    isRunning: () => !ended && child.connected,
    /** Processor time that it has used so far, ms. Infinite where the system has no /proc. */
    processorMs: () => processorMsOf(child.pid),
  };
}

/** Fields 14 and 15 of proc_pid_stat(5), user and system time, in ticks. Linux reports 100 ticks per second to programs. */
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
