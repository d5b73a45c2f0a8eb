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

/** Parts of the time of a whole import that have passed when the phase begins, and when it ends, in percent. */
const SHARES: Readonly<Record<ImportProgress['phase'], readonly [number, number]>> = {
  elsewhere: [0, 0],
  open: [0, 0],
  read: [0, 90],
  merge: [90, 96],
  write: [96, 98],
  index: [98, 98],
};

/** Of the whole import, a whole number; undefined where that is not known. */
export function importPercent(progress: ImportProgress): number | undefined {
  if (progress.phase === 'elsewhere') return undefined;
  const [from, to] = SHARES[progress.phase];
  if (!('total' in progress) || progress.total === 0) return from;
  return Math.floor(from + (to - from) * Math.min(1, progress.done / progress.total));
}

/** As in `5,210 of 14,170 icons read`. */
export function importText(progress: ImportProgress): string {
  switch (progress.phase) {
    case 'elsewhere':
      return 'another process imports the catalog';
    case 'open':
      return 'opening the icon packages';
    case 'read':
      return `${countText(progress)} icons read`;
    case 'merge':
      return `${countText(progress)} brands merged`;
    case 'write':
      return `${countText(progress)} entries written`;
    case 'index':
      return 'building the search index';
  }
}

function countText({ done, total }: { readonly done: number; readonly total: number }): string {
  return `${Math.min(done, total).toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`;
}
