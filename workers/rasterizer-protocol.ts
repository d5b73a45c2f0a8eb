// Messages between the service and its drawing processes. Plain data only: errors would lose their class and fields.
import type { RasterizeJob } from '../src/pictures/rasterizer.js';

/** The drawing process's only argument, as JSON. */
export interface RasterizerProcessOptions {
  /** File of the compiled `rasterize`. */
  readonly worker: string;
  /** Processor time that one job may take, ms. */
  readonly timeoutMs: number;
}

/** To the drawing process. One at a time: the next follows the reply. */
export type RasterizeTask = RasterizeJob;

/** Result of the pool's thread. */
export type RasterizeReply =
  { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly message: string };

/** From the drawing process. */
export type RasterizerMessage =
  /** Its thread is up. A job may be sent before, and starts now. */
  | { readonly kind: 'ready' }
  /** `cpuMs`: processor time that the whole process took for this job. */
  | { readonly kind: 'picture'; readonly bytes: Uint8Array; readonly cpuMs: number }
  | { readonly kind: 'rejected'; readonly message: string }
  /** The thread ended. The process has to be killed. */
  | { readonly kind: 'thread-lost'; readonly message: string }
  /** The job has used up its processor time. Its thread can't be stopped, so the process has to be killed. */
  | { readonly kind: 'timeout' };
