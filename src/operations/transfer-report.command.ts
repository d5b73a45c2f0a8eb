// Progress and outcome of commands that copy everything.
import type { TransferProgress } from './copy-sections.js';
import { areEqual, type TransferReport } from './transfer-tools.js';
import { fail, print, printError, tableOf } from '../platform/command-line/command.js';

/** One line on stderr for each step, when it is done. */
export function transferProgress() {
  let latest: TransferProgress | undefined;
  const printLatest = (): void => {
    if (latest) printError(line(latest));
    latest = undefined;
  };
  return {
    show: (progress: TransferProgress): void => {
      if (progress.section !== latest?.section) printLatest();
      latest = progress;
    },
    /** After the last step, or where one failed. */
    stop: printLatest,
  };
}

/** `done` of `total`: the step failed. */
function line({ section, done, total }: TransferProgress): string {
  const [count, all] = [done, total].map((rows) => rows.toLocaleString('en-US'));
  return done < total ? `${count} of ${all} ${section}` : `${count} ${section}`;
}

/** Fails when something differs. */
export function printReport({ comparisons, kept }: TransferReport): void {
  if (kept !== undefined) print(`The database that was there is now ${kept}.`);
  if (comparisons.length === 0) return;
  const rows = comparisons.map(({ section, from, to, isEqual }) => [
    section,
    String(from.count),
    String(to.count),
    isEqual ? `${from.sha256.slice(0, 16)}… equal` : `${from.sha256.slice(0, 16)}… and ${to.sha256.slice(0, 16)}…`,
  ]);
  for (const line of tableOf(['WHAT', 'FROM', 'TO', 'SHA-256'], rows)) print(line);
  if (!areEqual(comparisons))
    fail(
      'What was written differs from what was read, and is not in use: something changed it meanwhile. Run it again.',
    );
}
