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
  /** True if a failed request counts against the quota, because it took processor time. */
  readonly counts: boolean;
}

export type PictureOutcome = { readonly ok: true; readonly body: PictureBody } | FailedPicture;

export interface RasterizeRequest {
  /** Cache key. Equal pictures have equal keys. */
  readonly key: string;
  /**
   * True for own brands. Their pictures are never stored on disk, because they would remain there after the account is
   * deleted.
   */
  readonly isPrivate: boolean;
  /** Id of the drawing. Drawings with equal text have equal ids. */
  readonly drawing: string;
  readonly size: PictureSize;
  readonly encoding: Pick<RasterizeJob, 'quality' | 'format'>;
  /** Reads the drawing, to estimate its processor time. */
  readonly read: () => Promise<string> | string;
  /** Composes the job for the drawing process. Called when a process is free. */
  readonly job: () => Promise<RasterizeJob> | RasterizeJob;
}
