// ICO files: a directory and PNG files. All browsers, and Windows Vista and later, read this form.

export interface IcoPicture {
  /** Width and height, 1..256 px. */
  readonly side: number;
  readonly png: Uint8Array;
}

const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;
const ICON_TYPE = 1;
/** A side of 256 px is written as 0 (Microsoft, "Icons", ICONDIRENTRY). */
const FULL_SIDE = 256;

/** Returns an ICO file. The smallest picture is first, because readers use the first picture that is large enough. */
export function icoFile(pictures: readonly IcoPicture[]): Uint8Array {
  const sorted = [...pictures].sort((one, other) => one.side - other.side);
  const directory = new DataView(new ArrayBuffer(HEADER_BYTES + ENTRY_BYTES * sorted.length));
  directory.setUint16(2, ICON_TYPE, true);
  directory.setUint16(4, sorted.length, true);
  let offset = directory.byteLength;
  for (const [index, { side, png }] of sorted.entries()) {
    const at = HEADER_BYTES + ENTRY_BYTES * index;
    directory.setUint8(at, side % FULL_SIDE);
    directory.setUint8(at + 1, side % FULL_SIDE);
    // Color planes and bits per pixel. Readers ignore these fields and use the values of the PNG.
    directory.setUint16(at + 4, 1, true);
    directory.setUint16(at + 6, 32, true);
    directory.setUint32(at + 8, png.length, true);
    directory.setUint32(at + 12, offset, true);
    offset += png.length;
  }
  return Buffer.concat([new Uint8Array(directory.buffer), ...sorted.map(({ png }) => png)]);
}
