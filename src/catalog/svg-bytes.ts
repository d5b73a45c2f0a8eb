// Decodes the bytes of an SVG file, within limits. Supports gzip (.svgz) and the encodings that browsers support.
import { gunzip } from 'node:zlib';
import type { DrawingRejectionCode, RejectedDrawing } from '../platform/drawing-rejections.js';

export interface DecodedSvg {
  /** Text of the file. Empty if the file is rejected. */
  readonly svg: string;
  readonly rejected?: RejectedDrawing;
}

/** Number of bytes at the start of a file in which the XML declaration is searched. */
const DECLARATION_BYTES = 1024;
const DECLARATION = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*(?:"([^"<>]{0,100})"|'([^'<>]{0,100})')/;
/** Byte order marks. Longer marks come first, because a shorter mark may be the beginning of a longer one. */
const MARKS = [
  ['utf-32', [0xff, 0xfe, 0, 0]],
  ['utf-32', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  // "<" in UTF-16 without a byte order mark.
  ['utf-16le', [0x3c, 0]],
  ['utf-16be', [0, 0x3c]],
] as const;

/** Decodes a file. Decompresses at most `maxBytes`, because the file may be a gzip bomb. */
export async function decodeSvg(bytes: Buffer, maxBytes: number): Promise<DecodedSvg> {
  if (!isGzip(bytes)) return decoded(bytes);
  try {
    return decoded(await unzipped(bytes, maxBytes));
  } catch (error) {
    const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isLarge
      ? rejected('too_large', `the file is larger than ${maxBytes.toLocaleString('en-US')} bytes when unzipped`)
      : rejected('bad_encoding', 'the gzip data of the file is damaged or incomplete');
  }
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function unzipped(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: maxBytes }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

function decoded(bytes: Buffer): DecodedSvg {
  const { label, isDeclared } = encodingOf(bytes);
  const decoder = decoderOf(label);
  if (decoder === undefined)
    return rejected('bad_encoding', `the encoding of the file is "${label}", which is not supported`, 1);
  try {
    return { svg: decoder.decode(bytes) };
  } catch {
    if (!isDeclared && !/^\s*</.test(bytes.toString('latin1', 0, DECLARATION_BYTES)))
      return rejected('not_svg', 'the file is binary');
    const why = isDeclared ? 'the encoding that the file declares' : 'the default encoding';
    return rejected('bad_encoding', `the file is not valid ${label}, ${why}`, lineOfError(bytes, label));
  }
}

function encodingOf(bytes: Buffer): { readonly label: string; readonly isDeclared: boolean } {
  const mark = MARKS.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
  if (mark) return { label: mark[0], isDeclared: true };
  const [, quoted, single] = DECLARATION.exec(bytes.toString('latin1', 0, DECLARATION_BYTES)) ?? [];
  const label = quoted ?? single;
  if (label === undefined) return { label: 'UTF-8', isDeclared: false };
  // If the declaration is readable as ASCII, the file cannot be UTF-16. If this declaration states UTF-16, browsers
  // therefore read the file as UTF-8.
  const isWide = decoderOf(label)?.encoding.startsWith('utf-16') === true;
  return { label: isWide ? 'UTF-8' : label, isDeclared: true };
}

/** Returns undefined if the encoding is unknown. */
function decoderOf(label: string) {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    return undefined;
  }
}

/** Returns the line of the first bytes that cannot be decoded, found by binary search. The first line is 1. */
function lineOfError(bytes: Buffer, label: string): number {
  let text = '';
  let [valid, invalid] = [0, bytes.length + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    try {
      text = new TextDecoder(label, { fatal: true }).decode(bytes.subarray(0, middle), { stream: true });
      valid = middle;
    } catch {
      invalid = middle;
    }
  }
  return text.split('\n').length;
}

function rejected(reason: DrawingRejectionCode, message: string, line?: number): DecodedSvg {
  return { svg: '', rejected: { ...{ ok: false, reason, message }, ...(line !== undefined && { line }) } };
}
