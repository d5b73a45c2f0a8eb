// Progress of an import as text: a bar in a terminal, or a line every few seconds in a log.
import { Presets, SingleBar } from 'cli-progress';
import { importPercent, importText, type ImportProgress } from './import/import-progress.js';
import { terminalText } from '../platform/command-line/terminal-text.js';

export interface ImportDisplay {
  readonly show: (progress: ImportProgress) => void;
  /** May be called more than once. */
  readonly stop: () => void;
}

const BAR_COLUMNS = 28;
const LINE_EVERY_MS = 5000;

/** Shows a progress bar on stderr, because stdout is only for results. */
export function openImportBar(): ImportDisplay {
  const bar = new SingleBar(
    {
      format: '{bar} {percentage} % {text}',
      barsize: BAR_COLUMNS,
      hideCursor: true,
      clearOnComplete: true,
    },
    Presets.shades_classic,
  );
  return {
    show(progress) {
      const values = { text: importLine(progress) };
      if (bar.isActive) bar.update(importPercent(progress) ?? 0, values);
      else bar.start(100, importPercent(progress) ?? 0, values);
    },
    stop: () => bar.stop(),
  };
}

/**
 * Prints the first progress after the phase `open`. Then prints the newest progress every `everyMs` ms, if it has
 * changed.
 */
export function openImportLines(print: (line: string) => void, everyMs = LINE_EVERY_MS): ImportDisplay {
  let line = '';
  let printed = '';
  const printNew = (): void => {
    if (line !== printed) print(line);
    printed = line;
  };
  const timer = setInterval(printNew, everyMs);
  return {
    show(progress) {
      const percent = importPercent(progress);
      line = `Catalog import: ${percent === undefined ? '' : `${percent} %, `}${importLine(progress)}`;
      if (printed === '' && progress.phase !== 'open') printNew();
    },
    stop: () => clearInterval(timer),
  };
}

function importLine(progress: ImportProgress): string {
  const source = progress.phase === 'read' ? ` (${progress.source.replace('package:', '')})` : '';
  return terminalText(importText(progress) + source);
}
