// Draws SVG into pixels off the event loop.

/** Plain data: it crosses a thread boundary. */
export interface RasterJob {
  /** A complete, sanitised document with `width`, `height` and `viewBox`. */
  readonly svg: string;
  /** Pixels of the result, 1..4096 a side. */
  readonly width: number;
  readonly height: number;
  readonly format: 'png' | 'webp';
  /** WebP only, 1..100; null is lossless. */
  readonly quality: number | null;
}

export type RasterOutcome =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** `unprocessable`: this picture cannot be drawn, or not in time (its thread was replaced). `busy`: the queue is full. */
  | { readonly ok: false; readonly code: 'unprocessable' | 'busy'; readonly message: string };

export interface Rasterizer {
  /** Never rejects because of the picture; a crash or a hang of one job costs only that job. */
  rasterize(job: RasterJob): Promise<RasterOutcome>;
  close(): Promise<void>;
}
