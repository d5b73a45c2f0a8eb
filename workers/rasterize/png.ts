// Encodes lossless PNG (W3C PNG, third edition) in this thread. Uses a palette for at most 256 colors, and otherwise
// RGBA.
// The settings for deflate come from measurements with a thousand drawings. Rows with palette indexes are mostly runs,
// so only runs are compressed (`Z_RLE`). RGBA rows compress better without a PNG filter.
import { constants, crc32, deflateSync } from 'node:zlib';
import { indexed, straightBytes, type Indexed, type Pixels } from '../pixels.js';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const INDEXED = 3;
const RGBA = 6;
/** Bytes of a chunk besides its data: length, type and checksum. */
const CHUNK_BYTES = 12;
type Chunk = readonly [type: string, data: Uint8Array];

export function encodePng(pixels: Pixels): Uint8Array<ArrayBuffer> {
  const few = indexed(pixels);
  return few ? indexedPng(pixels, few) : trueColorPng(pixels, straightBytes(pixels));
}

function indexedPng({ width, height }: Pixels, { palette, indices }: Indexed): Uint8Array<ArrayBuffer> {
  const bits = palette.length <= 2 ? 1 : palette.length <= 4 ? 2 : palette.length <= 16 ? 4 : 8;
  const rowBytes = 1 + Math.ceil((width * bits) / 8);
  const rows = unfilteredRows(rowBytes, height);
  for (let y = 0; y < height; y++) {
    const row = indices.subarray(y * width, (y + 1) * width);
    if (bits === 8) rows.set(row, y * rowBytes + 1);
    else packRow(row, bits, rows.fill(0, y * rowBytes + 1, (y + 1) * rowBytes).subarray(y * rowBytes + 1));
  }
  const rgb = new Uint8Array(palette.length * 3);
  const alpha = new Uint8Array(palette.length);
  palette.forEach((color, index) => {
    rgb[index * 3] = color;
    rgb[index * 3 + 1] = color >>> 8;
    rgb[index * 3 + 2] = color >>> 16;
    alpha[index] = color >>> 24;
  });
  const translucent = alpha.findLastIndex((value) => value < 255) + 1;
  const transparency: Chunk[] = translucent === 0 ? [] : [['tRNS', alpha.subarray(0, translucent)]];
  return file([
    ['IHDR', header(width, height, bits, INDEXED)],
    ['PLTE', rgb],
    ...transparency,
    ['IDAT', deflateSync(rows, { level: 1, strategy: constants.Z_RLE })],
  ]);
}

function packRow(row: Uint8Array, bits: number, into: Uint8Array): void {
  const perByte = 8 / bits;
  for (let x = 0; x < row.length; x++) {
    const shift = 8 - bits * (1 + (x % perByte));
    const at = Math.floor(x / perByte);
    into[at] = (into[at] ?? 0) | ((row[x] ?? 0) << shift);
  }
}

function trueColorPng({ width, height }: Pixels, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const rowBytes = 1 + width * 4;
  const rows = unfilteredRows(rowBytes, height);
  for (let y = 0; y < height; y++) rows.set(bytes.subarray(y * width * 4, (y + 1) * width * 4), y * rowBytes + 1);
  return file([
    ['IHDR', header(width, height, 8, RGBA)],
    ['IDAT', deflateSync(rows, { level: 3 })],
  ]);
}

/** Memory for rows, reused for the next picture. Reuse saves time, because new memory is first filled with zeros. */
let kept = new Uint8Array(0);
/** Maximum size of the reused memory, bytes. Larger pictures are rare. */
const MOST_KEPT_BYTES = 2 ** 20;

/** Returns memory for rows. Each row starts with filter type 0 (none). */
function unfilteredRows(rowBytes: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = rowBytes * height;
  if (bytes > MOST_KEPT_BYTES) return new Uint8Array(bytes);
  if (bytes > kept.length) kept = new Uint8Array(bytes);
  for (let y = 0; y < height; y++) kept[y * rowBytes] = 0;
  return kept.subarray(0, bytes);
}

function header(width: number, height: number, bits: number, colorType: number): Uint8Array {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  view.setUint8(8, bits);
  view.setUint8(9, colorType);
  return data;
}

/** Returns the PNG file in a new buffer, because only a separate buffer can be transferred to another thread. */
function file(chunks: readonly Chunk[]): Uint8Array<ArrayBuffer> {
  const all: Chunk[] = [...chunks, ['IEND', new Uint8Array(0)]];
  const bytes = new Uint8Array(all.reduce((sum, [, data]) => sum + CHUNK_BYTES + data.length, SIGNATURE.length));
  const view = new DataView(bytes.buffer);
  bytes.set(SIGNATURE);
  let at = SIGNATURE.length;
  for (const [type, data] of all) {
    view.setUint32(at, data.length);
    for (let index = 0; index < 4; index++) view.setUint8(at + 4 + index, type.charCodeAt(index));
    bytes.set(data, at + 8);
    view.setUint32(at + 8 + data.length, crc32(bytes.subarray(at + 4, at + 8 + data.length)));
    at += CHUNK_BYTES + data.length;
  }
  return bytes;
}
