// Plain data that crosses the boundaries of threads and processes, because errors lose their class and fields on the
// way.

export interface RasterTask {
  /** A complete document with `width` and `height`. */
  readonly svg: string;
  /** Whether its colors become grey after it is drawn. */
  readonly greyscale?: boolean;
  /** Pixels of the result. */
  readonly width: number;
  readonly height: number;
  readonly format: 'png' | 'webp';
  /** WebP: 1..100, null is lossless. */
  readonly quality: number | null;
}

export type RasterReply =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly code: 'unprocessable'; readonly message: string };

/** The drawing process's only argument, as JSON. */
export interface RasterHostOptions {
  /** File of the compiled renderer. */
  readonly worker: string;
  /** Processor time that one task may take, ms. */
  readonly timeoutMs: number;
}

/** Header of each message on the pipe: lengths in bytes of its fields, which are JSON, and of its content, little-endian. */
export const FRAME_HEADER_BYTES = 8;

/** Fields of a message to the drawing process; its content is the document. The next may come before the reply. */
export type RasterTaskFields = Omit<RasterTask, 'svg'>;

/** Fields of a message from the drawing process. */
export type RasterReplyFields =
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
export type RasterHostMessage =
  /** The thread ended. */
  | { readonly kind: 'thread-lost'; readonly message: string; readonly number: number }
  /** The task has used up its processor time, and its thread cannot be stopped. */
  | { readonly kind: 'timeout'; readonly number: number };
