// Estimates the processor time of a rasterized picture. Pictures that cost little and pictures that cost much wait in
// separate lanes of the queue, `cheap` and `costly`.
import type { AnswerFormat } from './picture-request.js';

export interface PictureSize {
  /** Number of pixels of the whole picture. */
  readonly pixels: number;
  /** Number of pixels that the drawing covers, without padding. */
  readonly drawingPixels: number;
}

/** Measured time for drawing, without the overhead that every picture has. */
export interface CostMeasurement {
  readonly drawingMs: number;
  readonly drawingPixels: number;
}

interface Encoding {
  readonly format: Exclude<AnswerFormat, 'svg'>;
  /** Quality of lossy WebP. If null, the format is lossless. */
  readonly quality: number | null;
}

export type RasterizeLane = 'cheap' | 'costly';

/**
 * Estimated time from which a picture counts as costly, ms. A simple drawing at 256 px takes a twentieth of this time.
 */
const COSTLY_MS = 40;

// Processor time per megapixel for encoding, on a two-core virtual machine, rounded up (docs/performance.md, "Where the
// time of one cold picture goes").
const MS_PER_MEGAPIXEL = { png: 25, webp: 35, jpg: 30 } as const;
const LOSSY_MS_PER_MEGAPIXEL = 120;
const FILTER_MS_PER_MEGAPIXEL = 600;
/**
 * Processor time per megapixel for a layer that is as large as the drawing. Most layers are smaller, so estimates are
 * rather high.
 */
const LAYER_MS_PER_MEGAPIXEL = 30;
const MS_PER_THOUSAND_CHARS = 0.1;
const BASE_MS = 0.5;

const LAYER = / (?:clip-path|mask|opacity|style)="/g;

/**
 * Estimates the processor time of a picture whose drawing was never measured, ms. The estimate depends on the drawing's
 * filters, its elements that need their own layer, and its length.
 */
export function guessedCostMs(size: PictureSize, encoding: Encoding, svg: string): number {
  const layers = svg.match(LAYER)?.length ?? 0;
  // Data of bitmaps is not counted. It is long, but fast to draw.
  const chars = svg.replaceAll(/ href="data:[^"]*"/g, '').length;
  const perMegapixel = (svg.includes('<filter') ? FILTER_MS_PER_MEGAPIXEL : 0) + layers * LAYER_MS_PER_MEGAPIXEL;
  const drawingMs = (size.drawingPixels / 1e6) * perMegapixel + (chars / 1000) * MS_PER_THOUSAND_CHARS;
  return overheadMs(size, encoding) + drawingMs;
}

/** Estimates the processor time of a drawing at this size from its measurement at any size, ms. */
export function measuredCostMs(size: PictureSize, encoding: Encoding, measured: CostMeasurement): number {
  return overheadMs(size, encoding) + scaledMs(measured, size);
}

/** Returns the measurement of a drawing. `cpuMs`: processor time of the whole picture. */
export function measurementOf(size: PictureSize, encoding: Encoding, cpuMs: number): CostMeasurement {
  return { drawingMs: Math.max(0, cpuMs - overheadMs(size, encoding)), drawingPixels: size.drawingPixels };
}

function overheadMs({ pixels }: PictureSize, { format, quality }: Encoding): number {
  return BASE_MS + (pixels / 1e6) * (quality === null ? MS_PER_MEGAPIXEL[format] : LOSSY_MS_PER_MEGAPIXEL);
}

/**
 * Scales a measurement to another size: linearly for larger sizes, by the square root for smaller sizes. Large drawings
 * with filters are drawn smaller and then enlarged. A smaller picture therefore saves less time than its number of
 * pixels suggests.
 */
function scaledMs({ drawingMs, drawingPixels }: CostMeasurement, size: PictureSize): number {
  const ratio = size.drawingPixels / drawingPixels;
  return drawingMs * (ratio > 1 ? ratio : Math.sqrt(ratio));
}

export function laneOf(estimatedMs: number): RasterizeLane {
  return estimatedMs >= COSTLY_MS ? 'costly' : 'cheap';
}
