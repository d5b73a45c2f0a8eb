// Blazon as it is measured: one process of its own, an account without limits, and its event-loop delay readable.
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { freePort } from '../server-process.js';
import { untilAnswers } from '../processes.js';

const WATCHED = fileURLToPath(new URL('./watched-service.js', import.meta.url));
const COMMANDS = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

export interface MeasuredService {
  readonly base: string;
  readonly pid: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The API key of another account without limits. */
  anotherKey(): Promise<string>;
  /** The publishable key of another account without limits; for pages of these hosts, none: any. */
  publishableKey(...origins: readonly string[]): Promise<string>;
  /** From start to the first ready answer, ms. */
  readonly readyMs: number;
  /** Begins a measurement of the event-loop delay; the result is its p99 in ms. */
  watchLoop(): Promise<() => Promise<number>>;
  stop(): Promise<void>;
}

export function temporaryData(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'blazon-bench-data-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Embedded. */
export async function startService(
  dataDir: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<MeasuredService> {
  const started = await startProcess({ DATA_DIR: dataDir, ...variables });
  const anotherKey = async (): Promise<string> => (await unlimitedAccount(started.base, dataDir)).apiKey;
  const publishableKey = async (...origins: readonly string[]): Promise<string> => {
    const { accessToken } = await unlimitedAccount(started.base, dataDir);
    const { publishableKey: made } = (await post(
      `${started.base}/auth/publishable-keys`,
      { name: 'bench', origins },
      accessToken,
    )) as {
      publishableKey: { key: string };
    };
    return made.key;
  };
  return { ...started, headers: { 'X-API-Key': await anotherKey() }, anotherKey, publishableKey };
}

/** Of either family. What it writes to stdout is read, and thrown away. */
export async function startProcess(
  variables: Readonly<Record<string, string>>,
): Promise<Omit<MeasuredService, 'headers' | 'anotherKey' | 'publishableKey'>> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = fork(WATCHED, {
    env: { ...process.env, PORT: String(port), LOG_LEVEL: 'error', ...variables },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.stdout?.resume();
  const base = `http://127.0.0.1:${port}`;
  await untilAnswers(`${base}/readyz`, child);
  const readyMs = performance.now() - startedAt;
  // The service's own `ready` waits in the channel for the first listener.
  await new Promise((resolve) => child.once('message', resolve));
  const ask = (question: string) =>
    new Promise<number>((resolve) => {
      child.once('message', (answer) => resolve(Number(answer)));
      child.send(question);
    });
  return {
    base,
    pid: child.pid ?? 0,
    readyMs,
    async watchLoop() {
      await ask('reset');
      return () => ask('p99');
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Registers, and lifts the account to the tier without limits: a burst limit is not what is measured. */
async function unlimitedAccount(base: string, dataDir: string): Promise<RegisteredAccount> {
  const email = `bench-${Date.now()}@example.com`;
  const account = (await post(`${base}/auth/register`, { email, password: 'a long pass phrase' })) as RegisteredAccount;
  const db = new DatabaseSync(join(dataDir, 'blazon.sqlite'));
  db.prepare("UPDATE accounts SET tier = 'internal', operator_tier = 'internal' WHERE email = ?").run(email);
  db.close();
  return account;
}

interface RegisteredAccount {
  readonly apiKey: string;
  readonly accessToken: string;
}

async function post(url: string, body: object, bearer?: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(bearer && { Authorization: `Bearer ${bearer}` }) },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** Runs `catalog` with these arguments; the time it took, ms. */
export async function catalogCommand(
  variables: Readonly<Record<string, string>>,
  ...parameters: string[]
): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [COMMANDS, 'catalog', ...parameters], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`catalog ${parameters.join(' ')} ended with ${code ?? 'a signal'}`);
  return performance.now() - startedAt;
}
