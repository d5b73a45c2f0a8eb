// Detects tiles: drawings with a filled oval or rectangle as their own background. They are visible on any page.
import { luminance } from '../svg/css-color.js';
import { INK_ALPHA, type Sample } from './draw-thumbnail.js';
import { contrast } from './visibility.js';

/** Minimum share of the pixels in the inner oval that must be visible. */
const LEAST_FILL = 0.97;
/**
 * Size of the inner oval, as a share of the oval that fills the thumbnail. Pixels outside the inner oval are the rim.
 */
const RIM = 0.9;
/** Minimum share of the inner pixels whose contrast with the rim is at least CONTENT_CONTRAST. */
const LEAST_CONTENT = 0.03;
const CONTENT_CONTRAST = 2;

export function isTile(sample: Sample): boolean {
  if (!fillsItsOval(sample)) return false;
  const { width, height } = sample;
  const inside: number[] = [];
  let [rim, rimPixels] = [0, 0];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const light = luminanceAt(sample, y * width + x);
      if (light === undefined) continue;
      if (isInOval(sample, x, y)) inside.push(light);
      else {
        rim += light;
        rimPixels += 1;
      }
    }
  if (rimPixels === 0) return false;
  const content = inside.filter((light) => contrast(light, rim / rimPixels) >= CONTENT_CONTRAST).length;
  return content / inside.length >= LEAST_CONTENT;
}

function fillsItsOval(sample: Sample): boolean {
  const { pixels, width, height } = sample;
  // Upper bound of the number of empty pixels in the oval. It is computed from the whole thumbnail, which is larger
  // than the oval. Most drawings without a tile exceed it after a few rows.
  const mostEmpty = (1 - LEAST_FILL) * width * height;
  let [places, filled] = [0, 0];
  for (let y = 0; y < height && places - filled <= mostEmpty; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (!isInOval(sample, x, y)) continue;
      places += 1;
      if ((pixels[(y * width + x) * 4 + 3] ?? 0) >= INK_ALPHA) filled += 1;
    }
  return places - filled <= mostEmpty && filled / places >= LEAST_FILL;
}

/** Returns true if the pixel is inside the inner oval. Returns false for the rim. */
function isInOval({ width, height }: Sample, x: number, y: number): boolean {
  return 2 * Math.hypot((x + 0.5) / width - 0.5, (y + 0.5) / height - 0.5) <= RIM;
}

/** Returns the luminance of a pixel, or undefined if the pixel is not visible. */
function luminanceAt({ pixels }: Sample, at: number): number | undefined {
  const alpha = pixels[at * 4 + 3] ?? 0;
  if (alpha < INK_ALPHA) return undefined;
  const channel = (of: number): number => ((pixels[at * 4 + of] ?? 0) * 255) / alpha;
  return luminance(channel(0), channel(1), channel(2));
}
