// Icon sets in Iconify JSON: one file, a folder of files, or an installed package.
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import type { SourceKind } from '../import/candidate.js';
import { printable } from '../../platform/text/printable.js';
import { titleOfKey } from '../names.js';
import type { IconSource, OfferedSource, SourceItem } from '../import/catalog-sources.js';
import {
  charsSchema,
  drawingNames,
  factsOf,
  iconDocument,
  infoSchema,
  metadataSchema,
  resolveIcon,
  setIconReader,
  setSchema,
  type IconSet,
  type IconSetInfo,
} from './iconify-set.js';
import { walkFolder } from './folder-walk.js';
import { findPackage } from './installed-package.js';
import { readSourceFile } from './regular-file.js';
import { unreadableReason, unreadable } from './unreadable-source.js';

/**
 * Maximum size of an Iconify set in bytes. The largest sets have 40 MB. A set is read into one string, and a string in
 * V8 has at most 512 MB.
 */
const MAX_SET_BYTES = 256_000_000;
const MAX_INFO_BYTES = 1_000_000;
const MAX_DESCRIPTION_CHARACTERS = 64_000;
/** Maximum number of files and subfolders in one folder. */
const MAX_FILES = 10_000;
const EXPECTED_PATH = 'an Iconify JSON file, or a folder with such files';
const EXPECTED_FILE = 'an Iconify JSON file';

interface IconifyOptions {
  readonly kind: SourceKind;
  /** Prefix that replaces the prefix of the file. */
  readonly prefix?: string;
  /** SPDX identifier that replaces the license of the file. */
  readonly license?: string;
  /** True if drawings of this set take precedence over drawings of other sources. */
  readonly isOverride?: boolean;
  /** Pattern of the names of icons to omit. */
  readonly leaveOut?: RegExp;
}

export async function openIconifyPackage(name: string, options: IconifyOptions): Promise<IconSource> {
  const { folder, version, notice } = await findPackage(name);
  const source = await openIconifyFile(await realpath(join(folder, 'icons.json')), options);
  return { ...source, id: `package:${name}`, package: name, version, notice };
}

/**
 * Opens the sets of a file or folder. If the folder has a subfolder `json`, as in the package @iconify/json, opens the
 * sets of the subfolder. Sets are read one after the other, so that only one is in memory. Rejects if the only file is
 * not an Iconify set. If there are several files, yields an `UnreadableSource` for each file that is not an Iconify
 * set.
 */
export async function openIconifySets(
  path: string,
  options: IconifyOptions,
): Promise<readonly IconSource[] | AsyncIterable<OfferedSource>> {
  const files = await findIconifyFiles(path).catch((error: unknown) => {
    throw unreadable(path, error, EXPECTED_PATH);
  });
  const [file] = files;
  if (file === undefined) throw unreadable(path, 'a folder without Iconify JSON files', EXPECTED_PATH);
  if (files.length > 1 && options.prefix !== undefined)
    throw unreadable(path, 'a folder with several sets', 'one set, because a prefix is given');
  if (files.length > 1) return readSets(files, options);
  const only = await openIconifyFile(file, options).catch((error: unknown) => {
    throw unreadable(file, error, EXPECTED_FILE);
  });
  return [only];
}

async function* readSets(files: readonly string[], options: IconifyOptions): AsyncIterable<OfferedSource> {
  for (const file of files) {
    yield await openIconifyFile(file, options).catch((error: unknown) => ({
      unreadable: file,
      message: `${file}: ${unreadableReason(error)}`,
    }));
  }
}

/**
 * Lists the files of a path. The path itself may be a link, because the operator chose it. A link inside the folder is
 * listed, but reading it fails.
 */
async function findIconifyFiles(path: string): Promise<readonly string[]> {
  const root = await realpath(path);
  if (!(await stat(root)).isDirectory()) return [root];
  const names = await listFolder(root);
  if (names.includes('icons.json')) return [join(root, 'icons.json')];
  const json = join(root, 'json');
  const isFolder = await lstat(json).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (isFolder) return (await listFolder(json)).map((name) => join(json, name));
  return names.filter((name) => name !== 'package.json').map((name) => join(root, name));
}

async function listFolder(root: string): Promise<readonly string[]> {
  const { files, skipped } = await walkFolder(root, { maxEntries: MAX_FILES, maxDepth: 0 });
  if (skipped.some(({ reason }) => reason === 'too-many-files'))
    throw new Error(`the folder has more than ${MAX_FILES} files`);
  return [...files, ...skipped.map(({ name }) => name)].filter((name) => name.endsWith('.json')).sort();
}

