// The Iconify JSON format (iconify.design/docs/types/iconify-json.html): defaults, aliases, rotations and flips.
import { z } from 'zod';
import type { IconProps, IconSetFacts, SetAlias, SetIcon } from '../../domain/catalog/set-icon.js';

const box = {
  left: z.number().optional(),
  top: z.number().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
};
const look = {
  ...box,
  rotate: z.number().optional(),
  hFlip: z.boolean().optional(),
  vFlip: z.boolean().optional(),
  hidden: z.boolean().optional(),
};
export const infoSchema = z.looseObject({
  name: z.string().optional(),
  total: z.number().optional(),
  version: z.string().optional(),
  author: z.looseObject({ url: z.string().optional() }).optional(),
  license: z
    .looseObject({ title: z.string().optional(), spdx: z.string().optional(), url: z.string().optional() })
    .optional(),
  category: z.string().optional(),
});
const iconSchema = z.object({ body: z.string(), ...look });
const aliasSchema = z.object({ parent: z.string(), ...look });
type Fields = Readonly<Record<string, unknown>>;
/** Parsed one by one: a set may have ten thousand icons, and a bad one should cost only itself. */
const table = z.custom<Fields>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
  error: 'must be an object',
});
const names = z.record(z.string(), z.string()).optional();
const metadata = {
  categories: z.record(z.string(), z.array(z.string())).optional(),
  prefixes: names,
  suffixes: names,
};
/** In a package of one set, files beside it. */
export const metadataSchema = z.object(metadata);
export const charsSchema = z.record(z.string(), z.string());
export const setSchema = z.object({
  prefix: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  icons: table,
  aliases: table.default({}),
  info: infoSchema.optional(),
  chars: charsSchema.optional(),
  lastModified: z.number().optional(),
  ...metadata,
  ...box,
});

export type IconSet = z.output<typeof setSchema>;
type Alias = z.output<typeof aliasSchema>;

export interface Drawn {
  readonly body: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Rotation clockwise in units of 90°, 0..3. */
  readonly rotate: number;
  readonly hFlip: boolean;
  readonly vFlip: boolean;
  readonly hidden: boolean;
}

/** An alias chain longer than this is a loop or a joke. */
const MAX_PARENTS = 8;

export type IconSetInfo = z.output<typeof infoSchema>;

/** Every name in the set that has a drawing of its own; the others are other names of these. */
export function* drawingNames(set: IconSet): Iterable<string> {
  yield* Object.keys(set.icons);
  for (const key of Object.keys(set.aliases)) {
    // A name that leads nowhere is offered too, so that it is reported.
    if (drawingBehind(set, key) === key || resolveDrawing(set, key) === undefined) yield key;
  }
}

function iconNamed(set: IconSet, key: string): z.output<typeof iconSchema> | undefined {
  return Object.hasOwn(set.icons, key) ? iconSchema.safeParse(set.icons[key]).data : undefined;
}

function aliasNamed(set: IconSet, key: string): Alias | undefined {
  return Object.hasOwn(set.aliases, key) ? aliasSchema.safeParse(set.aliases[key]).data : undefined;
}

/** Another name for the same drawing; no icon of its own. */
function isPlainAlias(alias: Alias | undefined): alias is Alias {
  return alias !== undefined && Object.keys(alias).every((field) => field === 'parent' || field === 'hidden');
}

/** The name that has the drawing which this one is only another name of; itself when it has its own. */
function drawingBehind(set: IconSet, key: string): string {
  let name = key;
  for (let steps = 0; steps < MAX_PARENTS && !Object.hasOwn(set.icons, name); steps += 1) {
    const alias = aliasNamed(set, name);
    if (!isPlainAlias(alias)) break;
    name = alias.parent;
  }
  return name;
}

/** Names of the same drawing, by the name that has it. */
export function otherNames(set: IconSet): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const key of Object.keys(set.aliases)) {
    const drawing = drawingBehind(set, key);
    if (drawing !== key) push(names, drawing, key);
  }
  return names;
}

export function categoriesOf(set: IconSet): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [category, keys] of Object.entries(set.categories ?? {})) {
    for (const key of keys) push(found, key, category);
  }
  return found;
}

/** In place: a hostile set may have a million names for one drawing. */
function push(lists: Map<string, string[]>, name: string, value: string): void {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
}

