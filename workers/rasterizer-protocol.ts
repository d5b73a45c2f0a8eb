// Messages between the service and its rasterizer processes. They are plain data, because an error object would lose
// its class and fields when it is sent.
import type { RasterizeJob } from '../src/pictures/rasterizer.js';

/** Options of a rasterizer process. They are its only command-line argument, as JSON. */
export interface RasterizerProcessOptions {
  /** URL of the compiled module `rasterize`. */
  readonly worker: string;
  /** Maximum processor time of one job, ms. */
  readonly timeoutMs: number;
}

/** Message to the rasterizer process. The service sends the next one after the reply. */
export type RasterizeTask = RasterizeJob;

/** Result of a job, which the thread sends to its rasterizer process. */
export type RasterizeReply =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly message: string };

export type RasterizerMessage =
  /** The thread has started. A job that was already sent starts now. */
  | { readonly kind: 'ready' }
  /** The picture is drawn. `cpuMs` is the processor time that the process used for this job. */
  | { readonly kind: 'picture'; readonly bytes: Uint8Array; readonly cpuMs: number }
  | { readonly kind: 'rejected'; readonly message: string }
  /** The thread has ended. The process must be killed. */
  | { readonly kind: 'thread-lost'; readonly message: string }
  /** The job has exceeded its processor time. The thread can't be stopped, so the process must be killed. */
  | { readonly kind: 'timeout' };
