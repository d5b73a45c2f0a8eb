// Finds the largest frame of an ICO file. Other frames are not decoded, because an attacker's file may refer to the
// same pixels many times.

const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;
/** Maximum number of frames that are read. Real files have at most 12. */
const MAX_FRAMES = 64;

interface Frame {
  /** Offset of the frame's directory entry in the file, bytes. */
  readonly entry: number;
  readonly side: number;
  readonly bits: number;
}

export function isIco(bytes: Buffer): boolean {
  return bytes.length > HEADER_BYTES + ENTRY_BYTES && bytes.readUInt32BE(0) === 0x00000100;
}

/**
 * Returns an ICO file with only the largest frame. If several frames have this size, keeps the frame with the most bits
 * per pixel.
 */
export function largestFrame(bytes: Buffer): Buffer {
  const count = Math.min(bytes.readUInt16LE(4), MAX_FRAMES, Math.floor((bytes.length - HEADER_BYTES) / ENTRY_BYTES));
  const frames = Array.from({ length: count }, (_, at): Frame => {
    const entry = HEADER_BYTES + at * ENTRY_BYTES;
    // In an ICO file, the value 0 means a side of 256 px.
    return { entry, side: (bytes[entry] ?? 0) || 256, bits: bytes.readUInt16LE(entry + 6) };
  });
  const [largest] = frames.sort((one, other) => other.side - one.side || other.bits - one.bits);
  if (!largest) throw new Error('the file has no frame');
  const { entry } = largest;
  const [size, offset] = [bytes.readUInt32LE(entry + 8), bytes.readUInt32LE(entry + 12)];
  const head = Buffer.from(bytes.subarray(0, HEADER_BYTES));
  head.writeUInt16LE(1, 4);
  const directory = Buffer.from(bytes.subarray(entry, entry + ENTRY_BYTES));
  directory.writeUInt32LE(HEADER_BYTES + ENTRY_BYTES, 12);
  return Buffer.concat([head, directory, bytes.subarray(offset, offset + size)]);
}