/** Rejects if the file is not an Iconify set. */
async function openIconifyFile(
  path: string,
  { kind, license, prefix, isOverride = false, leaveOut }: IconifyOptions,
): Promise<IconSource> {
  const set = without(await readSet(path), leaveOut);
  const description = printableTexts(set.info ?? (await readBeside(path, 'info.json', infoSchema)));
  if (JSON.stringify(description ?? null).length > MAX_DESCRIPTION_CHARACTERS)
    throw new Error(`the description of the set is longer than ${MAX_DESCRIPTION_CHARACTERS} characters`);
  const info = description ?? {};
  const name = prefix ?? set.prefix;
  return {
    id: `iconify:${name}`,
    package: info.name ?? name,
    version: info.version ?? '0',
    kind,
    prefix: kind === 'set' ? name : null,
    ...(isOverride && { isOverride }),
    size: set.icons.size + set.aliases.size,
    iconSet: { ...(kind !== 'set' && { prefix: name }), ...factsOf(set, description) },
    items: () => readIcons(set, info, { license, prefix: name, keepsHidden: kind === 'set' }),
  };
}

/**
 * Removes control characters from the texts of a description, because the service sends these texts to clients as they
 * are.
 */
function printableTexts(info: IconSetInfo | undefined): IconSetInfo | undefined {
  if (info === undefined) return undefined;
  return JSON.parse(JSON.stringify(info), (_, value: unknown) =>
    typeof value === 'string' ? printable(value) : value,
  ) as IconSetInfo;
}

function without(set: IconSet, pattern: RegExp | undefined): IconSet {
  if (pattern === undefined) return set;
  const kept = <Item>(items: ReadonlyMap<string, Item>): Map<string, Item> =>
    new Map([...items].filter(([name]) => !pattern.test(name)));
  return { ...set, icons: kept(set.icons), aliases: kept(set.aliases) };
}

async function readSet(path: string): Promise<IconSet> {
  const parsed = setSchema.safeParse(JSON.parse(await readText(path, MAX_SET_BYTES)));
  if (parsed.success && basename(path) !== 'icons.json') return parsed.data;
  if (parsed.success) {
    const chars = parsed.data.chars ?? (await readBeside(path, 'chars.json', charsSchema));
    return { ...parsed.data, ...(await readBeside(path, 'metadata.json', metadataSchema)), ...(chars && { chars }) };
  }
  const [issue] = parsed.error.issues;
  throw new Error(`the file is not an Iconify set: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

/**
 * Reads a text file. The folder of the file must be a real path, because only the last part of `path` is checked for
 * links. Rejects with the reason.
 */
async function readText(path: string, maxBytes: number): Promise<string> {
  const read = await readSourceFile(path, { root: dirname(path), maxBytes });
  if ('bytes' in read) return read.bytes.toString('utf8');
  throw new Error(read.message);
}

/**
 * Reads a file in the folder of the Iconify set. A package with one set has the description and other facts in separate
 * files. Resolves with undefined if the file is missing or unreadable.
 */
async function readBeside<Schema extends z.ZodType>(
  path: string,
  name: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  try {
    return schema.parse(JSON.parse(await readText(join(dirname(path), name), MAX_INFO_BYTES)));
  } catch {
    return undefined;
  }
}

interface Reading {
  /** License that replaces the license of the file. */
  readonly license: string | undefined;
  readonly prefix: string;
  /** True to read icons that the set has hidden. They get no entries, but the Iconify protocol serves them by name. */
  readonly keepsHidden: boolean;
}

function* readIcons(set: IconSet, info: IconSetInfo, { license, prefix, keepsHidden }: Reading): Iterable<SourceItem> {
  const setIconOf = setIconReader(set, prefix);
  const facts = commonFacts(info, license);
  for (const key of drawingNames(set)) {
    const icon = resolveIcon(set, key);
    const setIcon = setIconOf(key);
    if (icon === undefined || setIcon === undefined) yield { kind: 'skipped', key, ...UNREADABLE };
    else if (icon.hidden === true && !keepsHidden) yield { kind: 'skipped', key, ...HIDDEN };
    else
      yield {
        kind: 'icon',
        icon: {
          ...{ key, title: titleOfKey(key), titleGuessed: true },
          ...{ aliases: setIcon.aliases.map(({ name }) => name), categories: setIcon.categories },
          ...facts,
          ...{ drawings: [{ name: 'default', svg: iconDocument(icon) }], setIcon },
          ...(icon.hidden === true && { hidden: true }),
        },
      };
  }
}

function commonFacts({ license, author }: IconSetInfo, givenLicense: string | undefined) {
  const terms = { type: givenLicense ?? license?.spdx ?? license?.title ?? 'none given', url: license?.url ?? null };
  return { hex: null, website: null, origin: author?.url ?? null, guidelines: null, license: terms };
}

const UNREADABLE = {
  reason: 'unreadable',
  message: 'the icon has no body, a parent of the icon is missing, or the parents form a cycle',
};
const HIDDEN = { reason: 'hidden', message: 'the set has withdrawn this icon' };
