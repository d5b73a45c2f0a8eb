// Strips: drawings of several entries in one SVG, in rows of cells. The drawings are scaled so that they look equally
// large.
import type { Background } from '../catalog/entry.js';
import { WORDMARK_ASPECT } from '../catalog/import/score-offers.js';
import { alphaOf, cssHex, type Color } from '../platform/text/color.js';
import { printable } from '../platform/text/printable.js';
import { decimal, placedDrawing, SVG_NAMESPACE } from './compose-svg.js';
import type { DrawingExtent, Extent } from './geometry.js';

export const STRIP_TILES = ['none', 'rounded', 'circle'] as const;
type StripTile = (typeof STRIP_TILES)[number];

/**
 * Backgrounds for which a strip can be made. An `auto` strip contains the drawings for both backgrounds, and a style
 * sheet in the SVG selects one of them.
 */
export const STRIP_THEMES = ['light', 'dark', 'auto'] as const;
export type StripTheme = (typeof STRIP_THEMES)[number];

/** A drawing as it is shown on a light or on a dark background. */
export interface StripForm {
  /** Id of the drawing. Drawings with equal text have equal ids. */
  readonly drawing: string;
  readonly extent: DrawingExtent & { readonly inkShare?: number };
  /** Color that replaces `currentColor`. Null if the drawing has its own colors. */
  readonly paint: Color | null;
}

export interface StripItem {
  readonly title: string;
  /** Background → drawing. Contains only the backgrounds for which the strip is made. */
  readonly forms: Readonly<Partial<Record<Background, StripForm>>>;
}

export interface StripLayout {
  readonly theme: StripTheme;
  readonly perLine: number;
  /** Height of a cell, px. Cells are squares, except cells with wordmarks. */
  readonly side: number;
  readonly gap: number;
  readonly tile: StripTile | 'square';
  /** Color of the tiles on light and on dark backgrounds. */
  readonly tileColors: Readonly<Record<Background, Color>>;
  /** Distance of the drawing from the edge of its cell, as a share of `side`. */
  readonly inset: number;
  /** If true, drawings are scaled to equal visible area. If false, they are scaled to equal bounding boxes. */
  readonly isBalanced: boolean;
  /** True if the picture has a width and height. False if it fills its container. */
  readonly isSized: boolean;
}

export interface Strip {
  readonly items: readonly StripItem[];
  readonly layout: StripLayout;
  /** True if each drawing gets a `<title>`, for screen readers on web pages that inline the SVG. */
  readonly hasTitles: boolean;
}

/** Colors of tiles. They equal GitHub's colors of boxes on light and dark pages. */
export const TILE_COLORS: StripLayout['tileColors'] = { light: 'f1f3f5ff' as Color, dark: '21262dff' as Color };
/**
 * Distance between a drawing and the edge of its tile, as a share of the tile's side. The share for circles is smaller.
 * In a circle, the corners of the drawing must fit, which already adds distance.
 */
export const TILE_INSETS: Readonly<Record<StripTile, number>> = { none: 0, rounded: 0.16, circle: 0.06 };
/** Corner radius of a rounded tile, as a share of its side. */
const TILE_RADIUS = 0.22;

/**
 * Maximum visible area of a drawing, as a share of the area of its cell. Drawings with a larger visible area are scaled
 * down.
 */
const BALANCED_INK = 0.5;
/** Maximum width of a wordmark, as a multiple of the side. Other drawings are at most one side wide. */
const WIDEST = 2.5;
/** Assumed `inkShare` (visible share of the bounding box) of drawings that were not measured. */
const USUAL_INK_SHARE = 0.6;

