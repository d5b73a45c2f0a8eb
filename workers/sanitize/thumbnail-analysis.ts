// Analysis of a drawing's thumbnail: whether anything is visible, in which colors, on which backgrounds.
import { Resvg } from '@resvg/resvg-js';
import { wcagContrast } from 'culori';
import { hexChannels, luminance } from './color.js';

/** Longer side of the sample, px. */
const SAMPLE_PX = 48;
/** Alpha from which a pixel is ink, 0..255. */
const INK_ALPHA = 100;
/** Less than the 3:1 of WCAG 1.4.11, because brand yellows and light grays are meant for white pages. */
const LEAST_CONTRAST = 1.6;
/** Share of the ink that may be lost on a background before the picture is no longer the same. */
const MAX_LOST = 0.12;
/** Difference of the strongest and the weakest channel, 0..255. */
const VIVID = 120;
/** Colors looked for in the picture. */
const MAX_COMPARED = 64;

const BACKGROUNDS = { light: '#ffffff', dark: '#0d1117' } as const;

export interface Sample {
  /** Premultiplied RGBA. */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Undefined when it cannot be drawn. */
export function drawSample(svg: string, { width, height }: { width: number; height: number }): Sample | undefined {
  try {
    const image = new Resvg(svg, {
      fitTo: width >= height ? { mode: 'width', value: SAMPLE_PX } : { mode: 'height', value: SAMPLE_PX },
      font: { loadSystemFonts: false },
    }).render();
    return { pixels: image.pixels, width: image.width, height: image.height };
  } catch {
    return undefined;
  }
}

export function isEmpty({ pixels }: Sample): boolean {
  for (let at = 3; at < pixels.length; at += 4) if ((pixels[at] ?? 0) > 8) return false;
  return true;
}

/** Colors by the area they cover, largest first; those too small to be seen come last, in the order given. */
export function byArea({ pixels }: Sample, colors: readonly string[]): readonly string[] {
  if (colors.length < 2) return colors;
  const candidates = colors.slice(0, MAX_COMPARED);
  const channels = Float64Array.from(candidates.flatMap(hexChannels));
  const areas = new Uint32Array(candidates.length);
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha < INK_ALPHA) continue;
    const scale = 255 / alpha;
    const nearest = nearestColor(
      channels,
      (pixels[at] ?? 0) * scale,
      (pixels[at + 1] ?? 0) * scale,
      (pixels[at + 2] ?? 0) * scale,
    );
    areas[nearest] = (areas[nearest] ?? 0) + 1;
  }
  return candidates
    .map((hex, index) => ({ hex, area: areas[index] ?? 0 }))
    .sort((one, other) => other.area - one.area)
    .map(({ hex }) => hex);
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

/** Backgrounds on which one color stands out. */
export function colorVisibleOn(hex: string): ('light' | 'dark')[] {
  return (['light', 'dark'] as const).filter((name) => wcagContrast(hex, BACKGROUNDS[name]) >= LEAST_CONTRAST);
}

/** Backgrounds on which nothing essential melts into the page. */
export function visibleOn(sample: Sample): ('light' | 'dark')[] {
  return (['light', 'dark'] as const).filter((name) => lostShare(sample, name) <= MAX_LOST);
}

const PAGE = 0;
const FAINT = 1;
const CLEAR = 2;

/**
 * Share of the ink that would melt into the background and be missed: faint pixels that do not lie between pixels that
 * can be seen. The white letter in a colored disc is not lost on white, white letters beside the disc are.
 */
function lostShare(sample: Sample, background: 'light' | 'dark'): number {
  const { width } = sample;
  const kinds = classify(sample, background);
  const isBetween = betweenClear(kinds, sample);
  let ink = 0;
  let lost = 0;
  for (let at = 0; at < kinds.length; at += 1) {
    if (kinds[at] === PAGE) continue;
    ink += 1;
    if (kinds[at] === FAINT && !isBetween(at % width, Math.floor(at / width))) lost += 1;
  }
  return ink === 0 ? 0 : lost / ink;
}

/** Whether clear pixels lie on both sides of a place, in its row or in its column. */
function betweenClear(kinds: Uint8Array, { width, height }: Sample): (x: number, y: number) => boolean {
  const [left, right] = [new Int32Array(height).fill(width), new Int32Array(height).fill(-1)];
  const [top, bottom] = [new Int32Array(width).fill(height), new Int32Array(width).fill(-1)];
  for (let at = 0; at < kinds.length; at += 1) {
    if (kinds[at] !== CLEAR) continue;
    const x = at % width;
    const y = (at - x) / width;
    left[y] = Math.min(left[y] ?? x, x);
    right[y] = Math.max(right[y] ?? x, x);
    top[x] = Math.min(top[x] ?? y, y);
    bottom[x] = Math.max(bottom[x] ?? y, y);
  }
  return (x, y) => (x > (left[y] ?? x) && x < (right[y] ?? x)) || (y > (top[x] ?? y) && y < (bottom[x] ?? y));
}

function classify({ pixels, width, height }: Sample, background: 'light' | 'dark'): Uint8Array {
  const [groundRed, groundGreen, groundBlue] = hexChannels(BACKGROUNDS[background]);
  const groundLuminance = luminance(groundRed, groundGreen, groundBlue);
  const kinds = new Uint8Array(width * height);
  for (let at = 0; at < kinds.length; at += 1) {
    const alpha = pixels[at * 4 + 3] ?? 0;
    if (alpha < INK_ALPHA) continue;
    const rest = 1 - alpha / 255;
    const red = (pixels[at * 4] ?? 0) + groundRed * rest;
    const green = (pixels[at * 4 + 1] ?? 0) + groundGreen * rest;
    const blue = (pixels[at * 4 + 2] ?? 0) + groundBlue * rest;
    // A strong yellow has nearly the luminance of white and is still plain to see on it.
    const isVivid = background === 'light' && Math.max(red, green, blue) - Math.min(red, green, blue) > VIVID;
    kinds[at] = isVivid || contrast(luminance(red, green, blue), groundLuminance) >= LEAST_CONTRAST ? CLEAR : FAINT;
  }
  return kinds;
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
