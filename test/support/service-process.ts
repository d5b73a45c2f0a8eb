// The service in a separate process, which a test can pause, kill and stop.
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sampleCatalog } from './sample-catalog.js';
import { PASSWORD } from './accounts.js';
import { expectNoSecrets } from './secrets.js';
import { freePort } from '../../scripts/server-process.js';
import { temporaryDir } from './temporary.js';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

const READY_LIMIT_MS = 30_000;

type Variables = Readonly<Record<string, string>>;
type Command = readonly [string, ...string[]];

export interface LaunchedProcess {
  readonly child: ChildProcess;
  /** Returns the output on stdout and stderr so far. */
  readonly output: () => string;
  /** Resolves with the exit code, or with null if a signal ended the process. */
  readonly exit: Promise<number | null>;
}

export interface ServiceProcess extends LaunchedProcess {
  /** Base URL, `http://127.0.0.1:PORT`. */
  readonly base: string;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
}

const launched = new Set<LaunchedProcess>();
process.on('exit', () => {
  for (const { child } of launched) child.kill('SIGKILL');
});

export function launchService(
  variables: Variables,
  [program, ...words]: Command = [process.execPath, MAIN],
): LaunchedProcess {
  const child = spawn(program, words, { cwd: ROOT, env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...variables } });
  let output = '';
  const take = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const one = { child, output: () => output, exit };
  launched.add(one);
  return one;
}

/** Starts the service and waits until it is ready. Uses a free port if `PORT` is not set. */
export async function startService(variables: Variables, command?: Command): Promise<ServiceProcess> {
  const service = await beginService(variables, command);
  await untilReady(service);
  return service;
}

/** Starts the service. Returns before the service is ready. */
export async function beginService(variables: Variables, command?: Command): Promise<ServiceProcess> {
  const port = variables.PORT ?? String(await freePort());
  const one = launchService({ ...variables, PORT: port }, command);
  return {
    ...one,
    base: `http://127.0.0.1:${port}`,
    async kill() {
      one.child.kill('SIGKILL');
      await one.exit;
    },
  };
}

/**
 * Waits until the service is ready. Throws an error with the output if the service ends or READY_LIMIT_MS pass first.
 */
export async function untilReady({ child, base, output }: ServiceProcess): Promise<void> {
  const deadlineMs = performance.now() + READY_LIMIT_MS;
  while (!(await isReady(base))) {
    if (child.exitCode !== null) throw new Error(output());
    if (performance.now() > deadlineMs) throw new Error(`not ready: ${output()}`);
    await sleep(50);
  }
}

export function isReady(base: string): Promise<boolean> {
  return fetch(`${base}/readyz`).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
}

/** Registers an account with the password `PASSWORD`. */
export async function registerAt(base: string, email = 'ada@example.com'): Promise<{ status: number; apiKey: string }> {
  const body = JSON.stringify({ email, password: PASSWORD });
  const response = await fetch(`${base}/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const text = await response.text();
  return { status: response.status, apiKey: (JSON.parse(text) as { readonly apiKey: string }).apiKey };
}

/** Kills all processes that were started. Throws if one of them has printed a secret. */
export async function endServices(): Promise<void> {
  const ended = [...launched];
  launched.clear();
  for (const { child, exit } of ended) {
    child.kill('SIGKILL');
    await exit;
  }
  for (const { output } of ended) expectNoSecrets('the output of the service', output());
}

/**
 * Creates a data folder with the imported catalog before each test of the block. Kills all services after each test.
 * The returned function returns the folder of the current test.
 */
export function serviceFolder(): () => string {
  let folder: ReturnType<typeof temporaryDir>;
  beforeEach(async () => {
    folder = temporaryDir();
    cpSync(await sampleCatalog(), folder.path, { recursive: true });
  });
  afterEach(async () => {
    await endServices();
    folder.remove();
  });
  return () => folder.path;
}
