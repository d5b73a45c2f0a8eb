// A service under trial, as a process of its own with a log file of its own.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { untilAnswers } from '../bench/processes.js';
import { freePort } from '../server-process.js';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const COMMANDS = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
/** The contract: the process ends within ten seconds of SIGTERM. */
export const END_LIMIT_MS = 10_000;

export interface End {
  readonly code: number | null;
  /** It had to be killed. */
  readonly wasKilled: boolean;
}

export interface Target {
  readonly port: number;
  /** Files to which the service writes: JSON lines, and what no logger wrote. */
  readonly logFile: string;
  readonly errorFile: string;
  makeUnlimited(email: string): Promise<void>;
  isRunning(): boolean;
  /** Largest resident memory of the process so far; undefined where the system does not report it. */
  peakMemoryMb(): number | undefined;
  /** SIGTERM, and SIGKILL when it takes longer than the contract allows. */
  end(): Promise<End>;
}

/** `folder` holds the data in `data/`, and is given the logs. */
export async function startTarget(folder: string): Promise<Target> {
  const port = await freePort();
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { recursive: true });
  const [logFile, errorFile] = [join(folder, 'service.log'), join(folder, 'service-errors.log')];
  const [log, errors] = [openSync(logFile, 'a'), openSync(errorFile, 'a')];
  const variables = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'trace',
    TRUST_PROXY: '1',
  };
  const child = spawn(process.execPath, [MAIN], { env: variables, stdio: ['ignore', log, errors] });
  closeSync(log);
  closeSync(errors);
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  try {
    await untilAnswers(`http://127.0.0.1:${port}/readyz`, child);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`the service did not start: ${readFileSync(errorFile, 'utf8').slice(0, 500)}`, { cause: error });
  }
  return {
    port,
    logFile,
    errorFile,
    makeUnlimited: (email) => run(COMMANDS, ['account', 'set-tier', email, 'internal'], variables),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    peakMemoryMb: () => peakMemoryMb(child),
    end: () => end(child, ended),
  };
}

async function end(child: ChildProcess, ended: Promise<number | null>): Promise<End> {
  let wasKilled = false;
  const kill = setTimeout(() => {
    wasKilled = true;
    child.kill('SIGKILL');
  }, END_LIMIT_MS);
  child.kill('SIGTERM');
  const code = await ended;
  clearTimeout(kill);
  return { code, wasKilled };
}

/** Linux only. */
function peakMemoryMb({ pid }: ChildProcess): number | undefined {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}

async function run(command: string, words: readonly string[], variables: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [command, ...words], {
    env: variables,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code ?? 'a signal'}`);
}
