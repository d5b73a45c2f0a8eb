// Reload of PM2's processes. Each new process must be ready before its predecessor ends and before the next process
// starts.
import { createReadStream, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { APP_NAME, type Pm2, type Pm2Action, type Pm2Process } from './pm2.js';

interface Options {
  readonly pm2: Pm2;
  readonly isCluster: boolean;
  /** Time limit per process in ms. */
  readonly limitMs: number;
}

export interface FailedReload {
  /** Sentences about what happened, which processes still serve, and what the operator must do. */
  readonly reason: string;
  /** Text that the processes have written to the error log during the reload. */
  readonly output: string;
}

const POLL_MS = 1000;
const MAX_LOG_BYTES = 16 * 1024;
/** PM2's states of a process that has exited without a stop command. */
const HAS_FAILED: ReadonlySet<string> = new Set(['errored', 'waiting restart']);
/** PM2's message if the previous instance of a process has not ended yet. */
const IS_BUSY = 'Reload already in progress';

/** Reloads all processes. Returns undefined if all are ready. */
export async function reloadProcesses(options: Options): Promise<FailedReload | undefined> {
  const before = await options.pm2.processes();
  const log = before[0]?.errorLog ?? '';
  const logBytes = sizeOf(log);
  const reason = await reloadAll(before, options);
  return reason === undefined ? undefined : { reason, output: await writtenSince(log, logBytes) };
}

async function reloadAll(before: readonly Pm2Process[], options: Options): Promise<string | undefined> {
  const { pm2, isCluster, limitMs } = options;
  // If an earlier reload has failed, a process may not be ready while its previous instance still serves. PM2 does not
  // reload a process in this state. A restart makes the process ready and ends the previous instance.
  for (const one of before.filter(({ status }) => isCluster && status !== 'online')) {
    await pm2.stop(one.id);
    const reason = await outcomeOf(pm2.restart(one.id), [one], options);
    if (reason !== undefined) return reason;
  }
  const deadlineMs = performance.now() + limitMs;
  for (;;) {
    const running = await pm2.processes();
    const reason = await outcomeOf(pm2.reload(), running, options);
    if (reason?.includes(IS_BUSY) !== true || performance.now() > deadlineMs) return reason;
    await sleep(POLL_MS);
  }
}

/**
 * Waits until each of these processes is replaced by a ready process, or until one of them fails. Stops the failed
 * process, so that PM2 does not continue with the others.
 */
async function outcomeOf(
  action: Pm2Action,
  before: readonly Pm2Process[],
  { pm2, isCluster, limitMs }: Options,
): Promise<string | undefined> {
  let started: number | undefined;
  let sinceMs = performance.now();
  for (;;) {
    // The timer is unreferenced, so that it does not keep the command alive.
    const end = await Promise.race([action.ended, sleep(POLL_MS, undefined, { ref: false })]);
    const list = await pm2.processes();
    const isOld = ({ id, pid }: Pm2Process): boolean => before.some((old) => old.id === id && old.pid === pid);
    const next = list.find((one) => !isOld(one) && one.status !== 'online');
    if (end && !next) return list.some(isOld) ? unfinishedText(end.output) : undefined;
    if (next?.id !== started) [started, sinceMs] = [next?.id, performance.now()];
    const hasEnded = next !== undefined && hasFailed(next, before);
    if (next && (hasEnded || performance.now() - sinceMs > limitMs)) {
      action.abandon();
      if (!isCluster) return EMBEDDED_TEXT;
      await pm2.stop(next.id);
      return stoppedText(
        next.id,
        hasEnded ? 'the process ended' : `the process was not ready within ${limitMs / 1000} s`,
      );
    }
    if (end) await sleep(POLL_MS);
  }
}

function hasFailed({ id, status, restarts }: Pm2Process, before: readonly Pm2Process[]): boolean {
  const old = before.find((one) => one.id === id);
  return HAS_FAILED.has(status) || restarts > (old?.restarts ?? 0) + 1;
}

const EMBEDDED_TEXT =
  'The new process is not ready. The old process has ended, because only one process can use the embedded ' +
  'database. PM2 keeps trying to start the new one. Fix the problem, or go back to the previous build. Then run: ' +
  `pm2 restart ${APP_NAME}`;

function stoppedText(id: number, what: string): string {
  return (
    `The new process ${id} was stopped: ${what} under PM2, although the trial start succeeded. All old processes ` +
    'keep serving. Fix the problem, or go back to the previous build, and run npm run reload again.'
  );
}

function unfinishedText(output: string): string {
  const line = stripVTControlCharacters(output)
    .split('\n')
    .findLast((one) => one.includes('ERROR'));
  return (
    `PM2 has not finished the reload${line === undefined ? '' : `: ${line.trim()}`}. Check pm2 list, and run npm ` +
    'run reload again.'
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Returns the text that was appended to the file after `startBytes`, or the end of that text if it is long. */
async function writtenSince(path: string, startBytes: number): Promise<string> {
  const size = sizeOf(path);
  return size > startBytes ? text(createReadStream(path, { start: Math.max(startBytes, size - MAX_LOG_BYTES) })) : '';
}
