// Contact sheets of the catalog as files (`npm run catalog -- sheet`).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Option } from 'commander';
import type { Entry } from '../catalog/entry.js';
import { CATALOG_STORES } from '../catalog/stores.js';
import { openFence } from '../platform/processes/fence.js';
import { openCommandStores, type StoresEnv } from '../platform/stores/open-stores.js';
import { openRasterizer } from './rasterizer.worker.js';
import { tokenize } from '../platform/text/tokenize.js';
import { messageOf } from '../platform/errors.js';
import { contactSheets, type Sheet, type SheetSubject } from './contact-sheets.js';
import { namesOf } from '../catalog/nearest-slugs.js';
import { fail, print, printError, withTools, type Subcommand } from '../platform/command-line/command.js';
import { makeFolder } from '../platform/command-line/make-folder.js';

/**
 * Maximum processor time for one sheet or picture, ms. The limit is high, because every picture must be on the sheet
 * and no client waits.
 */
const SHEET_TIMEOUT_MS = 60_000;
const SHEET_PROCESSES = 2;

type SheetTools = Awaited<ReturnType<typeof openSheetTools>>;

async function openSheetTools(env: StoresEnv) {
  const options = { features: [CATALOG_STORES], now: Date.now, onError: () => undefined };
  const stores = await openCommandStores(env, options);
  async function* sheets(subject: SheetSubject, filter: (entry: Entry) => boolean): AsyncIterable<Sheet> {
    const rasterizer = openRasterizer({
      worker: new URL('../../workers/rasterize/rasterize.js', import.meta.url),
      processes: SHEET_PROCESSES,
      timeoutMs: SHEET_TIMEOUT_MS,
      fence: await openFence(env.DATA_DIR),
    });
    try {
      yield* contactSheets({ store: stores.catalog, rasterizer, subject, filter });
    } finally {
      await rasterizer.close();
    }
  }

  return { sheets, close: (): Promise<void> => stores.close() };
}

interface SheetFlags {
  readonly out: string;
  readonly show: SheetSubject;
}

async function drawSheets({ sheets }: SheetTools, text: string | undefined, { out, show }: SheetFlags): Promise<void> {
  try {
    makeFolder(out);
  } catch (error) {
    fail(`${out} cannot be made: ${messageOf(error)}`);
  }
  const part = tokenize(text ?? '').normalized;
  let page = 0;
  for await (const sheet of sheets(show, (entry) => namesOf(entry).some((name) => name.includes(part)))) {
    page += 1;
    const file = join(out, `${show}-${String(page).padStart(3, '0')}.png`);
    await writeFile(file, sheet.png);
    print(`${file}  ${sheet.cells} pictures, ${sheet.from} to ${sheet.to}`);
    for (const label of sheet.failed) printError(`  ${label} could not be drawn`);
  }
  if (page === 0) printError('There is nothing to draw.');
}

export const sheet: Subcommand = {
  name: 'sheet [text]',
  help:
    'Draw contact sheets: PNG pages that show entries with their names. With a text: only matching entries, as in ' +
    '`list`.',
  options: [
    new Option('--out <dir>', 'folder for the pages; it is created if necessary').makeOptionMandatory(),
    new Option('--show <what>', 'what to draw of each entry; light and dark: the drawing for that background')
      .choices(['defaults', 'variants', 'light', 'dark'])
      .default('defaults'),
  ],
  json: false,
  run: withTools(openSheetTools)(drawSheets),
};
