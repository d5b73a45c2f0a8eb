// Messages between the service and its drawing processes. Plain data only: errors would lose their class and fields.
import type { RasterizeJob } from '../src/pictures/rasterizer.js';

/** The only argument of the drawing process, as JSON. */
export interface RasterizerProcessOptions {
  /** File of the compiled `rasterize`. */
  readonly worker: string;
  /** Maximum processor time of one job, ms. */
  readonly timeoutMs: number;
}

/** Sent to the drawing process, one at a time: the next one follows the reply. */
export type RasterizeTask = RasterizeJob;

/** Result of the pool's thread. */
export type RasterizeReply =
  { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly message: string };

/** Sent by the drawing process. */
export type RasterizerMessage =
  /** The thread has started. A job sent earlier starts now. */
  | { readonly kind: 'ready' }
  /** `cpuMs` is the processor time of the whole process for this job. */
  | { readonly kind: 'picture'; readonly bytes: Uint8Array; readonly cpuMs: number }
  | { readonly kind: 'rejected'; readonly message: string }
  /** The thread has ended. The process must be killed. */
  | { readonly kind: 'thread-lost'; readonly message: string }
  /** The job has used up its processor time. Its thread can't be stopped, so the process must be killed. */
  | { readonly kind: 'timeout' };
