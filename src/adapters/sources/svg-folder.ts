// Reads a folder of SVG files: the file's name is the icon's, `name--variant.svg` adds a variant, a subfolder is a category.
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import type { SourceKind } from '../../domain/catalog-candidate.js';
import { variantNameOf } from '../../domain/catalog-names.js';
import type { IconSource, SourceIcon, SourceItem } from '../../ports/catalog-sources.js';
import { titleOfKey } from './title-of-key.js';
import { unreadable } from './unreadable.js';

/** A file beyond this is not even opened; the sanitiser's own limit is lower. */
const MAX_FILE_BYTES = 4_000_000;

export interface SvgFolderOptions {
  readonly folder: string;
  readonly kind: SourceKind;
  readonly prefix: string | null;
  /** What the collection is called. */
  readonly title: string | null;
  /** SPDX identifier of all files. */
  readonly license: string;
}

interface File {
  readonly path: string;
  readonly variant: string;
}

export async function openSvgFolder({ folder, kind, prefix, title, license }: SvgFolderOptions): Promise<IconSource> {
  const root = resolve(folder);
  const files = await readdir(root, { recursive: true }).catch((error: unknown) => {
    throw unreadable(folder, error);
  });
  const { groups, skipped } = groupFiles(root, files);
  const name = prefix ?? basename(root).toLowerCase();
  return {
    id: `folder:${name}`,
    package: title ?? name,
    version: '0',
    kind,
    prefix: kind === 'set' ? name : null,
    size: groups.size + skipped.length,
    async *items() {
      yield* skipped;
      for (const [key, files] of groups) yield* readGroup({ root, key, files, license });
    },
  };
}

type Skipped = Extract<SourceItem, { kind: 'skipped' }>;

interface Grouped {
  readonly groups: ReadonlyMap<string, readonly File[]>;
  readonly skipped: readonly Skipped[];
}

/** A file that finds no place is named: nothing is lost without a word. */
function groupFiles(root: string, names: readonly string[]): Grouped {
  const groups = new Map<string, File[]>();
  const skipped: Skipped[] = [];
  for (const name of [...names].sort()) {
    if (extname(name).toLowerCase() !== '.svg') continue;
    const skip = (reason: string, message: string) => skipped.push({ kind: 'skipped', key: name, reason, message });
    const [key = '', ...rest] = basename(name, extname(name)).toLowerCase().trim().split('--');
    const slug = key.replace(/[^a-z0-9._-]+/g, '-').replace(/^[^a-z0-9]+|-+$/g, '');
    const variant = rest.length === 0 ? 'default' : variantNameOf(rest.join('--'));
    const files = groups.get(slug) ?? [];
    const twin = files.find((file) => file.variant === variant);
    if (slug === '') skip('bad-name', 'its name has no letter or digit of a-z and 0-9');
    else if (variant === undefined) skip('bad-name', "its variant's name has no letter or digit of a-z and 0-9");
    else if (twin !== undefined) skip('duplicate', `${relative(root, twin.path)} is ${slug}, ${variant} already`);
    else groups.set(slug, [...files, { path: join(root, name), variant }]);
  }
  return { groups, skipped };
}

interface Group {
  readonly root: string;
  readonly key: string;
  readonly files: readonly File[];
  readonly license: string;
}

async function* readGroup({ root, key, files, license }: Group): AsyncIterable<SourceItem> {
  const drawings: SourceIcon['drawings'][number][] = [];
  for (const { path, variant } of files) {
    const name = relative(root, path);
    try {
      const { size } = await stat(path);
      if (size > MAX_FILE_BYTES) yield { kind: 'skipped', key: name, reason: 'too-large', message: `${size} bytes` };
      else drawings.push({ name: variant, svg: decode(await readFile(path)) });
    } catch (error) {
      yield { kind: 'skipped', key: name, reason: 'unreadable', message: error instanceof Error ? error.message : 'cannot be read' };
    }
  }
  if (drawings.length === 0) return;
  const categories = new Set(files.flatMap(({ path }) => relative(root, path).split(sep).slice(0, -1)));
  const facts = { hex: null, website: null, origin: null, guidelines: null, license: { type: license, url: null } };
  yield { kind: 'icon', icon: { ...facts, key, title: titleOfKey(key), titleGuessed: true, aliases: [], categories: [...categories], drawings } };
}

/** UTF-8, or UTF-16 with a byte order mark, as some editors write. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return bytes.toString('utf8');
}
