// Progress and outcome of commands that copy everything.
import type { TransferProgress } from '../services/transfer/copy-sections.js';
import { areEqual, type TransferReport } from '../compose/transfer-tools.js';
import { fail, print, printError, tableOf } from './command.js';

const LINE_EVERY_MS = 2000;

/** A line on stderr every few seconds: what is copied, and how long the rest of it takes. */
export function transferProgress() {
  const beganMs = performance.now();
  let latest: TransferProgress | undefined;
  let sectionBeganMs = beganMs;
  const timer = setInterval(() => {
    if (latest) printError(line(latest, performance.now() - sectionBeganMs));
  }, LINE_EVERY_MS);
  return {
    show: (progress: TransferProgress): void => {
      if (progress.section !== latest?.section) sectionBeganMs = performance.now();
      latest = progress;
    },
    stop: (): void => clearInterval(timer),
  };
}

function line({ section, done, total }: TransferProgress, elapsedMs: number): string {
  const seconds = Math.ceil(((elapsedMs / done) * (total - done)) / 1000);
  const rest = total > done ? `, ${seconds} s left` : '';
  return `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} ${section}${rest}`;
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
