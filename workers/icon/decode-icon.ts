// Decodes the icon of a website and encodes it again. Only the pixels of the original file remain.
import decodeIco from 'decode-ico';
import { loadSharp } from '../rasterize/libvips.js';
import type { DecodedIcon, DecodeIcon, IconLevel } from '../icon-protocol.js';
import { isIco, largestFrame } from './largest-frame.js';

/** Maximum number of pixels of an icon. */
const MAX_PIXELS = 4096 * 4096;
/**
 * Bitmap formats of icons. The library sharp can decode other formats, such as SVG and PDF. They are rejected, because
 * an attacker could exploit faults in their decoders.
 */
const FORMATS = new Set(['png', 'jpeg', 'webp', 'gif', 'heif']);
/**
 * Minimum length of the longer side of a reduced copy, px. Each copy of the icon has half the size of the previous
 * copy.
 */
const MIN_LEVEL = 16;
/** Minimum alpha of a visible pixel, 0 to 255. */
const VISIBLE = 16;
/** Maximum difference of a channel between two pixels of the same color. It allows for JPEG noise. */
const SAME = 12;
/**
 * An icon in a single color counts as blank if at least this share of its pixels is visible, because it is then only a
 * filled tile. If fewer pixels are visible, they form a shape.
 */
const TILE = 0.97;
const LIMITS = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;

type Load = Awaited<ReturnType<typeof loadSharp>>;
type Image = ReturnType<Load>;

interface Raw {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export async function decodeIcon({ bytes, maxSide }: DecodeIcon): Promise<DecodedIcon> {
  try {
    const raw = await pixelsOf(Buffer.from(bytes), maxSide);
    return isBlank(raw) ? { ok: false, reason: 'blank' } : { ok: true, levels: await levelsOf(raw) };
  } catch {
    return { ok: false, reason: 'undecodable' };
  }
}

async function pixelsOf(bytes: Buffer, maxSide: number): Promise<Raw> {
  const load = await loadSharp();
  const { data, info } = await (
    await opened(load, bytes)
  )
    .toColourspace('srgb')
    .ensureAlpha()
    .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 4) throw new Error('the pixels are not RGBA');
  return { data, width: info.width, height: info.height };
}

async function opened(load: Load, bytes: Buffer): Promise<Image> {
  if (!isIco(bytes)) return openedFile(load, bytes);
  const [frame] = decodeIco(largestFrame(bytes));
  if (!frame) throw new Error('the file has no frame');
  if (frame.type === 'png') return openedFile(load, Buffer.from(frame.data));
  const { width, height, data } = frame;
  const pixels = Buffer.from(data);
  // Some old icons have no alpha: the fourth channel is zero in all pixels. They are opaque.
  if (pixels.every((value, at) => at % 4 !== 3 || value === 0))
    for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  return load(pixels, { raw: { width, height, channels: 4 } });
}

/** Opens the first frame of a file. */
async function openedFile(load: Load, bytes: Buffer): Promise<Image> {
  const { format } = await load(bytes, LIMITS).metadata();
  if (!FORMATS.has(format)) throw new Error('the format is not allowed');
  return load(bytes, LIMITS).autoOrient();
}

/** Returns true for an icon without visible pixels, and for a tile with a single color. */
function isBlank({ data, width, height }: Raw): boolean {
  let [visible, others] = [0, 0];
  let first: number | undefined;
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 3] ?? 0) < VISIBLE) continue;
    visible++;
    first ??= at;
    if (differs(data, first, at)) others++;
  }
  if (visible === 0) return true;
  return visible >= TILE * width * height && others === 0;
}

function differs(data: Buffer, one: number, other: number): boolean {
  return [0, 1, 2, 3].some((channel) => Math.abs((data[one + channel] ?? 0) - (data[other + channel] ?? 0)) > SAME);
}

async function levelsOf({ data, width, height }: Raw): Promise<readonly IconLevel[]> {
  const load = await loadSharp();
  const whole = load(data, { raw: { width, height, channels: 4 } });
  const levels: IconLevel[] = [];
  for (let part = 1; part === 1 || Math.max(width, height) / part >= MIN_LEVEL; part *= 2) {
    const [across, down] = [width, height].map((side) => Math.max(1, Math.round(side / part))) as [number, number];
    const png = await whole.clone().resize(across, down, { fit: 'fill' }).png({ compressionLevel: 9 }).toBuffer();
    levels.push({ width: across, height: down, png });
  }
  return levels;
}
