// Rasterizer of SVG to PNG, WebP and JPEG. Implementations don't block the event loop.

/** Job of a drawing process. Contains only plain data, because it is sent to another process. */
export interface RasterizeJob {
  /** Complete, sanitized document with `width`, `height` and `viewBox`. */
  readonly svg: string;
  /** If true, all colors become gray after drawing, by their luma. */
  readonly greyscale?: boolean;
  /** Width and height of the result, 1..4096 px. */
  readonly width: number;
  readonly height: number;
  /** Format of the result. In JPEG (`jpg`), transparent parts become white. */
  readonly format: 'png' | 'webp' | 'jpg';
  /** Quality of lossy WebP, 1..100, or null for lossless. */
  readonly quality: number | null;
}

export type RasterizeOutcome =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly cpuMs: number }
  /** resvg or libvips rejected the document. */
  | { readonly ok: false; readonly failure: 'rejected'; readonly message: string }
  /** The job exceeded the limit of processor time. Its process was replaced. */
  | { readonly ok: false; readonly failure: 'timeout'; readonly message: string }
  /** The process crashed or did not respond, and was replaced. */
  | { readonly ok: false; readonly failure: 'crash'; readonly message: string }
  /** The job was not started: there are too many jobs, no process can be started, or the rasterizer is closed. */
  | { readonly ok: false; readonly failure: 'busy'; readonly message: string };

export interface Rasterizer {
  /** Maximum number of jobs that run at once. Further jobs don't wait: they fail with `busy`. */
  readonly capacity: number;
  /**
   * Draws a picture. Never rejects because of the picture. A job that crashes, blocks or takes too long does not affect
   * other jobs.
   */
  rasterize(job: RasterizeJob): Promise<RasterizeOutcome>;
  close(): Promise<void>;
}
