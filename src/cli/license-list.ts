// LICENSES.md beside drawings that were copied into a project: a row for each file.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../domain/catalog/entry.js';
import { fail } from './command.js';

const FILE = 'LICENSES.md';
const HEADING = '# Licenses of these drawings';
const TEXT = 'Written by `blazon add`. Logos are trademarks of their owners, whatever the license of the drawing.';
const TABLE = ['| File | Brand | License | Drawing from | Packages of the brand |', '|---|---|---|---|---|'];

export interface LicensedFile extends Pick<Entry, 'title' | 'license' | 'source' | 'provenance'> {
  readonly name: string;
}

/** The rows of the folder's license list, by file name. Fails when this command has not written that list. */
export function readLicenseList(folder: string): Map<string, string> {
  const path = join(folder, FILE);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : HEADING;
  if (!text.startsWith(HEADING))
    fail(`${path} is not a list that this command has written: rename it, or choose another --dir.`);
  return new Map([...text.matchAll(/^\| `([^`]+)` \|.*$/gm)].map(([row, name = '']) => [name, row]));
}

/** Returns the path. */
export function writeLicenseList(
  folder: string,
  rows: ReadonlyMap<string, string>,
  added: readonly LicensedFile[],
): string {
  const all = new Map([...rows, ...added.map((file) => [file.name, rowOf(file)] as const)]);
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const path = join(folder, FILE);
  writeFileSync(path, [HEADING, '', TEXT, '', ...TABLE, ...sorted, ''].join('\n'));
  return path;
}

function rowOf({ name, title, license, source, provenance }: LicensedFile): string {
  const terms = license.url === null ? license.type : `[${license.type}](${license.url})`;
  const packages = provenance.map((one) => `${one.package} ${one.version}`).join(', ');
  const cells = [title, terms, source ?? '', packages].map((cell) => cell.replace(/[|\r\n]/g, ' '));
  return `| \`${name}\` | ${cells.join(' | ')} |`;
}
