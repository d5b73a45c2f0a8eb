// Plain data between the service and its drawing processes and threads: errors would lose their class and fields on the way.
import type { RasterizeJob } from '../src/ports/rasterizer.js';

export type RasterizeReply =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly code: 'unprocessable'; readonly message: string };

/** The drawing process's only argument, as JSON. */
export interface RasterizerProcessOptions {
  /** File of the compiled `rasterize`. */
  readonly worker: string;
  /** Processor time that one task may take, ms. */
  readonly timeoutMs: number;
}

/** Header of each message on the pipe: lengths in bytes of its fields, which are JSON, and of its content, little-endian. */
export const FRAME_HEADER_BYTES = 8;

/** Fields of a message to the drawing process; its content is the document. The next may come before the reply. */
export type RasterizeTaskFields = Omit<RasterizeJob, 'svg'>;

/** Fields of a message from the drawing process. */
export type RasterizeReplyFields =
  /** The thread is up; a task may come before, but begins only now. */
  | { readonly kind: 'ready' }
  /**
   * The content is the picture. `number`: of the task, the first is 1. `cpuMs`: processor time of the whole process for
   * this task.
   */
  | { readonly kind: 'picture'; readonly number: number; readonly cpuMs: number }
  | { readonly kind: 'rejected'; readonly number: number; readonly message: string };

/**
 * From the main thread of the drawing process, which then has to be killed. `number`: of the tasks that have begun, because the
 * reply may be on the pipe by now, and the next task with it.
 */
export type RasterizerMessage =
  /** The thread ended. */
  | { readonly kind: 'thread-lost'; readonly message: string; readonly number: number }
  /** The task has used up its processor time, and its thread cannot be stopped. */
  | { readonly kind: 'timeout'; readonly number: number };
