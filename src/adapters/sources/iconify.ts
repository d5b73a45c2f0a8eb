// Reads Iconify JSON (iconify.design/docs/types/iconify-json.html): one icon set in one file.
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { SourceKind } from '../../domain/catalog-candidate.js';
import type { IconSource, SourceItem } from '../../ports/catalog-sources.js';
import { findPackage } from './package-folder.js';

const box = { left: z.number().optional(), top: z.number().optional(), width: z.number().optional(), height: z.number().optional() };
const look = { ...box, rotate: z.number().optional(), hFlip: z.boolean().optional(), vFlip: z.boolean().optional(), hidden: z.boolean().optional() };
const infoSchema = z.object({
  name: z.string().optional(),
  total: z.number().optional(),
  version: z.string().optional(),
  author: z.object({ url: z.string().optional() }).optional(),
  license: z.object({ title: z.string().optional(), spdx: z.string().optional(), url: z.string().optional() }).optional(),
  category: z.string().optional(),
});
const setSchema = z.object({
  prefix: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  icons: z.record(z.string(), z.object({ body: z.string(), ...look })),
  aliases: z.record(z.string(), z.object({ parent: z.string(), ...look })).default({}),
  info: infoSchema.optional(),
  categories: z.record(z.string(), z.array(z.string())).optional(),
  lastModified: z.number().optional(),
  ...box,
});

type IconSet = z.output<typeof setSchema>;
type Alias = IconSet['aliases'][string];

interface Drawn {
  readonly body: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Quarter turns clockwise, 0..3. */
  readonly rotate: number;
  readonly hFlip: boolean;
  readonly vFlip: boolean;
  readonly hidden: boolean;
}

/** An alias chain longer than this is a loop or a joke. */
const MAX_PARENTS = 8;

export interface IconifyOptions {
  readonly kind: SourceKind;
  /** Instead of the file's own. */
  readonly prefix?: string;
  readonly license?: string;
}

/** An installed `@iconify-json/*` package. */
export async function openIconifyPackage(name: string, options: IconifyOptions): Promise<IconSource> {
  const { folder, version } = await findPackage(name);
  const source = await openIconifyFile(join(folder, 'icons.json'), options);
  return { ...source, id: `package:${name}`, package: name, version };
}

/** The sets in a file, or in a folder and its folder `json` (as in the package @iconify/json). */
export async function openIconifySets(path: string, options: IconifyOptions): Promise<readonly IconSource[]> {
  const files = await findIconifyFiles(path);
  if (files.length === 0) throw new Error(`There is no Iconify JSON file in ${path}.`);
  if (files.length > 1 && options.prefix !== undefined) throw new Error('A prefix is for one set; this folder has several.');
  const sources: IconSource[] = [];
  for (const file of files) sources.push(await openIconifyFile(file, options));
  return sources;
}

async function findIconifyFiles(path: string): Promise<readonly string[]> {
  if ((await stat(path)).isFile()) return [path];
  const names = await readdir(path);
  if (names.includes('icons.json')) return [join(path, 'icons.json')];
  if (names.includes('json')) return findIconifyFiles(join(path, 'json'));
  return names.filter((name) => name.endsWith('.json') && name !== 'package.json').sort().map((name) => join(path, name));
}

/** Rejects when the file is not an Iconify set. The set is in memory only while its items are read. */
export async function openIconifyFile(path: string, options: IconifyOptions): Promise<IconSource> {
  const { prefix, info, size } = await readSummary(path);
  const name = options.prefix ?? prefix;
  return {
    id: `iconify:${name}`,
    package: info.name ?? name,
    version: info.version ?? '0',
    kind: options.kind,
    prefix: options.kind === 'set' ? name : null,
    size,
    async *items() {
      const set = await readSet(path);
      yield* readIcons(set, { info, license: options.license });
    },
  };
}

