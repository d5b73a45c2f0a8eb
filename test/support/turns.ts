// Counts the iterations of the event loop during some work.
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns how often a timer of 1 ms has fired until `work` ended: about once for each time that `work` let other code
 * run.
 */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  const ended = work.then(() => 'ended');
  for (let turns = 0; ; turns++) {
    if ((await Promise.race([ended, sleep(1, 'under way')])) === 'ended') return turns;
  }
}
