// What crosses the thread boundary: plain data, because errors lose their class and fields on the way.

export interface RasterTask {
  /** A complete document with `width` and `height`. */
  readonly svg: string;
  /** Pixels of the result. */
  readonly width: number;
  readonly height: number;
  readonly format: 'png' | 'webp';
  /** WebP: 1..100, null is lossless. */
  readonly quality: number | null;
  /** One float64: the worker writes here when it began, ms since the epoch, so that waiting for a thread is not drawing time. */
  readonly startedAt: SharedArrayBuffer;
}

export type RasterReply =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly code: 'unprocessable'; readonly message: string };
