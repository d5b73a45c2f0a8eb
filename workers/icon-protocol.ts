// Messages between the service and its icon process: plain data only.

/** Sent to the process, one at a time. */
export interface DecodeIcon {
  /** PNG, JPEG, WebP, AVIF, GIF or ICO, from an untrusted site. */
  readonly bytes: Uint8Array;
  /** Larger icons are made smaller, px. */
  readonly maxSide: number;
}

export interface IconLevel {
  readonly width: number;
  readonly height: number;
  readonly png: Uint8Array;
}

export type DecodedIcon =
  /** The icon, and smaller copies of half the size each, largest first. */
  | { readonly ok: true; readonly levels: readonly IconLevel[] }
  | { readonly ok: false; readonly reason: 'undecodable' | 'blank' };
