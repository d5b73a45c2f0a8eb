// Progress and result of the commands that copy all data.
import type { TransferProgress } from './copy-tables.js';
import { areEqual, type TransferReport } from './transfer-tools.js';
import { fail, print, printError, tableOf } from '../platform/command-line/command.js';

/** Returns functions that print one line to stderr for each completed step. */
export function transferProgress() {
  let latest: TransferProgress | undefined;
  const printLatest = (): void => {
    if (latest) printError(line(latest));
    latest = undefined;
  };
  return {
    show: (progress: TransferProgress): void => {
      if (progress.what !== latest?.what) printLatest();
      latest = progress;
    },
    /** Prints the line about the last step, whether it has succeeded or failed. */
    stop: printLatest,
  };
}

/**
 * Returns the line about a step, such as `500 accounts`. For a failed step, also contains the total: `200 of 500
 * accounts`.
 */
function line({ what, done, total }: TransferProgress): string {
  const [count, all] = [done, total].map((rows) => rows.toLocaleString('en-US'));
  return done < total ? `${count} of ${all} ${what}` : `${count} ${what}`;
}

export function printReport({ comparisons, kept }: TransferReport): void {
  if (kept !== undefined) print(`The previous database is now ${kept}.`);
  if (comparisons.length === 0) return;
  const rows = comparisons.map(({ what, from, to, isEqual }) => [
    what,
    String(from.count),
    String(to.count),
    isEqual ? `${from.sha256.slice(0, 16)}… equal` : `${from.sha256.slice(0, 16)}… and ${to.sha256.slice(0, 16)}…`,
  ]);
  for (const line of tableOf(['WHAT', 'FROM', 'TO', 'SHA-256'], rows)) print(line);
  if (!areEqual(comparisons))
    fail(
      'The copy differs from the source, because something changed the data during the transfer. The copy is not ' +
        'used. Run the command again.',
    );
}
