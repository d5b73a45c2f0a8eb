// Types of wawoff2, which has none.
declare module 'wawoff2' {
  /** An OpenType font from WOFF2. */
  export function decompress(font: Uint8Array): Promise<Uint8Array>;
}
