// Count of event loop iterations while something is done.
import { setTimeout as sleep } from 'node:timers/promises';

/** How often others got their turn before `work` had ended; pauses of `work` count about once each. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  const ended = work.then(() => 'ended');
  for (let turns = 0; ; turns++) {
    if ((await Promise.race([ended, sleep(1, 'under way')])) === 'ended') return turns;
  }
}
