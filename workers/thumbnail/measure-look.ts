// Measures the look of a drawing: colors, shape and visibility. The import compares the looks of a brand's drawings to
// choose the default.
import { hexChannels } from '../svg/css-color.js';
import type { Background, InkBox } from '../../src/catalog/entry.js';
import type { Look } from '../../src/catalog/import/candidate.js';
import { lettersInARow } from './letter-shapes.js';
import { INK_ALPHA, type Sample, type Thumbnail } from './draw-thumbnail.js';
import { isWithin, meltsInto, spansOf, type Visibility } from './visibility.js';
import type { ViewBox } from '../svg/drawing-bounds.js';

/** Maximum number of colors whose area is measured. */
const MAX_COMPARED = 64;
/** Number of rows of cells in a fingerprint. The number of columns is the same. */
const PRINT_CELLS = 12;
/** Minimum difference between the strongest and the weakest channel of a pixel that is not gray, 0 to 255. */
const CHROMATIC = 40;
/** Only colors of at least this share of the visible pixels are counted. */
const LEAST_SHARE = 0.03;
/** Maximum distance between two shades of the same color, in RGB with channels from 0 to 255. */
const SAME_COLOR = 60;

interface Drawn {
  readonly sample: Sample;
  readonly svg: string;
}

interface DrawnInColors extends Drawn {
  readonly colors: readonly ColorArea[];
  readonly visibility: Readonly<Record<Background, Visibility>>;
}

export function lookOf({ colors, visibility, ...drawn }: DrawnInColors): Look {
  const { sample } = drawn;
  return {
    print: fingerprint(sample, [0, 1, 2, ALPHA]),
    faded: { light: share(visibility.light.faded), dark: share(visibility.dark.faded) },
    chromatic: share(chromaticShare(sample)),
    hues: distinct(colors),
    areas: colors.slice(0, 6).map(({ share: of }) => share(of)),
    ...shapeOf(drawn),
  };
}

/** Returns the look of a drawing with a single color, `#rrggbb`. */
export function lookOfOnePaint(drawn: Drawn, paint: string): Look {
  const [red, green, blue] = hexChannels(paint);
  const isChromatic = Math.max(red, green, blue) - Math.min(red, green, blue) >= CHROMATIC;
  return {
    print: fingerprint(drawn.sample, [ALPHA]),
    faded: meltsInto(paint),
    chromatic: isChromatic ? 1 : 0,
    hues: 1,
    areas: [1],
    ...shapeOf(drawn),
  };
}

function shapeOf({ sample, svg }: Drawn): Pick<Look, 'letters' | 'plate' | 'cost'> {
  return { letters: lettersInARow(sample), plate: plateOf(sample), cost: costOf(svg) };
}

const share = (value: number): number => Math.round(value * 1000) / 1000;

/** Returns the box of the visible pixels, relative to the corner of the viewBox. Rounds to four decimals. */
export function inkBox({ ink: [x, y, width, height] }: Thumbnail, [left, top]: ViewBox): InkBox {
  const digits = (value: number): number => Math.round(value * 10_000) / 10_000;
  return [digits(x - left), digits(y - top), digits(width), digits(height)];
}

export interface ColorArea {
  readonly hex: string;
  /** Share of the visible pixels that have this color, 0 to 1. */
  readonly share: number;
}

/**
 * Returns the colors with the share of visible pixels that they cover, largest first. With `marked`, counts only pixels
 * that `marked` sets to 1. Colors whose areas are too small to be visible come last, in their original order.
 */
export function byArea({ pixels }: Sample, colors: readonly string[], marked?: Uint8Array): readonly ColorArea[] {
  const candidates = colors.slice(0, MAX_COMPARED);
  const channels = Float64Array.from(candidates.flatMap(hexChannels));
  const areas = new Uint32Array(candidates.length);
  let ink = 0;
  // Most pixels equal the previous pixel, so the result of the previous pixel is reused.
  let [last, nearest] = [-1, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha < INK_ALPHA || marked?.[at / 4] === 0) continue;
    ink += 1;
    const [red, green, blue] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    const pixel = ((red << 16) | (green << 8) | blue) * 256 + alpha;
    if (pixel !== last) {
      const scale = 255 / alpha;
      nearest = nearestColor(channels, red * scale, green * scale, blue * scale);
      last = pixel;
    }
    areas[nearest] = (areas[nearest] ?? 0) + 1;
  }
  return candidates
    .map((hex, index) => ({ hex, share: ink === 0 ? 0 : (areas[index] ?? 0) / ink }))
    .sort((one, other) => other.share - one.share);
}

function nearestColor(channels: Float64Array, red: number, green: number, blue: number): number {
  let nearest = 0;
  let least = Infinity;
  for (let at = 0; at < channels.length; at += 3) {
    const distance =
      ((channels[at] ?? 0) - red) ** 2 + ((channels[at + 1] ?? 0) - green) ** 2 + ((channels[at + 2] ?? 0) - blue) ** 2;
    if (distance >= least) continue;
    least = distance;
    nearest = at / 3;
  }
  return nearest;
}

