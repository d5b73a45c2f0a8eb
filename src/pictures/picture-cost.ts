// Cost of a rasterized picture: an estimate of its processor time, which decides its lane.
import type { AnswerFormat } from './picture-request.js';

/** In pixels of the result. */
export interface PictureSize {
  /** Pixels of the whole result. */
  readonly pixels: number;
  /** Pixels of the drawing inside its padding. */
  readonly drawingPixels: number;
}

/** Measured cost of a drawing, without the overhead of every picture. */
export interface CostMeasurement {
  readonly drawingMs: number;
  readonly drawingPixels: number;
}

interface Encoding {
  readonly format: Exclude<AnswerFormat, 'svg'>;
  /** WebP; null is lossless. */
  readonly quality: number | null;
}

export type RasterizeLane = 'cheap' | 'costly';

/** From here on a picture is costly: some twenty times that of a plain drawing at 256 px. */
const COSTLY_MS = 40;

// Processor time on a two-core virtual machine, rounded up (docs/performance.md, "Where the time of one cold picture
// goes").
const MS_PER_MEGAPIXEL = { png: 25, webp: 35, jpg: 30 } as const;
const LOSSY_MS_PER_MEGAPIXEL = 120;
const FILTER_MS_PER_MEGAPIXEL = 600;
/** A layer that fills the picture; few do. */
const LAYER_MS_PER_MEGAPIXEL = 30;
const MS_PER_THOUSAND_CHARS = 0.1;
const BASE_MS = 0.5;

const LAYER = / (?:clip-path|mask|opacity|style)="/g;

/** Estimated processor time, ms, by the text of the sanitized drawing: filters, elements drawn on a canvas of their own, length. */
export function guessedCostMs(size: PictureSize, encoding: Encoding, svg: string): number {
  const layers = svg.match(LAYER)?.length ?? 0;
  // Painted blurs take a time of their own, which is short.
  const chars = svg.replaceAll(/ href="data:[^"]*"/g, '').length;
  const perMegapixel = (svg.includes('<filter') ? FILTER_MS_PER_MEGAPIXEL : 0) + layers * LAYER_MS_PER_MEGAPIXEL;
  const drawingMs = (size.drawingPixels / 1e6) * perMegapixel + (chars / 1000) * MS_PER_THOUSAND_CHARS;
  return overheadMs(size, encoding) + drawingMs;
}

/** Estimated processor time, ms, by a measurement of the same drawing. */
export function measuredCostMs(size: PictureSize, encoding: Encoding, measured: CostMeasurement): number {
  return overheadMs(size, encoding) + scaledMs(measured, size);
}

/** `cpuMs`: processor time of a whole run. */
export function measurementOf(size: PictureSize, encoding: Encoding, cpuMs: number): CostMeasurement {
  return { drawingMs: Math.max(0, cpuMs - overheadMs(size, encoding)), drawingPixels: size.drawingPixels };
}

function overheadMs({ pixels }: PictureSize, { format, quality }: Encoding): number {
  return BASE_MS + (pixels / 1e6) * (quality === null ? MS_PER_MEGAPIXEL[format] : LOSSY_MS_PER_MEGAPIXEL);
}

/**
 * Linear upwards; less than that downwards, because filters have a bounded resolution and cost the same at all large
 * sizes.
 */
function scaledMs({ drawingMs, drawingPixels }: CostMeasurement, size: PictureSize): number {
  const ratio = size.drawingPixels / drawingPixels;
  return drawingMs * (ratio > 1 ? ratio : Math.sqrt(ratio));
}

export function laneOf(estimatedMs: number): RasterizeLane {
  return estimatedMs >= COSTLY_MS ? 'costly' : 'cheap';
}
