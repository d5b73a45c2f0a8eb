// Processes of measurements: start, readiness, memory and processor time.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStatus } from '../process-status.js';

const START_LIMIT_MS = 300_000;

/** Polls an address until it answers 2xx. */
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

/** Resident memory, MB (Linux). */
export function residentMb(pid: number): number {
  const pages = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(pages?.[1] ?? 0) / 1024);
}

/** The kernel's unit of processor time (USER_HZ). */
const TICKS_PER_SECOND = 100;

/** Processor time of all its threads since it was started, s (Linux). */
export function processorSeconds(pid: number): number {
  return processStatus(`/proc/${pid}`).ticks / TICKS_PER_SECOND;
}
