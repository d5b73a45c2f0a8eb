// The Iconify JSON format (iconify.design/docs/types/iconify-json.html): defaults, aliases, rotations and flips.
import { mergeIconData } from '@iconify/utils/lib/icon/merge';
import { z } from 'zod';
import type { IconProps, IconSetFacts, SetAlias, SetIcon } from '../set-icon.js';
import { addTo } from '../../platform/concurrency/lists-by-key.js';

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
const names = z.record(z.string(), z.string()).optional();
const metadata = {
  categories: z.record(z.string(), z.array(z.string())).optional(),
  prefixes: names,
  suffixes: names,
};
export const metadataSchema = z.object(metadata);
export const charsSchema = z.record(z.string(), z.string());
export const setSchema = z.object({
  prefix: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  icons: table(z.object({ body: z.string(), ...look })),
  aliases: table(z.object({ parent: z.string(), ...look })).default(() => new Map()),
  info: infoSchema.optional(),
  chars: charsSchema.optional(),
  lastModified: z.number().optional(),
  ...metadata,
  ...box,
});

export type IconSet = z.output<typeof setSchema>;
export type IconSetInfo = z.output<typeof infoSchema>;

/**
 * Schema of a table: name → item. An unreadable item becomes undefined. Otherwise one bad icon would invalidate a set
 * of ten thousand.
 */
function table<Schema extends z.ZodType>(schema: Schema) {
  const isTable = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
  return z
    .custom<Readonly<Record<string, unknown>>>(isTable, { error: 'must be an object' })
    .transform((items) => new Map(Object.entries(items).map(([name, item]) => [name, schema.safeParse(item).data])));
}

/** Maximum length of a chain of aliases. A longer chain is a loop or a mistake. */
const MAX_PARENTS = 8;

/**
 * Yields the names of all icons, and of all aliases with their own drawing. The other aliases are only other names of
 * these drawings.
 */
export function* drawingNames(set: IconSet): Iterable<string> {
  yield* set.icons.keys();
  for (const name of set.aliases.keys()) {
    // An alias that leads to no icon is yielded as well, so that the import reports it.
    if (drawingBehind(set, name) === name || resolveIcon(set, name) === undefined) yield name;
  }
}

/**
 * Returns the name of the icon or alias that has the drawing of `name`. This is `name` itself if it has its own
 * drawing.
 */
function drawingBehind({ icons, aliases }: IconSet, name: string): string {
  let behind = name;
  for (let steps = 0; steps < MAX_PARENTS && !icons.has(behind); steps += 1) {
    const alias = aliases.get(behind);
    if (alias === undefined || Object.keys(alias).some((field) => field !== 'parent' && field !== 'hidden')) break;
    behind = alias.parent;
  }
  return behind;
}

/**
 * Finds the icon to which a name refers. Applies the changes of its aliases and the defaults of its set to the icon.
 * Returns undefined if there is no readable icon.
 */
export function resolveIcon(set: IconSet, name: string): (IconProps & { readonly body: string }) | undefined {
  const changes: IconProps[] = [];
  let behind = name;
  while (!set.icons.has(behind)) {
    const alias = set.aliases.get(behind);
    if (alias === undefined || changes.length >= MAX_PARENTS) return undefined;
    changes.push(propsOf(alias));
    behind = alias.parent;
  }
  const icon = set.icons.get(behind);
  if (icon === undefined) return undefined;
  // The size of an alias replaces the size of its parent. Rotations are added up, and two flips cancel each other.
  const merged = [...changes, propsOf(icon), propsOf(set)].reduce((child, parent) => mergeIconData(parent, child));
  return { ...merged, body: icon.body };
}

/**
 * Returns an SVG document of the icon. The drawing is flipped and rotated about the center of its box. Rotations by 90°
 * and 270° swap width and height.
 */
export function iconDocument({ body, ...props }: IconProps & { readonly body: string }): string {
  const { left = 0, top = 0, width = 16, height = 16, rotate = 0, hFlip, vFlip } = props;
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

function propsOf({
  left,
  top,
  width,
  height,
  rotate,
  hFlip,
  vFlip,
  hidden,
}: {
  readonly [Name in keyof IconProps]: IconProps[Name] | undefined;
}): IconProps {
  const props = { left, top, width, height, rotate, hFlip, vFlip, hidden };
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
}

export function factsOf(set: IconSet, info: IconSetInfo | undefined): IconSetFacts {
  const { lastModified = null, prefixes = null, suffixes = null } = set;
  return { info: info ?? null, lastModified, box: propsOf(set), prefixes, suffixes };
}

/**
 * Returns a function that reads the facts of an icon. The function must only be called with names that `drawingNames`
 * yields. `prefix`: prefix under which the icons are served.
 */
export function setIconReader(set: IconSet, prefix: string): (name: string) => SetIcon | undefined {
  const positions = new Map([...set.icons.keys(), ...set.aliases.keys()].map((name, at) => [name, at]));
  // Names are added to existing lists. Copying the lists would take quadratic time, and a hostile set may have a
  // million names for one drawing.
  const otherNames = new Map<string, SetAlias[]>();
  for (const [name, alias] of set.aliases) {
    const drawing = drawingBehind(set, name);
    if (alias && drawing !== name) {
      const { parent } = alias;
      addTo(otherNames, drawing, { name, at: positions.get(name) ?? 0, parent, props: propsOf(alias) });
    }
  }
  const categories = new Map<string, string[]>();
  for (const [title, members] of Object.entries(set.categories ?? {}))
    for (const name of members) addTo(categories, name, title);
  const chars = new Map<string, (readonly [string, string])[]>();
  for (const [char, name] of Object.entries(set.chars ?? {})) addTo(chars, drawingBehind(set, name), [char, name]);
  return (name) => {
    const icon = set.icons.get(name);
    const alias = icon ? undefined : set.aliases.get(name);
    const own = icon ?? alias;
    if (own === undefined) return undefined;
    return {
      ...{ prefix, name, at: positions.get(name) ?? 0, parent: alias?.parent ?? null, props: propsOf(own) },
      body: icon?.body ?? null,
      aliases: otherNames.get(name) ?? [],
      categories: categories.get(name) ?? [],
      chars: chars.get(name) ?? [],
    };
  };
}
