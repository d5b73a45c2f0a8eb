// Reload of PM2's processes: each new one must be ready before its predecessor ends, and before the next one begins.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCluster, type Env } from '../../config/env.js';
import { APP_NAME, type Pm2, type Pm2Action, type Pm2Process } from './pm2.js';
import { answerOf } from './trial-start.js';

interface Options {
  readonly pm2: Pm2;
  readonly env: Env;
  /** For one process. */
  readonly limitMs: number;
}

export interface FailedReload {
  /** What happened, what still serves, and what to do. */
  readonly reason: string;
  /** What the process that failed wrote into its error log. */
  readonly output: string;
}

const POLL_MS = 1000;
const MAX_LOG_BYTES = 16 * 1024;

/** Undefined: all are ready. */
export async function reloadProcesses(options: Options): Promise<FailedReload | undefined> {
  const { pm2, env } = options;
  const before = await pm2.processes();
  const log = before[0]?.errorLog ?? '';
  const logBytes = sizeOf(log);
  const reason = isCluster(env) ? await reloadCluster(before, options) : await reloadEmbedded(before, options);
  return reason === undefined ? undefined : { reason, output: tailOf(log, logBytes) };
}

async function reloadCluster(before: readonly Pm2Process[], options: Options): Promise<string | undefined> {
  for (const { id } of before.filter(({ isParked }) => isParked)) {
    const reason = await continueReload(id, options);
    if (reason !== undefined) return reason;
  }
  const { pm2, limitMs } = options;
  const action = pm2.reload();
  let [parked, sinceMs] = ['', performance.now()];
  for (;;) {
    const end = await Promise.race([action.ended, sleep(POLL_MS)]);
    const list = await pm2.processes();
    const old = list.find(({ isParked }) => isParked);
    if (end) return end.code === 0 && !old ? undefined : unfinishedText(end.output);
    if ((old?.id ?? '') !== parked) [parked, sinceMs] = [old?.id ?? '', performance.now()];
    const isLate = performance.now() - sinceMs > limitMs;
    // A predecessor that ends finishes what is in flight.
    if (old && runs(old) && (isLate || hasFailed(list, old))) {
      action.abandon();
      await pm2.stop(old.id);
      return stoppedText(old.id, isLate ? `it was not ready within ${limitMs / 1000} s` : 'it ended');
    }
  }
}

/** The successor that was stopped when it was not ready. */
async function continueReload(id: string, { pm2, limitMs }: Options): Promise<string | undefined> {
  await pm2.stop(id);
  const action = pm2.restart(id);
  const isLate = !(await endsWithin(action, limitMs));
  const isReady = !(await pm2.processes()).some((one) => one.id === id && one.isParked);
  if (isReady) return undefined;
  action.abandon();
  await pm2.stop(id);
  return stoppedText(id, isLate ? `it was not ready within ${limitMs / 1000} s` : 'it ended');
}

async function endsWithin({ ended }: Pm2Action, limitMs: number): Promise<boolean> {
  return Promise.race([ended.then(() => true), sleep(limitMs, false)]);
}

/** It ended at least once: PM2 has started it again, or is about to. */
function hasFailed(list: readonly Pm2Process[], old: Pm2Process): boolean {
  const successor = list.find(({ id, isParked }) => id === old.id && !isParked);
  return successor !== undefined && (!runs(successor) || successor.restarts > old.restarts + 1);
}

function runs({ status }: Pm2Process): boolean {
  return status === 'online' || status === 'launching';
}

function stoppedText(id: string, what: string): string {
  return (
    `The new process ${id} was stopped: ${what} before it was ready, though the trial start succeeded. Its predecessor and all other old ` +
    'processes go on serving. Mend the cause, or go back to the build before, and run npm run reload again.'
  );
}

function unfinishedText(output: string): string {
  const line = output.split('\n').findLast((one) => one.includes('ERROR'));
  return `PM2 has not finished the reload${line === undefined ? '' : `: ${line.trim()}`}. Look at pm2 list, and run npm run reload again.`;
}

/** One process, whose database no other may open: PM2 ends it before the new one begins. */
async function reloadEmbedded([before]: readonly Pm2Process[], options: Options): Promise<string | undefined> {
  const { pm2, env, limitMs } = options;
  const action = pm2.reload();
  const deadlineMs = performance.now() + limitMs;
  while (performance.now() < deadlineMs) {
    const [now] = await pm2.processes();
    const isNew = now !== undefined && now.pid !== before?.pid;
    if (isNew && (await answerOf(`${addressOf(env)}/readyz`)) === true) {
      await endsWithin(action, POLL_MS);
      return undefined;
    }
    if (isNew && (!runs(now) || now.restarts > (before?.restarts ?? 0) + 1)) break;
    await sleep(POLL_MS);
  }
  action.abandon();
  return (
    'The new process is not ready, and the old one has ended, since the embedded database is for one process. PM2 tries again. ' +
    `Mend the cause, or go back to the build before; then: pm2 restart ${APP_NAME}`
  );
}

function addressOf({ HOST, PORT }: Env): string {
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** What was written since, its end. */
function tailOf(path: string, since: number): string {
  const size = sizeOf(path);
  const length = Math.min(size - since, MAX_LOG_BYTES);
  if (length <= 0) return '';
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    readSync(file, bytes, 0, length, size - length);
    return bytes.toString();
  } finally {
    closeSync(file);
  }
}
