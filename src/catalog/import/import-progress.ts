// Progress of an import: its phases in their order, each with what it counts.

/** Plain data: it goes from the process of an import to the service that started it. */
export type ImportProgress =
  /** Another process imports; this one has ended. */
  | { readonly phase: 'elsewhere' }
  /** The sources are being opened. */
  | { readonly phase: 'open' }
  /** Icons of all sources that are known so far; `source` is the one being read. */
  | { readonly phase: 'read'; readonly source: string; readonly done: number; readonly total: number }
  /** Brands. */
  | { readonly phase: 'merge'; readonly done: number; readonly total: number }
  /** Entries. */
  | { readonly phase: 'write'; readonly done: number; readonly total: number }
  /** The service builds its indexes of the catalog that was imported. */
  | { readonly phase: 'index' };

/** Percent of a whole import's time that has passed when the phase begins, and when it ends; and its text. */
const PHASES: Readonly<Record<ImportProgress['phase'], readonly [from: number, to: number, text: string]>> = {
  elsewhere: [0, 0, 'another process imports the catalog'],
  open: [0, 0, 'opening the icon packages'],
  read: [0, 90, 'icons read'],
  merge: [90, 96, 'brands merged'],
  write: [96, 98, 'entries written'],
  index: [98, 98, 'building the search index'],
};

/** Share of the whole import, a whole number; undefined where it is not known. */
export function importPercent(progress: ImportProgress): number | undefined {
  if (progress.phase === 'elsewhere') return undefined;
  const [from, to] = PHASES[progress.phase];
  if (!('total' in progress) || progress.total === 0) return from;
  return Math.floor(from + (to - from) * Math.min(1, progress.done / progress.total));
}

/** As in `5,210 of 14,170 icons read`. */
export function importText(progress: ImportProgress): string {
  const [, , text] = PHASES[progress.phase];
  if (!('total' in progress)) return text;
  const { done, total } = progress;
  return `${Math.min(done, total).toLocaleString('en-US')} of ${total.toLocaleString('en-US')} ${text}`;
}
