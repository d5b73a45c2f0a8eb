// What an import shows: a bar while it runs, and what came of it.
import { Presets, SingleBar } from 'cli-progress';
import type { ImportProgress, ImportSummary } from '../services/catalog-import.js';

export interface ImportBar {
  readonly show: (progress: ImportProgress) => void;
  /** May be called more than once. */
  readonly stop: () => void;
}

/** On stderr, so that stdout stays a program's. Without a terminal nothing is shown. */
export function openImportBar(visible: boolean): ImportBar {
  if (!visible) return { show: () => undefined, stop: () => undefined };
  const bar = new SingleBar({ format: '{bar} {value}/{total} {source}', hideCursor: true, clearOnComplete: true }, Presets.shades_classic);
  let source: string | undefined;
  return {
    show(progress) {
      if (source === undefined) bar.start(progress.total, 0, { source: progress.source });
      source = progress.source;
      bar.setTotal(progress.total);
      bar.update(Math.min(progress.done, progress.total), { source });
    },
    stop: () => bar.stop(),
  };
}

export function printSummary(summary: ImportSummary, { everySkip }: { everySkip: boolean }): void {
  const { imported, merged, entries, variants, redirects, skipped, tookMs } = summary;
  console.log(`${imported} icons imported in ${(tookMs / 1000).toFixed(1)} s, ${merged} of them merged: ${entries} entries, ${variants} variants, ${redirects} other names.`);
  if (skipped.length === 0) return;
  console.log(`${skipped.length} skipped:`);
  const groups = new Map<string, number>();
  for (const { source, reason, message } of skipped) {
    // Licences are few and each is a decision; of the other reasons, the icon is what matters.
    const line = reason === 'license' ? `licence ${message}` : `${reason}, in ${source}`;
    groups.set(line, (groups.get(line) ?? 0) + 1);
  }
  for (const [line, count] of [...groups].sort((a, b) => b[1] - a[1])) console.log(`  ${String(count).padStart(6)}  ${line}`);
  const named = skipped.filter(({ reason }) => everySkip || (reason !== 'license' && reason !== 'hidden'));
  for (const { source, key, reason, message } of named.slice(0, everySkip ? named.length : 20)) console.log(`  ${source} ${key}: ${reason}: ${message}`);
  if (!everySkip) console.log('  --verbose names them all.');
}
