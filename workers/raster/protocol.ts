// Plain data that crosses the boundaries of threads and processes, because errors lose their class and fields on the
// way.

export interface RasterTask {
  /** A complete document with `width` and `height`. */
  readonly svg: string;
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
  /** File of the compiled thread entry. */
  readonly worker: string;
  /** Processor time that one task may take, ms. */
  readonly timeoutMs: number;
}

/** A drawing process has one task at a time. */
export type RasterHostMessage =
  /** The thread is up; a task may come before, but begins only now. */
  | { readonly kind: 'ready' }
  /** `cpuMs`: processor time of the whole process for this task. */
  | { readonly kind: 'reply'; readonly reply: RasterReply; readonly cpuMs: number }
  /** The thread ended over the task; another took its place. */
  | { readonly kind: 'thread-lost'; readonly message: string }
  /** The task has used up its processor time, and its thread cannot be stopped: this process has to be killed. */
  | { readonly kind: 'timeout' };
