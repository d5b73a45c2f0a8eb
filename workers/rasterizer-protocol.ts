// Messages between the service and its drawing processes. They are plain data, because errors would lose their class
// and fields.
import type { RasterizeJob } from '../src/pictures/rasterizer.js';

/** Options of a drawing process: its only command-line argument, as JSON. */
export interface RasterizerProcessOptions {
  /** URL of the compiled `rasterize`. */
  readonly worker: string;
  /** Maximum processor time of one job, ms. */
  readonly timeoutMs: number;
}

/** Message to the drawing process. The next one is sent only after the reply. */
export type RasterizeTask = RasterizeJob;

/** Result of the thread in the drawing process. */
export type RasterizeReply =
  { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly message: string };

/** Message from the drawing process. */
export type RasterizerMessage =
  /** The thread has started. A job that was sent earlier starts now. */
  | { readonly kind: 'ready' }
  /** The picture was drawn. `cpuMs` is the processor time of the whole process for this job. */
  | { readonly kind: 'picture'; readonly bytes: Uint8Array; readonly cpuMs: number }
  | { readonly kind: 'rejected'; readonly message: string }
  /** The thread has ended. The process must be killed. */
  | { readonly kind: 'thread-lost'; readonly message: string }
  /** The job has exceeded its processor time. Its thread can't be stopped, so the process must be killed. */
  | { readonly kind: 'timeout' };
