// The predictor transform of VP8L stores the difference between each pixel and its prediction. RFC 9649, section 4.1.

/** log2 of a tile's side. */
export const TILE_BITS = 4;
const TILE = 1 << TILE_BITS;
const OPAQUE_BLACK = 0xff000000;
/** Numbers of the predictors in the specification. */
const LEFT = 1;
const TOP = 2;
const AVERAGE = 7;
const GRADIENT = 12;
const MODES = [LEFT, TOP, AVERAGE, GRADIENT] as const;
type Mode = (typeof MODES)[number];

export interface Prediction {
  readonly residuals: Int32Array;
  /** One opaque pixel for each tile. Its green channel contains the number of the tile's predictor. */
  readonly modes: Int32Array;
  readonly tilesAcross: number;
}

interface Plane {
  readonly pixels: Int32Array;
  readonly width: number;
  readonly height: number;
}

export function predict(pixels: Int32Array, width: number, height: number): Prediction {
  const plane = { pixels, width, height };
  const tilesAcross = Math.ceil(width / TILE);
  const modes = new Int32Array(tilesAcross * Math.ceil(height / TILE));
  const residuals = new Int32Array(pixels.length);
  for (let tile = 0; tile < modes.length; tile++) {
    const left = (tile % tilesAcross) * TILE;
    const top = Math.floor(tile / tilesAcross) * TILE;
    const mode = bestMode(plane, left, top);
    modes[tile] = OPAQUE_BLACK | (mode << 8);
    for (let y = top; y < Math.min(top + TILE, height); y++) {
      for (let x = left; x < Math.min(left + TILE, width); x++) {
        const at = y * width + x;
        residuals[at] = difference(pixels[at] ?? 0, guess(plane, at, { x, y, mode }));
      }
    }
  }
  return { residuals, modes, tilesAcross };
}

/** Returns the predictor with the smallest differences in a sample of the tile. */
function bestMode(plane: Plane, left: number, top: number): Mode {
  let best: Mode = LEFT;
  let bestCost = Infinity;
  for (const mode of MODES) {
    let cost = 0;
    for (let y = top + 1; y < Math.min(top + TILE, plane.height); y += 3) {
      for (let x = left + 1; x < Math.min(left + TILE, plane.width) && cost < bestCost; x += 2) {
        const at = y * plane.width + x;
        cost += size(difference(plane.pixels[at] ?? 0, guess(plane, at, { x, y, mode })));
      }
    }
    if (cost < bestCost) [best, bestCost] = [mode, cost];
    if (bestCost === 0) break;
  }
  return best;
}

function guess(
  { pixels, width }: Plane,
  at: number,
  { x, y, mode }: { readonly x: number; readonly y: number; readonly mode: Mode },
): number {
  if (y === 0) return x === 0 ? OPAQUE_BLACK : (pixels[at - 1] ?? 0);
  const top = pixels[at - width] ?? 0;
  if (x === 0) return top;
  const left = pixels[at - 1] ?? 0;
  switch (mode) {
    case LEFT:
      return left;
    case TOP:
      return top;
    case AVERAGE:
      return (((left ^ top) & 0xfefefefe) >>> 1) + (left & top);
    case GRADIENT:
      return gradient(left, top, pixels[at - width - 1] ?? 0);
  }
}

function gradient(left: number, top: number, corner: number): number {
  if (left === corner) return top;
  if (top === corner) return left;
  return (
    (clamp((left >>> 24) + (top >>> 24) - (corner >>> 24)) << 24) |
    (clamp(((left >>> 16) & 0xff) + ((top >>> 16) & 0xff) - ((corner >>> 16) & 0xff)) << 16) |
    (clamp(((left >>> 8) & 0xff) + ((top >>> 8) & 0xff) - ((corner >>> 8) & 0xff)) << 8) |
    clamp((left & 0xff) + (top & 0xff) - (corner & 0xff))
  );
}

function clamp(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

/**
 * Subtracts each channel modulo 256, two channels at a time. A guard bit between the channels prevents a borrow from
 * the other channel.
 */
export function difference(color: number, prediction: number): number {
  const alphaGreen = ((((color >>> 8) & 0x00ff00ff) | 0x01000100) - ((prediction >>> 8) & 0x00ff00ff)) & 0x00ff00ff;
  const blueRed = (((color & 0x00ff00ff) | 0x01000100) - (prediction & 0x00ff00ff)) & 0x00ff00ff;
  return (alphaGreen << 8) | blueRed;
}

/**
 * Returns the sum of the distances of all channels from 0. Channels wrap around after 255, so 255 has a distance of 1.
 */
function size(residual: number): number {
  let sum = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    const channel = (residual >>> shift) & 0xff;
    sum += channel < 128 ? channel : 256 - channel;
  }
  return sum;
}
