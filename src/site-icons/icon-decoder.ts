// Decoder of untrusted bitmaps. It runs outside the event loop.

export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly png: Uint8Array;
}

export interface IconDecoder {
  /**
   * Returns the icon and smaller copies. Each copy has half the size of the previous one. Returns undefined if the
   * bytes are no bitmap, or if the bitmap is blank or of one color.
   */
  decode(bytes: Uint8Array, maxSide: number): Promise<readonly [Bitmap, ...Bitmap[]] | undefined>;
  close(): Promise<void>;
}
