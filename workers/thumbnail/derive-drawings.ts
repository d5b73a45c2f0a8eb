// Makes copies of a drawing: a copy in one color, and copies with colors that are visible on a light or dark
// background. A copy is only used if its thumbnail shows the details of the original.
import { hash } from 'node:crypto';
import { converter, wcagContrast } from 'culori';
import { isSeen, LEAST_CONTRAST, nearestSeen, PAGE_COLORS } from '../../src/catalog/page-colors.js';
import type { DerivedDrawing } from '../../src/catalog/drawing.js';
import type { Background } from '../../src/catalog/entry.js';
import type { ViewBox } from '../svg/drawing-bounds.js';
import { keptDetail } from './kept-detail.js';
import { drawSample, type Sample, type Thumbnail } from './draw-thumbnail.js';
import { byArea } from './measure-look.js';
import { BACKGROUNDS, visibilityOn } from './visibility.js';

export interface Original {
  readonly svg: string;
  readonly viewBox: ViewBox;
  readonly thumbnail: Thumbnail;
  readonly colors: readonly string[];
}

/** Minimum share of the original's edges that must be visible in a single-color copy. */
const LEAST_MONO_DETAIL = 0.55;
/**
 * Share of visible edges at which a single-color copy is good enough. Other ways of making the copy are then not tried.
 */
const GOOD_MONO_DETAIL = 0.9;
const LEAST_BACKGROUND_DETAIL = 0.8;
/** A color is only changed if at least this share of the invisible pixels has this color. */
const LEAST_LOST = 0.05;
/** Contrasts between a paint and the background, in the order in which they are tried. */
const CONTRASTS = [LEAST_CONTRAST, 4.5];

const toOklch = converter('oklch');
const BLACK = '#000000';
const PAINT = / (fill|stroke|stop-color|flood-color|lighting-color)="(#[0-9a-f]{6})"/g;
/** Matches masks. Colors in masks are not visible colors. */
const MASK = /(<mask\b[^>]*(?:\/>|>[\s\S]*?<\/mask>))/;

/**
 * Returns a copy in one color, `currentColor`, or undefined if its shape would be unreadable. Tries three ways in this
 * order: fill all shapes, cut out white areas, draw lighter colors with lower opacity.
 */
export function monoDrawing({ svg, viewBox, thumbnail, colors }: Original): DerivedDrawing | undefined {
  let best: { readonly svg: string; readonly detail: number } | undefined;
  for (const way of [silhouette, knockout, tones]) {
    const text = way(svg, { viewBox, colors });
    if (text === undefined) continue;
    const sample = drawSample(text.replaceAll('currentColor', BLACK), thumbnail.ink);
    const detail = sample === undefined ? 0 : keptDetail(thumbnail.sample, sample, { background: undefined });
    if (detail > (best?.detail ?? 0) + 0.02) best = { svg: text, detail };
    if (detail >= GOOD_MONO_DETAIL) break;
  }
  if (best === undefined || best.detail < LEAST_MONO_DETAIL) return undefined;
  return { svg: best.svg, colors: [BLACK], on: ['light'] };
}

/**
 * Returns a copy in which invisible colors are lighter or darker, or undefined if the change would hide details. Makes
 * up to three tries. The first try changes the invisible colors, but not colors that nearly equal the background,
 * because shapes in these colors usually represent holes. The second try changes all invisible colors, and the third
 * try all colors. Each try first uses a low contrast with the background, and then a higher one.
 */
export function drawingForBackground(
  { svg, thumbnail, colors }: Original,
  { background, hidden }: { readonly background: Background; readonly hidden: Uint8Array },
): DerivedDrawing | undefined {
  const lost = lostColors(thumbnail.sample, colors, hidden);
  const ways: readonly ((hex: string) => boolean)[] = [
    (hex) => lost.includes(hex) && !isLikePage(hex, background),
    (hex) => lost.includes(hex),
    () => true,
  ];
  const tried = new Set<string>();
  let thin: DerivedDrawing | undefined;
  for (const isMoved of ways)
    for (const contrast of CONTRASTS) {
      const paintOf = (hex: string): string => (isMoved(hex) ? nearestSeen(hex, { on: background, contrast }) : hex);
      const paints = colors.map(paintOf);
      if (tried.has(paints.join()) || colors.every((hex, at) => paints[at] === hex)) continue;
      tried.add(paints.join());
      const text = repainted(svg, paintOf, background === 'light' ? 'l' : 'd');
      const sample = drawSample(text, thumbnail.ink);
      if (sample === undefined || keptDetail(thumbnail.sample, sample, { background }) < LEAST_BACKGROUND_DETAIL)
        continue;
      const isSeenThere = visibilityOn(sample, background).visible;
      // Lines and letters that are thinner than a pixel of the thumbnail never look visible in it. For them, it
      // suffices that their colors are visible on the background.
      if (!isSeenThere && (thin !== undefined || lost.some((hex) => !isSeen(paintOf(hex), { on: background }))))
        continue;
      const on = BACKGROUNDS.filter((page) => page === background || visibilityOn(sample, page).visible);
      const drawing = { svg: text, colors: [...new Set(paints)], on };
      if (isSeenThere) return drawing;
      thin = drawing;
    }
  return thin;
}

