// Draws a sanitised picture small, to see what no reading of the source can tell: is there anything, in which colours, on which backgrounds.
import { Resvg } from '@resvg/resvg-js';
import { hexChannels, luminance } from './sanitize-color.js';

/** Longer side of the sample, px. */
const SAMPLE_PX = 48;
/** Alpha from which a pixel is ink, 0..255. */
const INK_ALPHA = 100;
/** Less than the 3:1 of WCAG 1.4.11, because brand yellows and light greys are meant for white pages. */
const LEAST_CONTRAST = 1.6;
/** Share of the ink that may be lost on a background before the picture is no longer the same. */
const MAX_LOST = 0.12;
/** Difference of the strongest and the weakest channel, 0..255. */
const VIVID = 120;

export const BACKGROUNDS = { light: '#ffffff', dark: '#0d1117' } as const;

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

/** Colours by the area they cover, largest first; those too small to be seen come last, in the order given. */
export function byArea(sample: Sample, colors: readonly string[]): readonly string[] {
  if (colors.length < 2) return colors;
  const candidates = colors.slice(0, 64).map((hex) => ({ hex, channels: hexChannels(hex), area: 0 }));
  const { pixels } = sample;
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha < INK_ALPHA) continue;
    const [red, green, blue] = [0, 1, 2].map((offset) => ((pixels[at + offset] ?? 0) * 255) / alpha) as [number, number, number];
    let nearest = candidates[0];
    let least = Infinity;
    for (const candidate of candidates) {
      const [r, g, b] = candidate.channels;
      const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      if (distance < least) [nearest, least] = [candidate, distance];
    }
    if (nearest !== undefined) nearest.area += 1;
  }
  return candidates.sort((a, b) => b.area - a.area).map(({ hex }) => hex);
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
 * can be seen. The white letter in a coloured disc is not lost on white, white letters beside the disc are.
 */
function lostShare(sample: Sample, background: 'light' | 'dark'): number {
  const { width, height } = sample;
  const kinds = classify(sample, background);
  const rows = Array.from({ length: height }, (_, y) => extent(width, (x) => kinds[y * width + x] === CLEAR));
  const columns = Array.from({ length: width }, (_, x) => extent(height, (y) => kinds[y * width + x] === CLEAR));
  let ink = 0;
  let lost = 0;
  kinds.forEach((kind, at) => {
    if (kind === PAGE) return;
    ink += 1;
    const x = at % width;
    const y = (at - x) / width;
    if (kind === FAINT && !within(x, rows[y]) && !within(y, columns[x])) lost += 1;
  });
  return ink === 0 ? 0 : lost / ink;
}

function classify({ pixels, width, height }: Sample, background: 'light' | 'dark'): Uint8Array {
  const ground = hexChannels(BACKGROUNDS[background]);
  const groundLuminance = luminance(...ground);
  const kinds = new Uint8Array(width * height);
  for (let at = 0; at < kinds.length; at += 1) {
    const alpha = pixels[at * 4 + 3] ?? 0;
    if (alpha < INK_ALPHA) continue;
    const rest = 1 - alpha / 255;
    const over = ground.map((channel, offset) => (pixels[at * 4 + offset] ?? 0) + channel * rest) as [number, number, number];
    const stands = contrast(luminance(...over), groundLuminance) >= LEAST_CONTRAST || (background === 'light' && isVivid(over));
    kinds[at] = stands ? CLEAR : FAINT;
  }
  return kinds;
}

/** A strong yellow has nearly the luminance of white and is still plain to see on it. */
function isVivid(channels: readonly number[]): boolean {
  return Math.max(...channels) - Math.min(...channels) > VIVID;
}

function extent(length: number, isClear: (at: number) => boolean): readonly [first: number, last: number] {
  let first = length;
  let last = -1;
  for (let at = 0; at < length; at += 1) {
    if (!isClear(at)) continue;
    first = Math.min(first, at);
    last = at;
  }
  return [first, last];
}

function within(at: number, [first, last]: readonly [number, number] = [1, 0]): boolean {
  return at > first && at < last;
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
