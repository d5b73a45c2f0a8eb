// Progress of an import: its phases in order, each with the unit that it counts.

/** Progress of an import, as plain data, which the import process can send to the service. */
export type ImportProgress =
  /** This import process has ended, because another process already runs an import. */
  | { readonly phase: 'elsewhere' }
  | { readonly phase: 'open' }
  /**
   * Number of icons read, and number of icons in all sources known so far. `source` is the source that is being read.
   */
  | { readonly phase: 'read'; readonly source: string; readonly done: number; readonly total: number }
  | { readonly phase: 'merge'; readonly done: number; readonly total: number }
  | { readonly phase: 'write'; readonly done: number; readonly total: number }
  /** The service builds the indexes of the imported catalog. */
  | { readonly phase: 'index' };

/** For each phase: at which percent of the import it starts and ends, and its text. */
const PHASES: Readonly<Record<ImportProgress['phase'], readonly [from: number, to: number, text: string]>> = {
  elsewhere: [0, 0, 'another process is importing the catalog'],
  open: [0, 0, 'opening the icon packages'],
  read: [0, 90, 'icons read'],
  merge: [90, 96, 'brands merged'],
  write: [96, 98, 'entries written'],
  index: [98, 98, 'building the search index'],
};

/** Returns the progress of the whole import in percent, an integer. Returns undefined if the progress is unknown. */
export function importPercent(progress: ImportProgress): number | undefined {
  if (progress.phase === 'elsewhere') return undefined;
  const [from, to] = PHASES[progress.phase];
  if (!('total' in progress) || progress.total === 0) return from;
  return Math.floor(from + (to - from) * Math.min(1, progress.done / progress.total));
}

/** Returns a text such as `5,210 of 14,170 icons read`. */
export function importText(progress: ImportProgress): string {
  const [, , text] = PHASES[progress.phase];
  if (!('total' in progress)) return text;
  const { done, total } = progress;
  return `${Math.min(done, total).toLocaleString('en-US')} of ${total.toLocaleString('en-US')} ${text}`;
}
