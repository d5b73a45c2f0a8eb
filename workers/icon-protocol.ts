// Messages between the service and its process that decodes icons. They contain plain data only.

/** Request to the process. The service sends one at a time. */
export interface DecodeIcon {
  /** File from an untrusted website: PNG, JPEG, WebP, AVIF, GIF or ICO. */
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
  /** The icon and smaller copies. Each copy has half the size of the previous one. */
  | { readonly ok: true; readonly levels: readonly IconLevel[] }
  | { readonly ok: false; readonly reason: 'undecodable' | 'blank' };
