// Pictures to rasterize, the clients that requested them, and the outcomes.
import type { PictureSize } from './picture-cost.js';
import type { RasterizeJob } from './rasterizer.js';

export type { WaitingClient as PictureClient } from '../platform/reader.js';

/** SVG is text; the other formats are bytes. */
export type PictureBody = string | Uint8Array;

export interface FailedPicture {
  readonly ok: false;
  readonly code: 'unprocessable' | 'busy';
  readonly message: string;
  /** True if the request counts although it failed, because it took processor time. */
  readonly counts: boolean;
}

export type PictureOutcome = { readonly ok: true; readonly body: PictureBody } | FailedPicture;

export interface RasterizeRequest {
  /** Equal for equal pictures. */
  readonly key: string;
  /** True for own brands. They are never stored on disk, where they would outlive their account. */
  readonly isPrivate: boolean;
  /** Identifies the drawing. Equal for equal text. */
  readonly drawing: string;
  readonly size: PictureSize;
  readonly encoding: Pick<RasterizeJob, 'quality' | 'format'>;
  /** Reads the drawing for the estimate. */
  readonly read: () => Promise<string> | string;
  /** Composes the picture when a process is free. */
  readonly job: () => Promise<RasterizeJob> | RasterizeJob;
}
