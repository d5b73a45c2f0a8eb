// Converts CSS colors to `#rrggbb` and an opacity.
import { clampGamut, parse, rgb, wcagLuminance } from 'culori';

export interface Paint {
  /** Hex color in lower case, `#rrggbb`. */
  readonly hex: string;
  /** Opacity, 0..1. */
  readonly alpha: number;
}

const toSrgb = clampGamut('rgb');
const known = new Map<string, Paint | undefined>();
/** Maximum number of cached colors. All icons together have a few thousand colors. */
const KNOWN_MAX = 5000;

/** Parses a CSS color. Returns undefined if the text is not a color. */
export function parseColor(text: string): Paint | undefined {
  const key = text.trim().toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(key)) return { hex: key, alpha: 1 };
  if (known.has(key)) return known.get(key);
  const paint = key.length > 200 ? undefined : compute(key);
  if (known.size < KNOWN_MAX) known.set(key, paint);
  return paint;
}

function compute(key: string): Paint | undefined {
  const parsed = parsedColor(key);
  if (parsed === undefined) return undefined;
  const inGamut = toSrgb(rgb(parsed));
  if (inGamut === undefined) return undefined;
  const { r, g, b, alpha } = inGamut;
  if (![r, g, b].every(Number.isFinite)) return undefined;
  return { hex: `#${[r, g, b].map(channel).join('')}`, alpha: Math.min(1, Math.max(0, alpha ?? 1)) };
}

/**
 * Parses a color with culori. Returns undefined if culori throws. It throws for `color(constructor 1 0 0)`, because it
 * looks up names in a plain object.
 */
function parsedColor(key: string): ReturnType<typeof parse> {
  try {
    return parse(key);
  } catch {
    return undefined;
  }
}

function channel(value: number): string {
  return Math.round(Math.min(1, Math.max(0, value)) * 255)
    .toString(16)
    .padStart(2, '0');
}

/**
 * One table per channel: channel value → its part of the luminance. The tables save time, because thumbnails compute
 * the luminance of every pixel.
 */
const [RED, GREEN, BLUE] = (['r', 'g', 'b'] as const).map((channel) =>
  Float64Array.from({ length: 256 }, (_, value) =>
    wcagLuminance({ mode: 'rgb', r: 0, g: 0, b: 0, [channel]: value / 255 }),
  ),
) as [Float64Array, Float64Array, Float64Array];

/** Returns the relative luminance (WCAG 2) of an sRGB color. Channels are 0 to 255. */
export function luminance(red: number, green: number, blue: number): number {
  return share(RED, red) + share(GREEN, green) + share(BLUE, blue);
}

function share(table: Float64Array, value: number): number {
  return table[Math.min(255, Math.max(0, Math.round(value)))] ?? 0;
}

export function hexChannels(hex: string): [red: number, green: number, blue: number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
