// Client of PM2 through its command line: the processes of `ecosystem.config.js`, and their reload.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { z } from 'zod';

/** As in ecosystem.config.js. */
export const APP_NAME = 'blazon';
/** The environment of each process is in the list. */
const MAX_LIST_BYTES = 64 * 2 ** 20;
/**
 * PM2 7 takes the end of a process that was not ready yet for a crash, and starts it again a moment after it has stopped it,
 * unless it is told once more to stop it; the moments grow from 0.2 s.
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
    /** A predecessor that serves until the process with this id is ready is not in the list. */
    id,
    pid,
    /** `online`: it was ready; `launching`: it has not been yet. Others: it does not run. */
    status: own.status,
    restarts: own.restart_time,
    isCluster: own.exec_mode === 'cluster_mode',
    script: own.pm_exec_path,
    errorLog: own.pm_err_log_path,
    /** As PM2 keeps them, secrets among them. */
    variables: Object.fromEntries(
      Object.entries(own.env).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  }));

export type Pm2Process = Readonly<z.output<typeof processSchema>>;

/** A command of PM2 that is under way. */
export interface Pm2Action {
  /** Its exit code (null: it was abandoned), and what it printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  /** PM2 goes on with the process at hand, but begins no other. */
  abandon(): void;
}

export type Pm2 = ReturnType<typeof createPm2>;

/** `folder`: of ecosystem.config.js. `variables`: the environment of what is started. */
export function createPm2(folder: string, variables: Readonly<Record<string, string>>) {
  const options = { cwd: folder, env: { ...variables, PM2_CONCURRENT_ACTIONS: '1' } };
  const run = (...words: readonly string[]) =>
    promisify(execFile)('pm2', words, { ...options, maxBuffer: MAX_LIST_BYTES });

  function begin(...words: readonly string[]): Pm2Action {
    const child = spawn('pm2', words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // Not `close`: a daemon that it has started keeps the pipes.
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
     * One process after the other, each when the one before is ready; with the settings of ecosystem.config.js. By the file, not
     * by an id: PM2 7 takes the id of `pm2 reload 0` for text, and never learns that the process is ready. Its lock against
     * two reloads lasts 30 s, after one that was abandoned, too.
     */
    reload: () => begin('reload', 'ecosystem.config.js', '--update-env', '--force'),
    /** Starts a stopped one again. When it is ready, its predecessor ends, if there is one. */
    restart: (id: number) => begin('restart', String(id), '--update-env'),
    async stop(id: number): Promise<void> {
      await run('stop', ...Array.from({ length: STOPS }, () => String(id)));
    },
  };
}