/** Undefined when the name leads to no readable icon. */
export function resolveDrawing(set: IconSet, key: string): Drawn | undefined {
  const chain: Alias[] = [];
  let name = key;
  while (!Object.hasOwn(set.icons, name)) {
    const alias = aliasNamed(set, name);
    if (alias === undefined || chain.length >= MAX_PARENTS) return undefined;
    chain.push(alias);
    name = alias.parent;
  }
  const icon = iconNamed(set, name);
  if (icon === undefined) return undefined;
  // The innermost alias comes first; sizes replace, rotations and flips add up.
  return chain.reverse().reduce(applyAlias, ownDrawing(icon, set));
}

/** What an icon leaves out, the set says for all; what that leaves out, the format does. */
function ownDrawing(
  { body, rotate = 0, hFlip = false, vFlip = false, hidden = false, ...own }: z.output<typeof iconSchema>,
  set: IconSet,
): Drawn {
  const { left = 0, top = 0, width = 16, height = 16 } = set;
  const box = { left: own.left ?? left, top: own.top ?? top, width: own.width ?? width, height: own.height ?? height };
  return { body, ...box, rotate: rotate % 4, hFlip, vFlip, hidden };
}

function applyAlias(drawn: Drawn, { rotate = 0, hFlip = false, vFlip = false, ...alias }: Alias): Drawn {
  const {
    left = drawn.left,
    top = drawn.top,
    width = drawn.width,
    height = drawn.height,
    hidden = drawn.hidden,
  } = alias;
  return {
    ...drawn,
    left,
    top,
    width,
    height,
    hidden,
    rotate: (drawn.rotate + rotate) % 4,
    hFlip: drawn.hFlip !== hFlip,
    vFlip: drawn.vFlip !== vFlip,
  };
}

/** A document of it, flipped and rotated about the center of its box; 90° exchange the sides. */
export function writeDrawing({ body, left, top, width, height, rotate, hFlip, vFlip }: Drawn): string {
  const x = left + width / 2;
  const y = top + height / 2;
  const rotation = rotate === 0 ? '' : `rotate(${rotate * 90} ${x} ${y})`;
  const flip =
    hFlip || vFlip
      ? `translate(${hFlip ? 2 * x : 0} ${vFlip ? 2 * y : 0})scale(${hFlip ? -1 : 1} ${vFlip ? -1 : 1})`
      : '';
  const [boxWidth, boxHeight] = rotate % 2 === 0 ? [width, height] : [height, width];
  const inside = rotation + flip === '' ? body : `<g transform="${rotation}${flip}">${body}</g>`;
  return `<svg viewBox="${x - boxWidth / 2} ${y - boxHeight / 2} ${boxWidth} ${boxHeight}">${inside}</svg>`;
}

type WrittenProps = { readonly [Name in keyof IconProps]: IconProps[Name] | undefined };

/** What is written of an icon's box and orientation. */
function propsOf({ left, top, width, height, rotate, hFlip, vFlip, hidden }: WrittenProps): IconProps {
  const props = { left, top, width, height, rotate, hFlip, vFlip, hidden };
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
}

export function factsOf(set: IconSet, info: IconSetInfo | undefined): IconSetFacts {
  const { lastModified = null, prefixes = null, suffixes = null } = set;
  return { info: info ?? null, lastModified, box: propsOf(set), prefixes, suffixes };
}

/** What the set says of each of `drawingNames`. `prefix`: as it is served. */
export function setIconReader(set: IconSet, prefix: string): (key: string) => SetIcon | undefined {
  const positions = new Map([...Object.keys(set.icons), ...Object.keys(set.aliases)].map((name, at) => [name, at]));
  const otherNamesOf = otherNames(set);
  const categories = categoriesOf(set);
  const chars = new Map<string, (readonly [string, string])[]>();
  for (const [char, name] of Object.entries(set.chars ?? {})) {
    const drawing = drawingBehind(set, name);
    chars.set(drawing, [...(chars.get(drawing) ?? []), [char, name]]);
  }
  const aliasOf = (name: string): SetAlias[] => {
    const alias = aliasNamed(set, name);
    return alias ? [{ name, at: positions.get(name) ?? 0, parent: alias.parent, props: propsOf(alias) }] : [];
  };
  return (name) => {
    const icon = iconNamed(set, name);
    const alias = icon ? undefined : aliasNamed(set, name);
    const own = icon ?? alias;
    if (own === undefined) return undefined;
    return {
      ...{ prefix, name, at: positions.get(name) ?? 0, parent: alias?.parent ?? null, props: propsOf(own) },
      body: icon?.body ?? null,
      aliases: (otherNamesOf.get(name) ?? []).flatMap(aliasOf),
      categories: categories.get(name) ?? [],
      chars: chars.get(name) ?? [],
    };
  };
}