/** Returns the number of colors that a person would see: shades of a color count once, and tiny areas do not count. */
function distinct(colors: readonly ColorArea[]): number {
  const counted: number[][] = [];
  for (const { hex, share: of } of colors) {
    if (of < LEAST_SHARE) continue;
    const channels = hexChannels(hex);
    const isShade = counted.some((one) => distance(one, channels) < SAME_COLOR);
    if (!isShade) counted.push(channels);
  }
  return Math.max(1, counted.length);
}

function distance(one: readonly number[], other: readonly number[]): number {
  return Math.hypot(...one.map((channel, at) => channel - (other[at] ?? 0)));
}

function chromaticShare({ pixels }: Sample): number {
  let [ink, chromatic] = [0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha < INK_ALPHA) continue;
    ink += 1;
    const [red, green, blue] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    if (((Math.max(red, green, blue) - Math.min(red, green, blue)) * 255) / alpha >= CHROMATIC) chromatic += 1;
  }
  return ink === 0 ? 0 : chromatic / ink;
}

/** Position of alpha in the bytes of a pixel. */
const ALPHA = 3;

/**
 * Returns the mean of these channels in 12 × 12 cells of the thumbnail, with four bits per mean, as base64. Drawings
 * with equal fingerprints look alike, even if their margins differ.
 */
function fingerprint({ pixels, width, height }: Sample, channels: readonly number[]): string {
  const bytes = new Uint8Array((PRINT_CELLS * PRINT_CELLS * channels.length) / 2);
  let at = 0;
  for (let y = 0; y < PRINT_CELLS; y += 1) {
    const [y0, y1] = span(y, height);
    for (let x = 0; x < PRINT_CELLS; x += 1) {
      const [x0, x1] = span(x, width);
      for (const channel of channels) {
        let sum = 0;
        for (let py = y0; py < y1; py += 1)
          for (let px = x0; px < x1; px += 1) sum += pixels[(py * width + px) * 4 + channel] ?? 0;
        const nibble = Math.round((sum * 15) / 255 / ((y1 - y0) * (x1 - x0)));
        bytes[at >> 1] = (bytes[at >> 1] ?? 0) | (at % 2 === 0 ? nibble << 4 : nibble);
        at += 1;
      }
    }
  }
  return Buffer.from(bytes).toString('base64');
}

/**
 * Returns the range of pixels of a cell, from the first pixel to the pixel after the last. Every cell has at least one
 * pixel.
 */
function span(cell: number, side: number): readonly [from: number, to: number] {
  const from = Math.min(side - 1, Math.floor((cell * side) / PRINT_CELLS));
  return [from, Math.max(from + 1, Math.floor(((cell + 1) * side) / PRINT_CELLS))];
}

/** Minimum share of the pixels of a disc or square that must be visible, or enclosed by visible pixels. */
const PLATE_FILL = 0.97;

/**
 * Returns the shape of the drawing if it is a filled disc or square, possibly with rounded corners and cutouts.
 * Otherwise returns null.
 */
function plateOf(sample: Sample): Look['plate'] {
  const { pixels, width, height } = sample;
  if (Math.max(width, height) > Math.min(width, height) * 1.06) return null;
  const ink = new Uint8Array(width * height);
  for (let at = 0; at < ink.length; at += 1) ink[at] = (pixels[at * 4 + 3] ?? 0) >= INK_ALPHA ? 1 : 0;
  const spans = spansOf(ink, sample, 1);
  let [disc, discInk, rest, restInk] = [0, 0, 0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [dx, dy] = [(x + 0.5) / width - 0.5, (y + 0.5) / height - 0.5];
      const radius = Math.sqrt(dx * dx + dy * dy) * 2;
      const filled = ink[y * width + x] === 1 || isWithin(spans, x, y) ? 1 : 0;
      if (radius <= 0.97) {
        disc += 1;
        discInk += filled;
      } else if (radius > 1.06) {
        rest += 1;
        restInk += filled;
      }
    }
  }
  if (discInk / disc < PLATE_FILL) return null;
  return rest > 0 && restInk / rest > 0.25 ? 'square' : 'disc';
}

const LAYER = / (?:clip-path|mask|opacity|style)="/g;

/**
 * Estimates the time to rasterize the drawing at 256 px, roughly in µs. Uses only the text of the drawing, so that the
 * result does not depend on the machine.
 */
function costOf(svg: string): number {
  const filters = svg.match(/ filter="/g)?.length ?? 0;
  const layers = svg.match(LAYER)?.length ?? 0;
  return Math.round(svg.length / 20 + layers * 300 + filters * 12_000);
}
