// Reload of PM2's processes: each new one must be ready before its predecessor ends, and before the next one begins.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
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
  /** Says what happened, what still serves, and what to do. */
  readonly reason: string;
  /** Error log of the process that failed. */
  readonly output: string;
}

const POLL_MS = 1000;
const MAX_LOG_BYTES = 16 * 1024;
/** States of PM2 in which a process is that has ended by itself. */
const HAS_FAILED: ReadonlySet<string> = new Set(['errored', 'waiting restart']);
/** For waits beside a command of PM2, which keeps this process alive: none may outlast it. */
const UNHELD = { ref: false };

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
  const { pm2 } = options;
  for (const { id } of before.filter(({ status }) => status !== 'online')) {
    const reason = await startStopped(id, options);
    if (reason !== undefined) return reason;
  }
  const deadlineMs = performance.now() + options.limitMs;
  for (;;) {
    const running = new Map((await pm2.processes()).map((one) => [one.id, one]));
    const outcome = await follow(running, pm2.reload(), options);
    if (outcome === 'done') return undefined;
    if (!outcome.isBusy || performance.now() > deadlineMs) return outcome.reason;
    await sleep(POLL_MS);
  }
}

/** `isBusy`: PM2 still ends the predecessor of a process, and begins no other meanwhile. */
type Outcome = 'done' | { readonly reason: string; readonly isBusy: boolean };

/** Until PM2 has done all, or one fails: that is stopped then, and PM2 begins no other. */
async function follow(
  before: ReadonlyMap<number, Pm2Process>,
  action: Pm2Action,
  { pm2, limitMs }: Options,
): Promise<Outcome> {
  let beginning: number | undefined;
  let sinceMs = 0;
  for (;;) {
    const end = await Promise.race([action.ended, sleep(POLL_MS, undefined, UNHELD)]);
    const list = await pm2.processes();
    const isNew = ({ id, pid }: Pm2Process): boolean => pid !== before.get(id)?.pid;
    const next = list.find((one) => isNew(one) && one.status !== 'online');
    if (end) {
      if (!next && list.every(isNew)) return 'done';
      return { reason: unfinishedText(end.output), isBusy: end.output.includes('Reload already in progress') };
    }
    if (next?.id !== beginning) [beginning, sinceMs] = [next?.id, performance.now()];
    if (!next) continue;
    const isLate = performance.now() - sinceMs > limitMs;
    const hasEnded = !runs(next) || next.restarts > (before.get(next.id)?.restarts ?? 0) + 1;
    if (!isLate && !hasEnded) continue;
    action.abandon();
    await pm2.stop(next.id);
    return { reason: stoppedText(next.id, hasEnded ? 'it ended' : lateText(limitMs)), isBusy: false };
  }
}

/** Mostly one that an earlier reload has stopped, and whose predecessor serves until it is ready. */
async function startStopped(id: number, { pm2, limitMs }: Options): Promise<string | undefined> {
  await pm2.stop(id);
  const action = pm2.restart(id);
  const isLate = !(await endsWithin(action, limitMs));
  const isReady = (await pm2.processes()).some((one) => one.id === id && one.status === 'online');
  if (isReady) return undefined;
  action.abandon();
  await pm2.stop(id);
  return stoppedText(id, isLate ? lateText(limitMs) : 'it ended');
}

async function endsWithin({ ended }: Pm2Action, limitMs: number): Promise<boolean> {
  return Promise.race([ended.then(() => true), sleep(limitMs, false, UNHELD)]);
}

function runs({ status }: Pm2Process): boolean {
  return status === 'online' || status === 'launching';
}

function lateText(limitMs: number): string {
  return `it was not ready within ${limitMs / 1000} s`;
}

function stoppedText(id: number, what: string): string {
  return (
    `The new process ${id} was stopped: ${what} under PM2, though the trial start succeeded. Its predecessor and all other old ` +
    'processes go on serving. Mend the cause, or go back to the build before, and run npm run reload again.'
  );
}

function unfinishedText(output: string): string {
  const line = stripVTControlCharacters(output)
    .split('\n')
    .findLast((one) => one.includes('ERROR'));
  return `PM2 has not finished the reload${line === undefined ? '' : `: ${line.trim()}`}. Look at pm2 list, and run npm run reload again.`;
}

/** One process, whose database no other may open: PM2 ends it before the new one begins. */
async function reloadEmbedded([before]: readonly Pm2Process[], options: Options): Promise<string | undefined> {
  const { pm2, env, limitMs } = options;
  const action = pm2.reload();
  const deadlineMs = performance.now() + limitMs;
  while (performance.now() < deadlineMs) {
    const end = await Promise.race([action.ended, sleep(POLL_MS, undefined, UNHELD)]);
    const [now] = await pm2.processes();
    const isNew = now !== undefined && now.pid !== before?.pid;
    // With the end of the command: until PM2 knows that it is ready, it takes the next reload for a crash.
    if (end && isNew && (await answerOf(`${addressOf(env)}/readyz`)) === true) return undefined;
    // `stopping` and `stopped` come between the end of the old one and the start of the new one, too.
    if (isNew && (HAS_FAILED.has(now.status) || now.restarts > (before?.restarts ?? 0) + 1)) break;
    if (end) await sleep(POLL_MS);
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

/** The end of what was written since. */
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
