// Client of PM2's command line: lists and reloads the processes of `ecosystem.config.js`.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { z } from 'zod';

export const APP_NAME = 'blazon';
/** Maximum size of the process list in bytes. The list contains the environment of each process. */
const MAX_LIST_BYTES = 64 * 2 ** 20;
/**
 * Number of times that one command stops the process. If a process ends before it is ready, PM2 7 treats this as a
 * crash, and restarts the process at least 0.2 s after the first stop. Only a further stop prevents the restart.
 */
const STOPS = 6;

const text = z.string().catch('');
const processSchema = z
  .object({
    name: text,
    pid: z.number().catch(0),
    pm_id: z.number(),
    pm2_env: z.object({
      status: text,
      restart_time: z.number().catch(0),
      exec_mode: text,
      pm_exec_path: text,
      pm_err_log_path: text,
      env: z.record(z.string(), z.unknown()).catch({}),
    }),
  })
  .transform(({ name, pid, pm_id: id, pm2_env: own }) => ({
    name,
    // Id of the process in PM2's list. While a process is being replaced, the list contains only the new process.
    id,
    pid,
    // `online`: the process is ready. `launching`: the process is not ready yet. Any other status: the process does not
    // run.
    status: own.status,
    restarts: own.restart_time,
    isCluster: own.exec_mode === 'cluster_mode',
    script: own.pm_exec_path,
    errorLog: own.pm_err_log_path,
    // Environment variables as PM2 stores them, including secrets.
    variables: Object.fromEntries(
      Object.entries(own.env).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  }));

export type Pm2Process = Readonly<z.output<typeof processSchema>>;

export interface Pm2Action {
  /** Exit code and output. The code is null if the command was killed. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  /** Kills the command. PM2 still completes the reload of the current process, but reloads no further process. */
  abandon(): void;
}

export type Pm2 = ReturnType<typeof createPm2>;

/** `folder`: folder of ecosystem.config.js. `variables`: environment of the started processes. */
export function createPm2(folder: string, variables: Readonly<Record<string, string>>) {
  const options = { cwd: folder, env: { ...variables, PM2_CONCURRENT_ACTIONS: '1' } };
  const run = (...words: readonly string[]) =>
    promisify(execFile)('pm2', words, { ...options, maxBuffer: MAX_LIST_BYTES });

  function begin(...words: readonly string[]): Pm2Action {
    const child = spawn('pm2', words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // Waits for the event `exit`, because `close` never occurs: a PM2 daemon that this command has started keeps the
    // pipes open.
    const ended = once(child, 'exit').then(([code]: (number | null)[]) => ({ code: code ?? null, output }));
    return { ended, abandon: () => void child.kill('SIGKILL') };
  }

  return {
    async processes(): Promise<readonly Pm2Process[]> {
      const { stdout } = await run('jlist');
      const list: unknown = JSON.parse(stdout.slice(stdout.lastIndexOf('\n[') + 1));
      return z
        .array(processSchema)
        .parse(list)
        .filter(({ name }) => name === APP_NAME);
    },
    /**
     * Reloads one process after the other with the settings of ecosystem.config.js. Each process starts when the
     * previous process is ready. The command contains the file name instead of an id. With an id (`pm2 reload 0`), PM2
     * 7 never notices that the process is ready, and then locks reloads for 30 s, even if the command is killed.
     */
    reload: () => begin('reload', 'ecosystem.config.js', '--update-env', '--force'),
    /**
     * Restarts a stopped process. If an older process still serves in its place, that process ends when the new process
     * is ready.
     */
    restart: (id: number) => begin('restart', String(id), '--update-env'),
    async stop(id: number): Promise<void> {
      await run('stop', ...Array.from({ length: STOPS }, () => String(id)));
    },
  };
}
