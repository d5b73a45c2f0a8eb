// Helpers for processes that scripts and tests start: wait until ready, read memory and state (proc(5)), run operator
// commands.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const START_LIMIT_MS = 300_000;
const COMMANDS = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));

/** Polls a URL until the status is 2xx. Throws if the process ends first, or if the time limit is exceeded. */
export async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  const limit = performance.now() + START_LIMIT_MS;
  while (performance.now() < limit) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it answered ${url}`);
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await sleep(20);
  }
  throw new Error(`${url} did not answer in time`);
}

/** Returns the resident memory of a process in MB, or undefined on systems without `/proc`. */
export function memoryMb(pid: number): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}

/**
 * Returns the state in `/proc/<pid>` or `/proc/<pid>/task/<thread>`: `R` running, `S` sleeping, `T` stopped. Throws if
 * the folder is missing.
 */
export function processState(folder: string): string {
  const stat = readFileSync(`${folder}/stat`, 'utf8');
  // In the file `stat`, the state follows the program name, which may contain spaces and brackets.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ', 1)[0] ?? '';
}

/** Runs an operator command, such as `npm run account -- …`. Throws if its exit code is not 0. */
export async function runCommand(words: readonly string[], variables: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [COMMANDS, ...words], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code ?? 'a signal'}`);
}
