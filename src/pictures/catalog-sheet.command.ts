// Contact sheets of the catalog as files (`npm run catalog -- sheet`).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogTools } from '../compose/catalog-tools.js';
import { tokenize } from '../platform/text/tokenize.js';
import { messageOf } from '../platform/errors.js';
import type { SheetSubject } from './contact-sheets.js';
import { namesOf } from '../search/nearest-slugs.js';
import { fail, print, printError } from '../platform/command-line/command.js';
import { makeFolder } from '../platform/command-line/make-folder.js';

interface SheetFlags {
  readonly out: string;
  readonly show: SheetSubject;
}

export async function drawSheets(
  { sheets }: Pick<CatalogTools, 'sheets'>,
  text: string | undefined,
  { out, show }: SheetFlags,
): Promise<void> {
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
