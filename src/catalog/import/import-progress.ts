// Progress of an import: its phases in order, each with the unit that it counts.

/** Progress of an import. Plain data, because the import process sends it to the service that started it. */
export type ImportProgress =
  /** Another process runs an import, so this one has ended. */
  | { readonly phase: 'elsewhere' }
  /** The sources are being opened. */
  | { readonly phase: 'open' }
  /** Number of icons read, and of icons in all sources known so far. `source` is the source being read. */
  | { readonly phase: 'read'; readonly source: string; readonly done: number; readonly total: number }
  /** Number of brands merged. */
  | { readonly phase: 'merge'; readonly done: number; readonly total: number }
  /** Number of entries written. */
  | { readonly phase: 'write'; readonly done: number; readonly total: number }
  /** The service is building the indexes of the imported catalog. */
  | { readonly phase: 'index' };

/** Percent of the import's total time at the start and at the end of each phase, and the text for the phase. */
const PHASES: Readonly<Record<ImportProgress['phase'], readonly [from: number, to: number, text: string]>> = {
  elsewhere: [0, 0, 'another process is importing the catalog'],
  open: [0, 0, 'opening the icon packages'],
  read: [0, 90, 'icons read'],
  merge: [90, 96, 'brands merged'],
  write: [96, 98, 'entries written'],
  index: [98, 98, 'building the search index'],
};

/** Returns the progress of the whole import in percent, an integer. Returns undefined if it is unknown. */
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
