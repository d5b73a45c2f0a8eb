// Messages between the service and its icon process: plain data only.

/** Sent to the process, one at a time. */
export interface DecodeIcon {
  /** PNG, JPEG, WebP, AVIF, GIF or ICO, from an untrusted site. */
  readonly bytes: Uint8Array;
  /** Maximum side of the decoded icon, px. Larger icons are scaled down. */
  readonly maxSide: number;
}

export interface IconLevel {
  readonly width: number;
  readonly height: number;
  readonly png: Uint8Array;
}

export type DecodedIcon =
  /** The icon, followed by smaller copies. Each copy has half the size of the one before. */
  | { readonly ok: true; readonly levels: readonly IconLevel[] }
  | { readonly ok: false; readonly reason: 'undecodable' | 'blank' };
