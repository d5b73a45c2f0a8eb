// Derived drawings: one in a single color, and ones whose paints stand out on a light or a dark page. Each is made only
// where its thumbnail still shows what the original shows.
import { hash } from 'node:crypto';
import { converter, clampChroma, formatHex, wcagContrast } from 'culori';
import type { DerivedDrawing } from '../../src/domain/catalog/drawing.js';
import type { Background } from '../../src/domain/catalog/entry.js';
import type { ViewBox } from '../svg/drawing-bounds.js';
import { keptDetail } from './kept-detail.js';
import { drawSample, type Thumbnail } from './draw-thumbnail.js';
import { LEAST_CONTRAST, PAGE_COLORS, visibilityOn, visibleOn } from './visibility.js';

export interface Original {
  readonly svg: string;
  readonly viewBox: ViewBox;
  readonly thumbnail: Thumbnail;
  readonly colors: readonly string[];
}

/** Share of the original's edges that a drawing of one color must have. */
const LEAST_MONO_DETAIL = 0.55;
/** From here on the simpler way is good enough. */
const GOOD_MONO_DETAIL = 0.9;
const LEAST_BACKGROUND_DETAIL = 0.8;

const toOklch = converter('oklch');
const BLACK = '#000000';
const PAINT = / (fill|stroke|stop-color|flood-color|lighting-color)="(#[0-9a-f]{6})"/g;
/** Masks, whose paints are no colors. */
const MASK = /(<mask\b[\s\S]*?<\/mask>)/;

/**
 * In one color, written as `currentColor`; undefined where its shape would no longer be readable. All in full ink where
 * the outlines alone show it; light paints cut out of it; at last, lighter paints as thinner ink.
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
 * With paints that melt into the page moved until they stand out; undefined where that hides something else. White
 * inside of a colored disc is left alone, as is black inside of a light one, where the rest is visible without it.
 */
export function drawingForBackground(
  { svg, thumbnail, colors }: Original,
  background: Background,
): DerivedDrawing | undefined {
  const moveAll = (hex: string): string => standingOut(hex, background);
  const moveColors = (hex: string): string => (isLikePage(hex, background) ? hex : moveAll(hex));
  const ways = colors.some((hex) => isLikePage(hex, background)) ? [moveColors, moveAll] : [moveAll];
  for (const paintOf of ways) {
    if (colors.every((hex) => paintOf(hex) === hex)) continue;
    const text = repainted(svg, paintOf, background === 'light' ? 'l' : 'd');
    const sample = drawSample(text, thumbnail.ink);
    if (sample === undefined || !visibilityOn(sample, background).visible) continue;
    if (keptDetail(thumbnail.sample, sample, { background }) < LEAST_BACKGROUND_DETAIL) continue;
    return { svg: text, colors: [...new Set(colors.map(paintOf))], on: visibleOn(sample) };
  }
  return undefined;
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

/** Nothing to cut out: the silhouette says the same. */
function knockout(svg: string, { viewBox, colors }: Ways): string | undefined {
  if (!colors.some(isPaper)) return undefined;
  return masked(svg, viewBox, (hex) => (isPaper(hex) ? BLACK : '#ffffff'));
}

function tones(svg: string, { viewBox, colors }: Ways): string {
  const lights = colors.filter((hex) => !isPaper(hex)).map(lightness);
  const [darkest, lightest] = [Math.min(...lights), Math.max(...lights)];
  return masked(svg, viewBox, (hex) => {
    if (isPaper(hex)) return BLACK;
    // Invisible colors are not among `colors`: the black of the whole, some stops.
    const light = lightest > darkest ? (lightness(hex) - darkest) / (lightest - darkest) : 0;
    const level = Math.round(255 * (1 - 0.7 * Math.min(1, Math.max(0, light))))
      .toString(16)
      .padStart(2, '0');
    return `#${level.repeat(3)}`;
  });
}

/** White and next to white: what stands for the page. */
function isPaper(hex: string): boolean {
  const { l, c } = oklchOf(hex);
  return l > 0.88 && c < 0.06;
}

const lightness = (hex: string): number => oklchOf(hex).l;

function oklchOf(hex: string): { readonly l: number; readonly c: number; readonly h: number } {
  const { l, c, h } = toOklch(hex) ?? { l: 0, c: 0 };
  return { l, c, h: h ?? 0 };
}

/** A square of the one color, seen through the drawing: the brighter a place of the mask, the more ink. */
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

/** `suffix` makes its ids others than the original's, so that both can stand in one page. */
function repainted(svg: string, paintOf: (hex: string) => string, suffix: string): string {
  const painted = svg
    .split(MASK)
    .map((part, at) =>
      at % 2 === 1 ? part : part.replace(PAINT, (_, name: string, hex: string) => ` ${name}="${paintOf(hex)}"`),
    )
    .join('');
  // Elements without a fill paint black.
  const { root, inside } = partsOf(painted.replaceAll(/<mask(?![^>]* fill=)/g, `<mask fill="${BLACK}"`));
  return `${root}<g fill="${paintOf(BLACK)}">${inside}</g></svg>`
    .replaceAll(/ id="([^"]+)"/g, ` id="$1${suffix}"`)
    .replaceAll(/url\(#([^)]+)\)/g, `url(#$1${suffix})`)
    .replaceAll(/ href="#([^"]+)"/g, ` href="#$1${suffix}"`);
}

/** Start tag and content of the document. */
function partsOf(svg: string): { readonly root: string; readonly inside: string } {
  const start = svg.indexOf('>') + 1;
  return { root: svg.slice(0, start), inside: svg.slice(start, svg.lastIndexOf('</svg>')) };
}

function withoutFilters(svg: string): string {
  return svg.replaceAll(/<filter\b[\s\S]*?<\/filter>/g, '').replaceAll(/ filter="[^"]*"/g, '');
}

const standing = new Map<string, string>();
const KNOWN_MAX = 5000;

/** The color itself where it stands out; else a lighter or darker one, black and gray on dark pages their opposite. */
export function standingOut(hex: string, background: Background): string {
  if (wcagContrast(hex, PAGE_COLORS[background]) >= LEAST_CONTRAST) return hex;
  const key = background + hex;
  const known = standing.get(key);
  if (known !== undefined) return known;
  const moved = moveLightness(hex, background);
  if (standing.size < KNOWN_MAX) standing.set(key, moved);
  return moved;
}

function moveLightness(hex: string, background: Background): string {
  const { l, c, h } = oklchOf(hex);
  if (background === 'dark' && c < 0.05) return formatHex({ mode: 'oklch', l: Math.max(0.85, 1 - l), c: 0, h: 0 });
  const step = background === 'dark' ? 0.02 : -0.02;
  for (let light = l + step; light > 0 && light < 1; light += step) {
    const moved = formatHex(clampChroma({ mode: 'oklch', l: light, c, h }, 'oklch'));
    if (wcagContrast(moved, PAGE_COLORS[background]) >= LEAST_CONTRAST + 0.05) return moved;
  }
  return background === 'dark' ? '#ffffff' : BLACK;
}
