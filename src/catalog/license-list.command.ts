// LICENSES.md beside drawings that were copied into a project. It has one row per file.
import { join } from 'node:path';
import type { Entry } from './entry.js';
import { fail } from '../platform/command-line/command.js';
import { isTaken, readRegularFile, replaceFile } from '../platform/command-line/project-files.js';

const FILE = 'LICENSES.md';
const HEADING = '# Licenses of these drawings';
const TEXT = 'Written by `blazon add`. Logos are trademarks of their owners, whatever the license of the drawing.';
const TABLE = ['| File | Brand | License | Drawing from | Packages of the brand |', '|---|---|---|---|---|'];

export interface LicensedFile extends Pick<Entry, 'title' | 'license' | 'source' | 'provenance'> {
  readonly name: string;
}

/** Returns the rows of the folder's license list, by file name. Fails when another program wrote the file. */
export function readLicenseList(folder: string): Map<string, string> {
  const path = join(folder, FILE);
  const text = isTaken(path) ? readRegularFile(path) : HEADING;
  if (text?.startsWith(HEADING) !== true)
    fail(`${path} is not a list that this command has written: rename it, or choose another --dir.`);
  return new Map([...text.matchAll(/^\| `([^`]+)` \|.*$/gm)].map(([row, name = '']) => [name, row]));
}

/** Writes the list and returns its path. */
export function writeLicenseList(
  folder: string,
  rows: ReadonlyMap<string, string>,
  added: readonly LicensedFile[],
): string {
  const all = new Map([...rows, ...added.map((file) => [file.name, rowOf(file)] as const)]);
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const path = join(folder, FILE);
  replaceFile(path, [HEADING, '', TEXT, '', ...TABLE, ...sorted, ''].join('\n'));
  return path;
}

function rowOf({ name, title, license, source, provenance }: LicensedFile): string {
  const address = webAddress(license.url);
  const type = markdownText(license.type);
  const packages = provenance.map((one) => `${one.package} ${one.version}`).join(', ');
  const cells = [
    markdownText(title),
    address === undefined ? type : `[${type}](${address})`,
    markdownText(source ?? ''),
    markdownText(packages),
  ];
  return `| \`${name}\` | ${cells.join(' | ')} |`;
}

/** Returns one line that Markdown displays unchanged. */
function markdownText(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(/[\\`*_~|<>&![\]$]/g, '\\$&');
}

/** Returns the address for a link target. Undefined if the URL is not an http or https address. */
function webAddress(url: string | null): string | undefined {
  if (url === null || !URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  if (!/^https?:$/.test(protocol)) return undefined;
  return href.replace(/[()|<>\\`*_[\]]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
