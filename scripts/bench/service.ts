// Starts Blazon for measurements: a separate process, accounts without limits, and a monitor of the event-loop delay.
import { FEATURES } from '../../src/features.js';
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEnv } from '../../config/env.js';
import { openCommandStores } from '../../src/platform/stores/open-stores.js';
import type { Stores } from '../../src/platform/stores/stores.js';
import { newAccount } from '../../src/accounts/changes/lifecycle.js';
import { newPublishableKey } from '../../src/accounts/publishable-key.js';
import { runCommand, untilAnswers } from '../processes.js';
import { freePort } from '../server-process.js';

const WATCHED = fileURLToPath(new URL('./watched-service.js', import.meta.url));

/** Environment variables of a service, on embedded stores or on the cluster. */
export type Variables = Readonly<Record<string, string>>;

export interface Keys {
  readonly key: string;
  /** Publishable key for pages of any host. */
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

/** Creates two accounts, starts a service with these environment variables, calls `measure`, and stops the service. */
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

/** Starts a service and waits until it is ready. Its stdout is read and discarded. */
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
  // Node buffers the service's `ready` message until the first listener is added, so the message is not lost.
  await new Promise((resolve) => child.once('message', resolve));
  const ask = (question: string) =>
    new Promise<number>((resolve) => {
      child.once('message', (answer) => resolve(Number(answer)));
      child.send(question);
    });
  return {
    base,
    pid: child.pid ?? 0,
    /** Time from the start to the first ready response, ms. */
    readyMs,
    /**
     * Starts to measure the event-loop delay. The returned function ends the measurement and returns the 99th
     * percentile in ms.
     */
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
  const stores = await openCommandStores(readEnv(variables, '0.0.0'), {
    features: FEATURES,
    now: Date.now,
    onError: console.error,
  });
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}

/** Creates an account without limits, because a burst limit would distort the measurement. */
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

/**
 * Imports the default catalog. If `sets` is given, also imports the Iconify sets in this folder. Returns the duration
 * in seconds.
 */
export async function importSeconds(variables: Variables, sets?: string): Promise<number> {
  const startedMs = performance.now();
  await runCommand(['catalog', 'import', ...(sets === undefined ? [] : ['--iconify', sets])], variables);
  return (performance.now() - startedMs) / 1000;
}
