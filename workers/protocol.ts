// What crosses the boundaries of threads and processes: plain data, because errors lose their class and fields on the way.

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
  readonly threads: number;
  /** Counted from when a thread begins the task. */
  readonly timeoutMs: number;
}

export interface RasterHostTask {
  readonly id: number;
  readonly task: RasterTask;
}

export type RasterHostMessage =
  /** The threads are up; tasks may come before, but are begun only now. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'reply'; readonly id: number; readonly reply: RasterReply }
  /** The thread ended over it; another took its place. */
  | { readonly kind: 'thread-lost'; readonly id: number; readonly message: string }
  /** Its time is over and its thread cannot be trusted to stop: this process has to be killed. */
  | { readonly kind: 'hangs'; readonly id: number };
