// Blazon as it is measured: one process of its own, accounts without limits, and its event-loop delay readable.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEnv } from '../../config/env.js';
import { openCommandStores } from '../../src/compose/open-stores.js';
import type { Stores } from '../../src/compose/stores.js';
import { newAccount } from '../../src/accounts/changes/lifecycle.js';
import { newPublishableKey } from '../../src/accounts/publishable-key.js';
import { runCommand, untilAnswers } from '../processes.js';
import { freePort } from '../server-process.js';

const WATCHED = fileURLToPath(new URL('./watched-service.js', import.meta.url));

/** The environment of a service, of either family. */
export type Variables = Readonly<Record<string, string>>;

export interface Keys {
  readonly key: string;
  /** For pages of any host. */
  readonly publishable: string;
}

type ServiceProcess = Awaited<ReturnType<typeof startProcess>>;

export interface MeasuredService extends ServiceProcess {
  readonly headers: Readonly<Record<'X-API-Key', string>>;
  /** Keys of another account. */
  readonly other: Keys;
}

export function temporaryData(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'blazon-bench-data-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A service over this folder, for as long as it is measured. */
export async function withService<Result>(
  variables: Variables,
  measure: (service: MeasuredService) => Promise<Result>,
): Promise<Result> {
  const [own, other] = [await unlimitedAccount(variables), await unlimitedAccount(variables)];
  const service = await startProcess(variables);
  try {
    return await measure({ ...service, headers: { 'X-API-Key': own.key }, other });
  } finally {
    await service.stop();
  }
}

/** Its stdout is read, and thrown away. */
export async function startProcess(variables: Variables) {
  const port = await freePort();
  const startedMs = performance.now();
  const child = fork(WATCHED, {
    env: { ...process.env, PORT: String(port), LOG_LEVEL: 'error', ...variables },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.stdout?.resume();
  const base = `http://127.0.0.1:${port}`;
  await untilAnswers(`${base}/readyz`, child);
  const readyMs = performance.now() - startedMs;
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
    /** From start to the first ready answer, ms. */
    readyMs,
    /** Begins a measurement of the event-loop delay; the result is its p99 in ms. */
    async watchLoop(): Promise<() => Promise<number>> {
      await ask('reset');
      return () => ask('p99');
    },
    async stop(): Promise<void> {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export async function withStores<Result>(
  variables: Variables,
  use: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const stores = await openCommandStores(readEnv(variables, '0.0.0'), { now: Date.now, onError: console.error });
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}

/** A burst limit is not what is measured. */
export async function unlimitedAccount(variables: Variables): Promise<Keys> {
  return withStores(variables, async ({ accounts }) => {
    const email = `bench-${performance.now()}@example.com`;
    const { account, result } = newAccount({ email, passwordHash: 'none', tier: 'internal', at: new Date() });
    const settings = { name: 'bench', origins: [], dailyLimit: null };
    const publishable = newPublishableKey(account.id, settings, new Date());
    await accounts.insert({ ...account, publishableKeys: [publishable] });
    return { key: result.apiKey, publishable: publishable.raw };
  });
}

/** Imports the default catalog, or the Iconify sets of a folder beside it. Returns the time it took, s. */
export async function importSeconds(variables: Variables, sets?: string): Promise<number> {
  const startedMs = performance.now();
  await runCommand(['catalog', 'import', ...(sets === undefined ? [] : ['--iconify', sets])], variables);
  return (performance.now() - startedMs) / 1000;
}
