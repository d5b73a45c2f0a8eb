// The first import of the catalog: in a process of its own, shown in the terminal, the log and the pages meanwhile.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openImportBar, openImportLines, type ImportDisplay } from './cli/import-display.js';
import type { Service } from './compose/service.js';
import type { ImportProgress } from './services/catalog/import-progress.js';

/** The service itself looks for a new catalog; a process that tries to import takes part of a core. */
const IMPORT_POLL_MS = 500;
const IMPORT_POLLS = 20;
/** A signal to the whole group of processes may reach the import before this one. */
const SIGNAL_GRACE_MS = 1000;

const STOPPED_ELSEWHERE = 'Stopped. The process that imports the catalog goes on.';

/** Printed as one line, without a stack. */
export class ImportFailed extends Error {
  override readonly name = 'ImportFailed';
}

/**
 * Once for all processes: where another one has begun the import, this one waits for it. Ends early when `signal` is
 * aborted. Rejects with ImportFailed.
 */
export async function fillCatalog(service: Service, signal: AbortSignal): Promise<void> {
  console.log(
    'The catalog is empty: it is imported now, once. Until that is done, pages say so and /readyz answers 503.',
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
  /** Another process imports. */
  readonly isElsewhere: boolean;
  /** Its summary. */
  readonly output: string;
  /** Why it failed: a line, or a line and its stack. */
  readonly errors: string;
}

/** In a process of its own: the memory that an import takes goes with it. It ends when this one does, or by `signal`. */
async function importCatalog(show: ImportDisplay['show'], signal: AbortSignal): Promise<EndedImport> {
  const command = fileURLToPath(new URL('./cli/main.js', import.meta.url));
  const child = fork(command, ['catalog', 'import'], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  let [output, errors, isElsewhere] = ['', '', false];
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.on('message', (message) => {
    const progress = message as ImportProgress;
    isElsewhere = progress.phase === 'elsewhere';
    if (!signal.aborted) show(progress);
  });
  // Its last message may arrive after its end.
  await Promise.all([once(child, 'close'), once(child, 'disconnect')]).catch((error: unknown) => {
    errors += String(error);
  });
  signal.removeEventListener('abort', kill);
  const { exitCode, signalCode: by } = child;
  if (by === 'SIGINT' || by === 'SIGTERM') await pause(SIGNAL_GRACE_MS, signal);
  if (by !== null) errors += `Its process was ended by ${by}${by === 'SIGKILL' ? ', as when memory runs out' : ''}.`;
  return { isDone: exitCode === 0, isElsewhere, output, errors };
}

/** Until the catalog is there; or for a while, since the other process may have died. */
async function importedElsewhere(service: Service, signal: AbortSignal): Promise<void> {
  for (let polls = 0; polls < IMPORT_POLLS && service.catalogIsEmpty() && !signal.aborted; polls++)
    await pause(IMPORT_POLL_MS, signal);
}

/** Ends early when `signal` is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

async function stopText(service: Service): Promise<string> {
  const isDiscarded = await service.discardImport().catch(() => false);
  const rest = isDiscarded ? 'nothing of it was kept' : 'nothing of it is used';
  return `Stopped. The import had not finished; ${rest}, and the next start begins it again.`;
}

/** The stack of a bug goes before the line. */
async function failureText(service: Service, errors: string): Promise<string> {
  await service.discardImport().catch(() => false);
  const [first = '', ...stack] = errors.trim().split('\n');
  if (stack.length > 0) console.error(errors.trimEnd());
  const reason = first.replace(/^Error: /, '').replace(/[^.]$/, '$&.');
  return `The catalog could not be imported. ${reason} Mend that and start again; npm run doctor checks settings, disk and stores.`;
}
