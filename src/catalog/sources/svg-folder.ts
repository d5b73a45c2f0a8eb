// A folder of SVG files (.svg, .svgz) as a source. A file name is the name of an icon, `name--variant.svg` adds a
// variant, a subfolder is a category, and `name.json` contains facts.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { SourceKind } from '../import/candidate.js';
import { titleOfKey } from '../names.js';
import { decodeSvg } from '../svg-bytes.js';
import { isSvgFile, readFileName, slugOfFile } from '../svg-files.js';
import type { IconSource, SourceIcon, SourceItem } from '../import/catalog-sources.js';
import { walkFolder, type Walked, type WalkLimits } from './folder-walk.js';
import { readSidecars, type Sidecar } from './folder-sidecars.js';
import { readSourceFile } from './regular-file.js';
import { unreadable } from './unreadable-source.js';

/**
 * Maximum size of a file, bytes. It is higher than the sanitizer's limit, because the sanitizer has a better error
 * message for large drawings.
 */
const MAX_FILE_BYTES = 4_000_000;
/** Limits of a folder. `maxEntries` is twice the number of files in the largest planned catalog. */
const LIMITS: WalkLimits = { maxEntries: 500_000, maxDepth: 32 };

interface SvgFolderOptions {
  readonly folder: string;
  readonly kind: SourceKind;
  readonly prefix: string | null;
  /** Name of the collection. If null, `prefix` or the name of the folder is used. */
  readonly title: string | null;
  /** SPDX identifier for all files. */
  readonly license: string;
  /** True if drawings of this folder take precedence over drawings of other sources. */
  readonly isOverride?: boolean;
  readonly limits?: WalkLimits;
}

/** Drawings of one icon: variant → file name, relative to the folder. */
type Group = ReadonlyMap<string, string>;
type Skipped = Extract<SourceItem, { kind: 'skipped' }>;

/**
 * Opens the folder. The folder itself may be a link, because the operator chose it. Links inside the folder are not
 * followed.
 */
export async function openSvgFolder({
  folder,
  kind,
  prefix,
  title,
  license,
  isOverride = false,
  limits = LIMITS,
}: SvgFolderOptions): Promise<IconSource> {
  const { root, walked } = await walkRoot(folder, limits).catch((error: unknown) => {
    throw unreadable(folder, error, 'a folder of SVG files');
  });
  const { groups, skipped: unusable } = groupFiles(walked);
  const hasIcon = (key: string): boolean => groups.has(key);
  const sidecars = await readSidecars({ root, files: walked.files, keyOf: slugOfFile, hasIcon });
  for (const [key, { variants = {} }] of sidecars.byKey)
    groups.set(key, new Map([...(groups.get(key) ?? []), ...Object.entries(variants)]));
  const skipped = [
    ...unusable,
    ...sidecars.skipped.map(({ key, message }): Skipped => ({
      ...{ kind: 'skipped', reason: 'bad-sidecar', key },
      message: `the sidecar file is ignored: ${message}`,
    })),
  ];
  const name = prefix ?? basename(resolve(folder)).toLowerCase();
  return {
    id: `folder:${name}`,
    package: title ?? name,
    version: '0',
    kind,
    prefix: kind === 'set' ? name : null,
    size: groups.size + skipped.length,
    ...(isOverride && { isOverride }),
    async *items() {
      yield* skipped;
      for (const [key, files] of groups)
        yield* readGroup({ root, key, files, license, facts: sidecars.byKey.get(key) ?? {} });
    },
  };
}

async function walkRoot(
  folder: string,
  limits: WalkLimits,
): Promise<{ readonly root: string; readonly walked: Walked }> {
  const root = await realpath(folder);
  return { root, walked: await walkFolder(root, limits) };
}

/** Groups the SVG files by icon. Reports every unusable SVG file. */
function groupFiles({ files, skipped: passed }: Walked) {
  const groups = new Map<string, Map<string, string>>();
  const skipped = passed.map(({ name, reason, message }): Skipped => ({ kind: 'skipped', key: name, reason, message }));
  for (const name of [...files].sort()) {
    if (!isSvgFile(name)) continue;
    const skip = (reason: string, message: string) => skipped.push({ kind: 'skipped', key: name, reason, message });
    const named = readFileName(basename(name));
    if (named === undefined) continue;
    if ('problem' in named) {
      skip('bad-name', named.problem);
      continue;
    }
    const { slug, variant } = named;
    const group = groups.get(slug) ?? new Map<string, string>();
    const twin = group.get(variant);
    if (twin !== undefined) skip('duplicate', `${twin} is ${slug}, ${variant} already`);
    else groups.set(slug, group.set(variant, name));
  }
  return { groups, skipped };
}

interface GroupToRead {
  readonly root: string;
  readonly key: string;
  readonly files: Group;
  readonly license: string;
  readonly facts: Sidecar;
}

async function* readGroup({ root, key, files, license, facts }: GroupToRead): AsyncIterable<SourceItem> {
  const drawings: SourceIcon['drawings'][number][] = [];
  for (const [variant, name] of files) {
    const read = await readSourceFile(join(root, name), { root, maxBytes: MAX_FILE_BYTES });
    if ('bytes' in read) drawings.push({ name: variant, ...(await decodeSvg(read.bytes, MAX_FILE_BYTES)) });
    else yield { kind: 'skipped', key: name, reason: read.reason, message: read.message };
  }
  if (drawings.length === 0) return;
  const folders = [...files.values()].flatMap((name) => dirname(name).split(sep)).filter((part) => part !== '.');
  const { title, hex = null, domains = [], aliases = [], categories = [] } = facts;
  yield {
    kind: 'icon',
    icon: {
      ...{ key, title: title ?? titleOfKey(key), titleGuessed: title === undefined, aliases },
      ...{ categories: [...new Set([...folders, ...categories])], hex, domains },
      ...{ website: null, origin: null, guidelines: null, license: { type: license, url: null }, drawings },
    },
  };
}
