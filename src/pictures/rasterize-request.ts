// Requests for rasterized pictures, and their outcomes.
import type { PictureSize } from './picture-cost.js';
import type { RasterizeJob } from './rasterizer.js';

export type { WaitingClient as PictureClient } from '../platform/reader.js';

/** Body of a picture: text for SVG, bytes for the other formats. */
export type PictureBody = string | Uint8Array;

export interface FailedPicture {
  readonly ok: false;
  readonly code: 'unprocessable' | 'busy';
  readonly message: string;
  /** True if the request counts against the quota although it failed, because it took processor time. */
  readonly counts: boolean;
}

export type PictureOutcome = { readonly ok: true; readonly body: PictureBody } | FailedPicture;

export interface RasterizeRequest {
  /** Cache key. Equal pictures have equal keys. */
  readonly key: string;
  /** True for own brands. They are never stored on disk, where they would outlive their account. */
  readonly isPrivate: boolean;
  /** Id of the drawing. Drawings with equal text have equal ids. */
  readonly drawing: string;
  readonly size: PictureSize;
  readonly encoding: Pick<RasterizeJob, 'quality' | 'format'>;
  /** Reads the drawing for the estimate. */
  readonly read: () => Promise<string> | string;
  /** Composes the job of the drawing process. Called when a process is free. */
  readonly job: () => Promise<RasterizeJob> | RasterizeJob;
}