interface Placed {
  readonly item: StripItem;
  /** Top left corner of the cell, px. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Places the cells in rows. Returns the cells, and the size of the whole strip. */
export function placeItems({
  items,
  layout,
}: Pick<Strip, 'items' | 'layout'>): Extent & { readonly cells: readonly Placed[] } {
  const { perLine, side, gap } = layout;
  let [x, y, widest] = [0, 0, 0];
  const cells = items.map((item, index): Placed => {
    if (index > 0 && index % perLine === 0) [x, y] = [0, y + side + gap];
    const cell = { item, x, y, width: cellWidth(item, layout) };
    widest = Math.max(widest, x + cell.width);
    x += cell.width + gap;
    return cell;
  });
  return { cells, width: widest, height: y + side };
}

function cellWidth({ forms }: StripItem, layout: StripLayout): number {
  const widths = Object.values(forms).map(({ extent }) => Math.ceil(drawnSize(extent, layout).width));
  return Math.max(layout.side, ...widths);
}

/** Returns the ids of the drawings that `composeStrip` needs, without duplicates. */
export function drawingsOf({ items }: Pick<Strip, 'items'>): readonly string[] {
  return [...new Set(items.flatMap(({ forms }) => Object.values(forms).map(({ drawing }) => drawing)))];
}

/** Composes the strip. Its ids and classes start with `name`, which must be unique among the strips of a web page. */
export function composeStrip(strip: Strip, textOf: (drawing: string) => string, name: string): string {
  const { layout, hasTitles } = strip;
  const { cells, width, height } = placeItems(strip);
  const sheet = styleSheet(name);
  const drawn = cells.map((placed, index) => {
    const svg = tileSvg(placed, layout, sheet) + itemSvg({ ...placed, layout, textOf, id: `${name}-${index}` }, sheet);
    return hasTitles ? `<g role="img"><title>${escaped(placed.item.title)}</title>${svg}</g>` : svg;
  });
  const size = layout.isSized ? ` width="${width}" height="${height}"` : '';
  return `<svg xmlns="${SVG_NAMESPACE}"${size} viewBox="0 0 ${width} ${height}">${sheet.text()}${drawn.join('')}</svg>`;
}

interface Cell extends Placed {
  readonly layout: StripLayout;
  readonly textOf: (drawing: string) => string;
  /** Prefix of the ids in the cell's drawings. */
  readonly id: string;
}

function tileSvg({ x, y }: Placed, { tile, tileColors, theme, side }: StripLayout, sheet: StyleSheet): string {
  if (tile === 'none') return '';
  const fill =
    theme === 'auto' && tileColors.light !== tileColors.dark
      ? ` class="${sheet.add('fill', tileColors.light, tileColors.dark)}"`
      : ` fill="${cssHex(tileColors[theme === 'auto' ? 'light' : theme])}"`;
  const radius = { square: 0, rounded: side * TILE_RADIUS, circle: side / 2 }[tile];
  return `<rect${fill} x="${x}" y="${y}" width="${side}" height="${side}" rx="${decimal(radius)}"/>`;
}

function itemSvg(cell: Cell, sheet: StyleSheet): string {
  const { light, dark } = cell.item.forms;
  if (!light || !dark || isSame(light, dark)) {
    const form = light ?? dark;
    return form === undefined ? '' : painted(form, formSvg(cell, form, cell.id));
  }
  if (light.drawing === dark.drawing && light.paint !== null && dark.paint !== null)
    return `<g class="${sheet.add('color', light.paint, dark.paint)}">${formSvg(cell, light, cell.id)}</g>`;
  // The drawings for light and dark pages need different ids. With equal ids, the visible drawing could refer to a
  // gradient in the hidden drawing, and a hidden gradient has no effect.
  return (
    `<g class="${sheet.add('display', 'inline', 'none')}">${painted(light, formSvg(cell, light, `${cell.id}l`))}</g>` +
    `<g class="${sheet.add('display', 'none', 'inline')}">${painted(dark, formSvg(cell, dark, `${cell.id}d`))}</g>`
  );
}

function isSame(one: StripForm, other: StripForm): boolean {
  return one.drawing === other.drawing && one.paint === other.paint;
}

function painted({ paint }: StripForm, svg: string): string {
  if (paint === null) return svg;
  const alpha = alphaOf(paint);
  const opacity = alpha === 255 ? '' : ` opacity="${decimal(alpha / 255)}"`;
  return `<g color="${cssHex(paint)}"${opacity}>${svg}</g>`;
}

/** Matches the places of a drawing that contain or refer to an id. */
const ID_PATTERN = /( id="|="url\(#)/g;

function formSvg({ layout, textOf, ...cell }: Cell, { extent, drawing }: StripForm, id: string): string {
  const { width, height } = drawnSize(extent, layout);
  const place = { x: cell.x + (cell.width - width) / 2, y: cell.y + (layout.side - height) / 2, width, height };
  return placedDrawing(textOf(drawing), place, extent.ink ?? null).replaceAll(ID_PATTERN, `$1${id}-`);
}

/** Returns the size of the drawing's visible parts in its cell, px. */
function drawnSize(
  { ink, inkShare = USUAL_INK_SHARE, ...whole }: StripForm['extent'],
  { side, inset, tile, isBalanced }: StripLayout,
): Extent {
  const [, , width, height] = ink ?? [0, 0, whole.width, whole.height];
  const room = side * (1 - 2 * inset);
  const isWordmark = tile === 'none' && isBalanced && width / height > WORDMARK_ASPECT;
  const widest = isWordmark ? WIDEST * room : room;
  // In a circle, the diagonal of the visible box must fit.
  const fit = tile === 'circle' ? room / Math.hypot(width, height) : Math.min(widest / width, room / height);
  const square = tile === 'circle' ? room ** 2 / 2 : room ** 2;
  const balanced = Math.sqrt((BALANCED_INK * square) / (inkShare * width * height));
  const scale = isBalanced ? Math.min(fit, balanced) : fit;
  return { width: width * scale, height: height * scale };
}

type StyleSheet = ReturnType<typeof styleSheet>;

/**
 * Creates a style sheet for properties that differ between light and dark pages. Each pair of values has its own class.
 */
function styleSheet(name: string) {
  const classes = new Map<string, { readonly className: string; readonly light: string; readonly dark: string }>();
  return {
    /** Returns the class that sets the property to these values. */
    add(property: 'fill' | 'color' | 'display', light: string, dark: string): string {
      const value = (text: string): string => `${property}:${property === 'display' ? text : cssHex(text as Color)}`;
      const key = `${property} ${light} ${dark}`;
      const known = classes.get(key)?.className;
      if (known !== undefined) return known;
      const className = `${name}-s${classes.size}`;
      classes.set(key, { className, light: value(light), dark: value(dark) });
      return className;
    },
    text(): string {
      if (classes.size === 0) return '';
      const rules = (page: Background): string =>
        [...classes.values()].map((each) => `.${each.className}{${each[page]}}`).join('');
      return `<style>${rules('light')}@media (prefers-color-scheme:dark){${rules('dark')}}</style>`;
    },
  };
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(text: string): string {
  return printable(text).replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? '');
}
