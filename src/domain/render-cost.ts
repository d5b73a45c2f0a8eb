// Estimate of the processor time that a raster picture takes, which decides the lane it waits in.
import type { ImageFormat } from './image-request.js';

/** What an estimate rests on; sizes in pixels of the result. */
export interface RenderSize {
  /** Of the whole result. */
  readonly pixels: number;
  /** Of the drawing inside its padding. */
  readonly drawingPixels: number;
}

/** What the text of a drawing says about its cost. */
export interface DrawingProfile {
  readonly chars: number;
  readonly hasFilters: boolean;
}

/** A measured run: processor time, and how large the drawing was. */
export interface RenderMeasurement {
  readonly cpuMs: number;
  readonly drawingPixels: number;
}

export type RenderLane = 'cheap' | 'dear';

/** From here on a picture is dear: some twenty times what a logo of 256 px takes. */
const DEAR_MS = 40;

// Processor time on a two-core virtual machine, rounded up (docs/performance.md, "Where the time of one cold picture goes").
const MS_PER_MEGAPIXEL = { png: 25, webp: 35 } as const;
const LOSSY_MS_PER_MEGAPIXEL = 120;
const FILTER_MS_PER_MEGAPIXEL = 600;
const MS_PER_THOUSAND_CHARS = 0.1;
const BASE_MS = 0.5;

export function profileOf(svg: string): DrawingProfile {
  return { chars: svg.length, hasFilters: svg.includes('<filter') };
}

/** Processor time, ms. A measurement of the same drawing replaces what its text suggests; drawing grows with the area. */
export function estimateRenderMs(
  size: RenderSize,
  encoding: { readonly format: Exclude<ImageFormat, 'svg'>; readonly quality: number | null },
  drawing: { readonly profile: DrawingProfile; readonly measured?: RenderMeasurement | undefined },
): number {
  const encodingMs = (size.pixels / 1e6) * (encoding.quality === null ? MS_PER_MEGAPIXEL[encoding.format] : LOSSY_MS_PER_MEGAPIXEL);
  return BASE_MS + encodingMs + drawingMs(size, drawing);
}

function drawingMs({ drawingPixels }: RenderSize, { profile, measured }: Parameters<typeof estimateRenderMs>[2]): number {
  if (measured) return (measured.cpuMs * drawingPixels) / measured.drawingPixels;
  const filtersMs = profile.hasFilters ? (drawingPixels / 1e6) * FILTER_MS_PER_MEGAPIXEL : 0;
  return filtersMs + (profile.chars / 1000) * MS_PER_THOUSAND_CHARS;
}

export function laneOf(estimatedMs: number): RenderLane {
  return estimatedMs >= DEAR_MS ? 'dear' : 'cheap';
}
