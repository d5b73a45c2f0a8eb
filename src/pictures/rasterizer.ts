// Rasterizer of SVG to PNG, WebP and JPEG. It runs outside the event loop.

/** Plain data, because it crosses a process boundary. */
export interface RasterizeJob {
  /** A complete, sanitized document with `width`, `height` and `viewBox`. */
  readonly svg: string;
  /** True if all colors become grey, by their luma, after drawing. */
  readonly greyscale?: boolean;
  /** Sides of the result, px, 1..4096. */
  readonly width: number;
  readonly height: number;
  /** JPEG (`jpg`) is on white where the document is transparent. */
  readonly format: 'png' | 'webp' | 'jpg';
  /** Quality of WebP, 1..100. Null is lossless. */
  readonly quality: number | null;
}

export type RasterizeOutcome =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly cpuMs: number }
  /** resvg or libvips rejected the document. */
  | { readonly ok: false; readonly failure: 'rejected'; readonly message: string }
  /** The job took more processor time than allowed. Its process was replaced. */
  | { readonly ok: false; readonly failure: 'timeout'; readonly message: string }
  /** The process crashed or hung, and was replaced. */
  | { readonly ok: false; readonly failure: 'crash'; readonly message: string }
  /** The job was not started: there are too many jobs, no process can be started, or the rasterizer is closed. */
  | { readonly ok: false; readonly failure: 'busy'; readonly message: string };

export interface Rasterizer {
  /** Most jobs that are drawn at once. There is no queue. */
  readonly capacity: number;
  /** Draws a picture. Never rejects because of the picture. A job that crashes, hangs or takes too long affects no other job. */
  rasterize(job: RasterizeJob): Promise<RasterizeOutcome>;
  close(): Promise<void>;
}
