declare module 'wawoff2' {
  /** Unpacks WOFF2 to an OpenType font. */
  export function decompress(font: Uint8Array): Promise<Uint8Array>;
}
