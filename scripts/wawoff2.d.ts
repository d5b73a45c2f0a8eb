// Types of the package wawoff2, which has no types of its own.
declare module 'wawoff2' {
  /** Unpacks WOFF2 to an OpenType font. */
  export function decompress(font: Uint8Array): Promise<Uint8Array>;
}
