// Messages on a byte pipe: each a length and a value as `node:v8` serializes it.
import { deserialize, serialize } from 'node:v8';

/** Of the length, little-endian: `FRAME_HEADER_BYTES` of the drawing process. */
const HEADER_BYTES = 4;

export function frameOf(value: object): Buffer {
  const body = serialize(value);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + body.length);
  frame.writeUInt32LE(body.length, 0);
  frame.set(body, HEADER_BYTES);
  return frame;
}

/** What to call with each chunk of bytes. */
export function createFrameReader(onValue: (value: unknown) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  /** Of the frame under way; undefined until its length has arrived. */
  let wanted: number | undefined;

  return (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes >= (wanted ?? HEADER_BYTES)) {
      const [first] = chunks;
      const all = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
      wanted ??= HEADER_BYTES + all.readUInt32LE(0);
      chunks = [all];
      if (bytes < wanted) return;
      // In memory of its own, because byte arrays in the value are views of it and may be kept.
      const body = Buffer.allocUnsafeSlow(wanted - HEADER_BYTES);
      all.copy(body, 0, HEADER_BYTES, wanted);
      chunks = bytes > wanted ? [all.subarray(wanted)] : [];
      bytes -= wanted;
      onValue(deserialize(body));
      wanted = undefined;
    }
  };
}
