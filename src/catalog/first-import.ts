// Imports that the service starts in a separate process: the first import, and updates to a newer bundled catalog. The
// terminal, the log and the start page show the progress of the first import.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openImportBar, openImportLines, type ImportDisplay } from './import-display.command.js';
import type { CatalogUpdates } from './services.js';
import { commandText } from '../platform/command-text.js';
import type { ImportProgress } from './import/import-progress.js';

export interface FirstImport extends CatalogUpdates {
  catalogIsEmpty(): boolean;
  /** True while the catalog is empty or its index is not built yet. Requests for web pages then get the start page. */
  isStarting(): boolean;
  /** Loads the catalog that another process has imported, instead of waiting for the next poll. */
  refreshCatalog(): Promise<void>;
  showImport(progress: ImportProgress): void;
  /** The last progress that was shown. */
  importProgress(): ImportProgress | undefined;
}

/**
 * Interval in ms at which this process checks whether another process has imported the catalog. A check takes much less
 * CPU time than the start of an import process.
 */
const IMPORT_POLL_MS = 500;
const IMPORT_POLLS = 20;
/**
 * Grace period in ms after SIGINT or SIGTERM has ended the import process. A signal to the whole process group may
 * reach the import process before this process. This process therefore waits until `signal` is aborted, but at most
 * this long.
 */
const SIGNAL_GRACE_MS = 1000;

const STOPPED_ELSEWHERE = 'Stopped. Another process continues the import of the catalog.';

/** Error that is printed as one line, without a stack. */
export class ImportFailed extends Error {
  override readonly name = 'ImportFailed';
}

/**
 * Fills an empty catalog. If another process is already doing this, waits for that process. Ends early if `signal` is
 * aborted. Rejects with ImportFailed.
 */
export async function fillCatalog(service: FirstImport, signal: AbortSignal): Promise<void> {
  console.log(
    'The catalog is empty. The service imports the catalog now, which happens only once. Until then, pages show the progress and ' +
      '/readyz returns 503.',
  );
  const display = openDisplay();
  const show = (progress: ImportProgress): void => {
    service.showImport(progress);
    display.show(progress);
  };
  show({ phase: 'open' });
  let ended: EndedImport;
  try {
    do {
      ended = await importCatalog(show, signal);
      if (ended.isElsewhere) await importedElsewhere(service, signal);
      else {
        if (ended.isDone) show({ phase: 'index' });
        await service.refreshCatalog();
      }
    } while (ended.isElsewhere && service.catalogIsEmpty() && !signal.aborted);
  } finally {
    display.stop();
  }
  if (!service.catalogIsEmpty()) {
    process.stderr.write(ended.errors);
    process.stdout.write(ended.output);
  } else if (signal.aborted) console.log(ended.isElsewhere ? STOPPED_ELSEWHERE : await stopText(service));
  else throw new ImportFailed(await failureText(service, ended.errors));
}

/**
 * Replaces an older bundled catalog with the catalog of this release, while the service runs. If another process is
 * already doing this, does nothing. Never rejects: after a failure, the service keeps the old catalog.
 */
export async function updateCatalog(service: FirstImport, signal: AbortSignal): Promise<void> {
  try {
    const update = await service.bundleUpdate();
    if (update === undefined) return;
    console.log(
      `Replacing the bundled catalog of release ${update.from} with the catalog of this release. The old catalog is ` +
        'served until then.',
    );
    const { isDone, isElsewhere, output, errors } = await importCatalog(() => undefined, signal, ['--update']);
    if (isElsewhere || signal.aborted) return;
    process.stdout.write(output);
    if (!isDone) throw new Error(errors.trim());
    await service.refreshCatalog();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`The bundled catalog could not be replaced. ${reason} The next start tries again.`);
  }
}

function openDisplay(): ImportDisplay {
  const displays = [
    ...(process.stderr.isTTY ? [openImportBar()] : []),
    ...(process.stdout.isTTY && process.stderr.isTTY ? [] : [openImportLines((line) => console.log(line))]),
  ];
  return {
    show: (progress) => displays.forEach(({ show }) => show(progress)),
    stop: () => displays.forEach(({ stop }) => stop()),
  };
}

interface EndedImport {
  readonly isDone: boolean;
  /** True if another process runs an import. */
  readonly isElsewhere: boolean;
  /** Stdout of the import process: the summary of the import. */
  readonly output: string;
  /** Reason of a failure: one line. If the failure is a bug, its stack follows. */
  readonly errors: string;
}

/**
 * Runs the import in a child process, because the end of the child process frees the import's memory. If this process
 * ends or `signal` is aborted, the child process ends as well.
 */
async function importCatalog(
  show: ImportDisplay['show'],
  signal: AbortSignal,
  options: readonly string[] = [],
): Promise<EndedImport> {
  const command = fileURLToPath(new URL('../cli/main.js', import.meta.url));
  const child = fork(command, ['catalog', 'import', '--brief', ...options], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  if (signal.aborted) kill();
  let [output, errors, isElsewhere] = ['', '', false];
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.on('message', (message) => {
    const progress = message as ImportProgress;
    isElsewhere = progress.phase === 'elsewhere';
    if (!signal.aborted) show(progress);
  });
  // The last message of the process may arrive after its exit.
  await Promise.all([once(child, 'close'), once(child, 'disconnect')]).catch((error: unknown) => {
    errors += String(error);
  });
  signal.removeEventListener('abort', kill);
  const { exitCode, signalCode: by } = child;
  if (by === 'SIGINT' || by === 'SIGTERM') await pause(SIGNAL_GRACE_MS, signal);
  if (by !== null)
    errors += `The import process was ended by ${by}${by === 'SIGKILL' ? ', possibly because memory ran out' : ''}.`;
  return { isDone: exitCode === 0, isElsewhere, output, errors };
}

/**
 * Waits until another process has imported the catalog. Gives up after IMPORT_POLLS checks, because that process may
 * have died.
 */
async function importedElsewhere(service: FirstImport, signal: AbortSignal): Promise<void> {
  for (let polls = 0; polls < IMPORT_POLLS && service.catalogIsEmpty() && !signal.aborted; polls++)
    await pause(IMPORT_POLL_MS, signal);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

async function stopText(service: FirstImport): Promise<string> {
  const isDiscarded = await service.discardImport().catch(() => false);
  const rest = isDiscarded ? 'partial data was deleted' : 'partial data is not used';
  return `Stopped before the import had finished; ${rest}. The next start imports the catalog again.`;
}

/**
 * Discards the failed import, and returns the message of the error `ImportFailed`. `errors` is the error output of the
 * import process. If it has several lines, it usually contains the stack of a bug, so it is printed.
 */
async function failureText(service: FirstImport, errors: string): Promise<string> {
  await service.discardImport().catch(() => false);
  const [first = '', ...stack] = errors.trim().split('\n');
  if (stack.length > 0) console.error(errors.trimEnd());
  const reason = first.replace(/^Error: /, '').replace(/[^.]$/, '$&.');
  return (
    `The catalog could not be imported. ${reason} Fix the problem and start the service again. ${commandText('doctor')} ` +
    'checks settings, disk and databases.'
  );
}
