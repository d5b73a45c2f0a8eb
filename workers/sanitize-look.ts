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
  return (['light', 'dark'] as const).filter((name) => lostShare(sample, BACKGROUNDS[name]) <= MAX_LOST);
}

/**
 * Share of the ink that would melt into the background: faint pixels that the page reaches without crossing anything
 * that can be seen. White inside a coloured disc is therefore not lost on white, white letters beside it are.
 */
function lostShare({ pixels, width, height }: Sample, background: string): number {
  const ground = hexChannels(background);
  const groundLuminance = luminance(...ground);
  const total = width * height;
  /** 0 page, 1 faint ink, 2 ink that stands out, 3 page or faint ink already reached. */
  const kind = new Uint8Array(total);
  let ink = 0;
  for (let at = 0; at < total; at += 1) {
    const alpha = pixels[at * 4 + 3] ?? 0;
    if (alpha < INK_ALPHA) continue;
    ink += 1;
    const rest = 1 - alpha / 255;
    const over = ground.map((channel, offset) => (pixels[at * 4 + offset] ?? 0) + channel * rest) as [number, number, number];
    kind[at] = contrast(luminance(...over), groundLuminance) >= LEAST_CONTRAST ? 2 : 1;
  }
  let lost = 0;
  const queue: number[] = [];
  const reach = (at: number): void => {
    const found = kind[at] ?? 2;
    if (found > 1) return;
    if (found === 1) lost += 1;
    kind[at] = 3;
    queue.push(at);
  };
  for (let x = 0; x < width; x += 1) [x, (height - 1) * width + x].forEach(reach);
  for (let y = 0; y < height; y += 1) [y * width, y * width + width - 1].forEach(reach);
  for (let at = 0; at < total; at += 1) if (kind[at] === 0) reach(at);
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const x = at % width;
    if (x > 0) reach(at - 1);
    if (x < width - 1) reach(at + 1);
    if (at >= width) reach(at - width);
    if (at < total - width) reach(at + width);
  }
  return ink === 0 ? 0 : lost / ink;
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
