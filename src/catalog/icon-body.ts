// Finds the body to serve for an icon of an Iconify set. This is the set's own body if the sanitizer changed nothing in
// the drawing, otherwise the sanitized body.
import type { CleanDrawing } from './drawing.js';
import type { IconProps } from './set-icon.js';
import { parseColor } from '../platform/text/color.js';

/** Matches a tag or white space. Matches only the simplest syntax, which all parsers read in the same way. */
const TOKEN = /<(\/?)([a-zA-Z]+)((?:\s+[a-zA-Z][\w-]*="[^"<>&]*")*)\s*(\/?)>|\s+/y;
const ATTRIBUTE = /\s([a-zA-Z][\w-]*)="([^"<>&]*)"/g;
const COLORS = new Set(['fill', 'stroke', 'stop-color', 'flood-color']);
const REFERENCE = /^(?:url\(#([^()'"\s]+)\)|#([^\s]+))$/;
const PART = /[a-zA-Z]+|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?/g;

interface Tag {
  readonly text: string;
  readonly name: string;
  readonly closes: boolean;
  readonly selfClosing: boolean;
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * Returns the body to serve for an icon of an Iconify set. If the sanitized drawing has the same elements and
 * attributes as the set's body `written`, returns `written` with unique ids. Otherwise returns the sanitized body, with
 * the icon's color instead of `currentColor`, unless `written` uses `currentColor`. Returns undefined if the icon is
 * rotated or flipped, and this transform cannot be removed from the sanitized drawing.
 */
export function iconBody(
  { body: written, props }: { readonly body: string; readonly props: IconProps },
  drawing: CleanDrawing,
): string | undefined {
  const isTurned = (props.rotate ?? 0) % 4 !== 0 || props.hFlip === true || props.vFlip === true;
  const clean = isTurned ? withoutTurn(innerSvg(drawing.svg)) : innerSvg(drawing.svg);
  if (clean === undefined) return undefined;
  return (
    sameBody(written, clean, drawing) ??
    (/currentColor/i.test(written) ? clean : clean.replaceAll('currentColor', drawing.colors[0] ?? '#000000'))
  );
}

/**
 * Removes the group that rotates and flips the drawing, because clients apply the icon's `rotate` and flips to the
 * body.
 */
function withoutTurn(clean: string): string | undefined {
  const parts = /^(<g fill="currentColor">)?<g transform="[^"]*">([\s\S]*)<\/g>(<\/g>)?$/.exec(clean);
  if (parts === null || (parts[1] === undefined) !== (parts[3] === undefined)) return undefined;
  return `${parts[1] ?? ''}${parts[2] ?? ''}${parts[3] ?? ''}`;
}

export function innerSvg(svg: string): string {
  const start = svg.indexOf('>') + 1;
  return svg.charAt(start - 2) === '/' ? '' : svg.slice(start, svg.lastIndexOf('</svg>'));
}

function sameBody(written: string, clean: string, drawing: CleanDrawing): string | undefined {
  const own = readTags(written);
  const safe = readTags(clean);
  if (own === undefined || safe === undefined) return undefined;
  return match(own, safe, drawing) ?? match(own, withoutPaintGroup(safe), drawing);
}

/**
 * Parses the tags. Returns undefined if the text contains anything that TOKEN does not match. White space becomes a tag
 * with an empty name.
 */
function readTags(text: string): readonly Tag[] | undefined {
  const tags: Tag[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text);
    if (token === null) return undefined;
    const [all, slash, name = '', attributes = '', end] = token;
    const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, value] as const);
    tags.push({
      text: all,
      name,
      closes: slash === '/',
      selfClosing: end === '/',
      attributes: new Map(pairs),
    });
    if (new Set(pairs.map(([key]) => key)).size < pairs.length) return undefined;
  }
  return tags;
}

/**
 * Removes the group with `fill="currentColor"` that the sanitizer adds around a drawing without paints. The set's own
 * body has no such group, because a drawing without paints is black by default.
 */
function withoutPaintGroup(tags: readonly Tag[]): readonly Tag[] {
  const [first] = tags;
  const isPaint = first?.name === 'g' && first.attributes.size === 1 && first.attributes.get('fill') === 'currentColor';
  return isPaint ? tags.slice(1, -1) : tags;
}

/**
 * Compares the tags of the set's body (`own`) with the tags of the sanitized body (`safe`). If they differ only in
 * their ids, returns the text of `own` with the ids of `safe`. Otherwise returns undefined.
 */