/**
 * Returns the colors of the pixels that `hidden` marks as invisible. Omits colors that only very few of these pixels
 * have.
 */
function lostColors(sample: Sample, colors: readonly string[], hidden: Uint8Array): readonly string[] {
  return byArea(sample, colors, hidden)
    .filter(({ share }) => share >= LEAST_LOST)
    .map(({ hex }) => hex);
}

function isLikePage(hex: string, background: Background): boolean {
  return background === 'light' ? isPaper(hex) : wcagContrast(hex, PAGE_COLORS.dark) < 1.3;
}

interface Ways {
  readonly viewBox: ViewBox;
  readonly colors: readonly string[];
}

function silhouette(svg: string): string {
  return repainted(withoutFilters(svg), () => 'currentColor', 'm');
}

/**
 * Returns the silhouette without white areas. Returns undefined if no area is white, because the result would be the
 * silhouette itself.
 */
function knockout(svg: string, { viewBox, colors }: Ways): string | undefined {
  if (!colors.some(isPaper)) return undefined;
  return masked(svg, viewBox, (hex) => (isPaper(hex) ? BLACK : '#ffffff'));
}

function tones(svg: string, { viewBox, colors }: Ways): string {
  const lights = colors.filter((hex) => !isPaper(hex)).map(lightness);
  const [darkest, lightest] = [Math.min(...lights), Math.max(...lights)];
  return masked(svg, viewBox, (hex) => {
    if (isPaper(hex)) return BLACK;
    // Limits the value to the range 0 to 1, because this color may be lighter or darker than all `colors`. `colors` may
    // lack colors that are not visible in the thumbnail, such as stops of gradients.
    const light = lightest > darkest ? (lightness(hex) - darkest) / (lightest - darkest) : 0;
    const level = Math.round(255 * (1 - 0.7 * Math.min(1, Math.max(0, light))))
      .toString(16)
      .padStart(2, '0');
    return `#${level.repeat(3)}`;
  });
}

/** Returns true for white and nearly white. These colors usually show the background. */
function isPaper(hex: string): boolean {
  const { l, c } = toOklch(hex) ?? { l: 0, c: 0 };
  return l > 0.88 && c < 0.06;
}

const lightness = (hex: string): number => toOklch(hex)?.l ?? 0;

/**
 * Returns a rectangle in `currentColor` with the drawing as its mask. Bright parts of the mask make the rectangle more
 * visible.
 */
function masked(svg: string, [x, y, width, height]: ViewBox, levelOf: (hex: string) => string): string {
  const text = repainted(withoutFilters(svg), levelOf, 'k');
  const { root, inside } = partsOf(text);
  const area = `x="${x}" y="${y}" width="${width}" height="${height}"`;
  const id = `m${hash('sha256', text).slice(0, 10)}`;
  return (
    `${root}<mask id="${id}" maskUnits="userSpaceOnUse" ${area}>${inside}</mask>` +
    `<rect ${area} fill="currentColor" mask="url(#${id})"/></svg>`
  );
}

/**
 * Returns a copy with other colors. `suffix` is added to all ids, because the copy and the original may be on the same
 * page.
 */
function repainted(svg: string, paintOf: (hex: string) => string, suffix: string): string {
  const painted = svg
    .split(MASK)
    .map((part, at) =>
      at % 2 === 1 ? part : part.replace(PAINT, (_, name: string, hex: string) => ` ${name}="${paintOf(hex)}"`),
    )
    .join('');
  // Elements without a fill are black by default. The group below changes this default, so masks need an explicit
  // black.
  const { root, inside } = partsOf(painted.replaceAll(/<mask(?![^>]* fill=)/g, `<mask fill="${BLACK}"`));
  return `${root}<g fill="${paintOf(BLACK)}">${inside}</g></svg>`
    .replaceAll(/ id="([^"]+)"/g, ` id="$1${suffix}"`)
    .replaceAll(/url\(#([^)]+)\)/g, `url(#$1${suffix})`);
}

/** Returns the start tag and the content of the root element. */
function partsOf(svg: string): { readonly root: string; readonly inside: string } {
  const start = svg.indexOf('>') + 1;
  return { root: svg.slice(0, start), inside: svg.slice(start, svg.lastIndexOf('</svg>')) };
}

function withoutFilters(svg: string): string {
  return svg.replaceAll(/<filter\b[^>]*(?:\/>|>[\s\S]*?<\/filter>)/g, '').replaceAll(/ filter="[^"]*"/g, '');
}
