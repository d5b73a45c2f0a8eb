// A service under trial, as a process of its own with a log file of its own.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memoryMb, runCommand, untilAnswers } from '../processes.js';
import { freePort } from '../server-process.js';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
/** The contract: the process ends within ten seconds of SIGTERM. */
export const END_LIMIT_MS = 10_000;

export type Target = Awaited<ReturnType<typeof startTarget>>;

/** `folder` holds the data in `data/`, and is given the logs. */
export async function startTarget(folder: string) {
  const port = await freePort();
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { recursive: true });
  const [logFile, errorFile] = [join(folder, 'service.log'), join(folder, 'service-errors.log')];
  const [log, errors] = [openSync(logFile, 'a'), openSync(errorFile, 'a')];
  // Without a port, as in the names of the cookies that hostile.ts sends.
  const PUBLIC_URL = 'http://localhost';
  const settings = { DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL, LOG_LEVEL: 'trace', TRUST_PROXY: '1' };
  const env = { PATH: process.env.PATH, ...settings };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', log, errors] });
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
    /** File of the service's log, JSON lines. */
    logFile,
    /** File of what no logger wrote. */
    errorFile,
    makeUnlimited: (email: string): Promise<void> =>
      runCommand(['account', 'set-tier', email, 'internal'], { DATA_DIR: dataDir }),
    isRunning: (): boolean => child.exitCode === null && child.signalCode === null,
    /** Maximum resident memory of the process so far; undefined where the system does not report it. */
    peakMemoryMb: (): number | undefined => memoryMb(child.pid ?? 0, 'VmHWM'),
    /** SIGTERM, and SIGKILL when it takes longer than the contract allows. Its exit code; null when it was killed. */
    async end(): Promise<number | null> {
      const kill = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
      child.kill('SIGTERM');
      const code = await ended;
      clearTimeout(kill);
      return code;
    },
  };
}
