// Rasterizer of SVG to PNG, WebP and JPEG, off the event loop.

/** Plain data: it crosses a process boundary. */
export interface RasterizeJob {
  /** A complete, sanitised document with `width`, `height` and `viewBox`. */
  readonly svg: string;
  /** Its colors become grey, by their luma, after it is drawn. */
  readonly greyscale?: boolean;
  /** Pixels of the result, 1..4096 a side. */
  readonly width: number;
  readonly height: number;
  /** JPEG (`jpg`) is on white where the document is transparent. */
  readonly format: 'png' | 'webp' | 'jpg';
  /** WebP only, 1..100; null is lossless. */
  readonly quality: number | null;
}

export type RasterizeOutcome =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly cpuMs: number }
  /** resvg or libvips reject the document. */
  | { readonly ok: false; readonly failure: 'rejected'; readonly message: string }
  /** It took more processor time than allowed, and its process was replaced. */
  | { readonly ok: false; readonly failure: 'timeout'; readonly message: string }
  /** The process crashed or hung, and its process was replaced. */
  | { readonly ok: false; readonly failure: 'crash'; readonly message: string }
  /** Not begun: more jobs are under way than it takes, no process can be started, or it is closed. */
  | { readonly ok: false; readonly failure: 'busy'; readonly message: string };

export interface Rasterizer {
  /** Jobs that may be drawn at once. It has no queue. */
  readonly capacity: number;
  /** Never rejects because of the picture. A job that crashes, hangs or takes too long costs only itself. */
  rasterize(job: RasterizeJob): Promise<RasterizeOutcome>;
  close(): Promise<void>;
}