async function readSet(path: string): Promise<IconSet> {
  const parsed = setSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${basename(path)} is not an Iconify set: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

async function readSummary(path: string): Promise<{ prefix: string; info: z.output<typeof infoSchema>; size: number }> {
  const set = await readSet(path);
  const info = set.info ?? (await readInfo(join(dirname(path), 'info.json')));
  return { prefix: set.prefix, info, size: Object.keys(set.icons).length + Object.keys(set.aliases).length };
}

/** In a package of one set, the description is a file beside it. */
async function readInfo(path: string): Promise<z.output<typeof infoSchema>> {
  try {
    return infoSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return {};
  }
}

function* readIcons(set: IconSet, { info, license }: { info: z.output<typeof infoSchema>; license: string | undefined }): Iterable<SourceItem> {
  const names = otherNames(set);
  const categories = categoriesOf(set);
  const terms = termsOf(info, license);
  for (const key of [...Object.keys(set.icons), ...Object.keys(set.aliases)]) {
    const drawn = resolve(set, key);
    if (drawn === undefined) yield { kind: 'skipped', key, reason: 'bad-alias', message: 'its parent is missing' };
    else if (drawn.hidden) yield { kind: 'skipped', key, reason: 'hidden', message: 'the set has withdrawn it' };
    else if (!isPlainAlias(set.aliases[key])) {
      const icon = { key, title: titleOf(key), titleGuessed: true, aliases: names.get(key) ?? [], categories: categories.get(key) ?? [] };
      const facts = { hex: null, website: null, origin: info.author?.url ?? null, guidelines: null, license: terms };
      yield { kind: 'icon', icon: { ...icon, ...facts, drawings: [{ name: 'default', svg: document(drawn) }] } };
    }
  }
}

function termsOf({ license }: z.output<typeof infoSchema>, given: string | undefined): { type: string; url: string | null } {
  return { type: given ?? license?.spdx ?? license?.title ?? 'none given', url: license?.url ?? null };
}

/** Another name for the same drawing; no icon of its own. */
function isPlainAlias(alias: Alias | undefined): boolean {
  return alias !== undefined && Object.keys(alias).every((field) => field === 'parent' || field === 'hidden');
}

function otherNames(set: IconSet): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const [key, alias] of Object.entries(set.aliases)) {
    if (isPlainAlias(alias)) names.set(alias.parent, [...(names.get(alias.parent) ?? []), key]);
  }
  return names;
}

function categoriesOf(set: IconSet): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [category, keys] of Object.entries(set.categories ?? {})) {
    for (const key of keys) found.set(key, [...(found.get(key) ?? []), category]);
  }
  return found;
}

function resolve(set: IconSet, key: string): Drawn | undefined {
  const chain: Alias[] = [];
  let name = key;
  while (!Object.hasOwn(set.icons, name)) {
    const alias = Object.hasOwn(set.aliases, name) ? set.aliases[name] : undefined;
    if (alias === undefined || chain.length >= MAX_PARENTS) return undefined;
    chain.push(alias);
    name = alias.parent;
  }
  const icon = set.icons[name];
  if (icon === undefined) return undefined;
  // The innermost alias comes first; sizes replace, turns and flips add up.
  return chain.reverse().reduce(applyAlias, ownDrawing(icon, set));
}

/** What an icon leaves out, the set says for all; what that leaves out, the format does. */
function ownDrawing({ body, rotate = 0, hFlip = false, vFlip = false, hidden = false, ...own }: IconSet['icons'][string], set: IconSet): Drawn {
  const { left = 0, top = 0, width = 16, height = 16 } = set;
  const box = { left: own.left ?? left, top: own.top ?? top, width: own.width ?? width, height: own.height ?? height };
  return { body, ...box, rotate: rotate % 4, hFlip, vFlip, hidden };
}

function applyAlias(drawn: Drawn, { rotate = 0, hFlip = false, vFlip = false, ...alias }: Alias): Drawn {
  const { left = drawn.left, top = drawn.top, width = drawn.width, height = drawn.height, hidden = drawn.hidden } = alias;
  return { ...drawn, left, top, width, height, hidden, rotate: (drawn.rotate + rotate) % 4, hFlip: drawn.hFlip !== hFlip, vFlip: drawn.vFlip !== vFlip };
}

/** Flips and quarter turns about the box; a quarter turn exchanges its sides. */
function document({ body, left, top, width, height, rotate, hFlip, vFlip }: Drawn): string {
  const x = left + width / 2;
  const y = top + height / 2;
  const turn = rotate === 0 ? '' : `rotate(${rotate * 90} ${x} ${y})`;
  const flip = hFlip || vFlip ? `translate(${hFlip ? 2 * x : 0} ${vFlip ? 2 * y : 0})scale(${hFlip ? -1 : 1} ${vFlip ? -1 : 1})` : '';
  const [boxWidth, boxHeight] = rotate % 2 === 0 ? [width, height] : [height, width];
  const inside = turn + flip === '' ? body : `<g transform="${turn}${flip}">${body}</g>`;
  return `<svg viewBox="${x - boxWidth / 2} ${y - boxHeight / 2} ${boxWidth} ${boxHeight}">${inside}</svg>`;
}

function titleOf(key: string): string {
  return key
    .split(/[-_]/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