function match(own: readonly Tag[], safe: readonly Tag[], drawing: CleanDrawing): string | undefined {
  const ids = new Map<string, string>();
  const texts: string[] = [];
  let at = 0;
  /**
   * Name of the element whose end tag must come next in `own`. Set if `own` writes `<g></g>` where `safe` writes
   * `<g/>`.
   */
  let expected: string | undefined;
  for (const tag of own) {
    if (tag.name === '') {
      texts.push(tag.text);
      continue;
    }
    if (expected !== undefined) {
      if (!tag.closes || tag.name !== expected) return undefined;
      expected = undefined;
      texts.push(tag.text);
      continue;
    }
    const other = safe[at++];
    if (other?.name !== tag.name || other.closes !== tag.closes) return undefined;
    if (!tag.closes && tag.selfClosing !== other.selfClosing) {
      if (tag.selfClosing) return undefined;
      expected = tag.name;
    }
    if (!sameAttributes(tag, other, { ids, drawing })) return undefined;
    texts.push(tag.text);
  }
  return at === safe.length && expected === undefined ? rename(texts.join(''), ids) : undefined;
}

interface Comparison {
  readonly ids: Map<string, string>;
  readonly drawing: CleanDrawing;
}

function sameAttributes(own: Tag, safe: Tag, comparison: Comparison): boolean {
  for (const name of safe.attributes.keys()) if (!own.attributes.has(name)) return false;
  for (const [name, value] of own.attributes) {
    const other = safe.attributes.get(name);
    // The sanitizer has removed this id, because no element refers to it.
    if (other === undefined && name === 'id') comparison.ids.set(value, '');
    else if (other === undefined || !sameValue(name, [value, other], comparison)) return false;
  }
  return true;
}

function sameValue(name: string, [own, safe]: readonly [string, string], { ids, drawing }: Comparison): boolean {
  if (name === 'id') return bind(ids, own, safe);
  const target = REFERENCE.exec(own);
  const other = REFERENCE.exec(safe);
  if (other !== null && safe.startsWith('url(') === own.startsWith('url(') && target !== null && !isHex(name, safe))
    return bind(ids, target[1] ?? target[2] ?? '', other[1] ?? other[2] ?? '');
  if (COLORS.has(name)) return sameColor(own, safe, drawing);
  if (name === 'd') return own.trim().replace(/\s+/g, ' ') === safe;
  return sameParts(own, safe);
}

function isHex(name: string, value: string): boolean {
  return COLORS.has(name) && !value.startsWith('url(');
}

function bind(ids: Map<string, string>, own: string, safe: string): boolean {
  const known = ids.get(own);
  ids.set(own, safe);
  return known === undefined || known === '' || known === safe;
}

function sameColor(own: string, safe: string, { colors }: CleanDrawing): boolean {
  if (own === safe) return true;
  // In a drawing with several paints, the sanitizer writes `currentColor` as black.
  if (own.toLowerCase() === 'currentcolor') return safe === 'currentColor' || safe === '#000000';
  const meant = safe === 'currentColor' ? (colors[0] ?? '#000000') : safe;
  const color = parseColor(own);
  return color !== undefined && color === parseColor(meant);
}

/** Compares the words and numbers of two attribute values. Ignores white space, commas and parentheses between them. */
function sameParts(own: string, safe: string): boolean {
  if (own === safe) return true;
  if (own.replaceAll(PART, '').replace(/[\s,()]/g, '') !== '') return false;
  const [ours, theirs] = [own.match(PART) ?? [], safe.match(PART) ?? []];
  return ours.length === theirs.length && ours.every((part, index) => samePart(part, theirs[index] ?? ''));
}

function samePart(own: string, safe: string): boolean {
  if (own === safe) return true;
  // The sanitizer writes numbers with six decimals, and percentages as shares of 1 (`50%` as `0.5`).
  const value = own.endsWith('%') ? Number(own.slice(0, -1)) / 100 : Number(own);
  return Math.abs(value - Number(safe)) < 1e-6;
}

function rename(text: string, ids: ReadonlyMap<string, string>): string {
  if (ids.size === 0) return text;
  return text.replace(
    /(\sid="|url\(#|\shref="#)([^"()\s]+)(\)?"?)/g,
    (all, before: string, id: string, after: string) => {
      const name = ids.get(id);
      if (name === undefined) return all;
      return name === '' ? (before.endsWith('id="') ? '' : all) : before + name + after;
    },
  );
}
