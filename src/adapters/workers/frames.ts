// Messages on a byte pipe: fields as JSON and content as bytes, after the lengths of both.
// Not as `node:v8` serializes values: each of its serializers keeps what it has written until a full garbage collection.

/** Two lengths, little-endian: `FRAME_HEADER_BYTES` of the drawing process. */
const HEADER_BYTES = 8;
const CONTENT_LENGTH_AT = 4;
/** The pixels of the largest picture, 4096 by 4096, are half of it. What lies on the other side of the pipe reads foreign drawings. */
const MAX_FRAME_BYTES = 2 ** 27;
const MAX_FIELDS_BYTES = 2 ** 16;

export function frameOf(fields: object, content: string): Buffer {
  const json = JSON.stringify(fields);
  const [fieldsLength, contentLength] = [Buffer.byteLength(json), Buffer.byteLength(content)];
  const frame = Buffer.allocUnsafe(HEADER_BYTES + fieldsLength + contentLength);
  frame.writeUInt32LE(fieldsLength, 0);
  frame.writeUInt32LE(contentLength, CONTENT_LENGTH_AT);
  frame.write(json, HEADER_BYTES);
  frame.write(content, HEADER_BYTES + fieldsLength);
  return frame;
}

interface FrameListener {
  readonly onFrame: (fields: unknown, content: Buffer) => void;
  /** Called once, for a message that is too long or whose fields are no JSON. Nothing is read after it. */
  readonly onMalformed: () => void;
}

/** Returns the function to call with each chunk of bytes. */
export function createFrameReader({ onFrame, onMalformed }: FrameListener): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  /** Bytes of the frame under way; undefined until its lengths have arrived. */
  let wanted: number | undefined;
  let malformed = false;

  return (chunk) => {
    if (malformed) return;
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes >= (wanted ?? HEADER_BYTES)) {
      const [first] = chunks;
      const all = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
      chunks = [all];
      const fieldsEnd = HEADER_BYTES + all.readUInt32LE(0);
      wanted ??= fieldsEnd + all.readUInt32LE(CONTENT_LENGTH_AT);
      const isTooLong = wanted > MAX_FRAME_BYTES || fieldsEnd > HEADER_BYTES + MAX_FIELDS_BYTES;
      if (bytes < wanted && !isTooLong) return;
      const fields = isTooLong ? undefined : fieldsIn(all.subarray(HEADER_BYTES, fieldsEnd));
      if (fields === undefined) {
        malformed = true;
        chunks = [];
        onMalformed();
        return;
      }
      // In memory of its own, because it may be kept.
      const content = Buffer.allocUnsafeSlow(wanted - fieldsEnd);
      all.copy(content, 0, fieldsEnd, wanted);
      chunks = bytes > wanted ? [all.subarray(wanted)] : [];
      bytes -= wanted;
      wanted = undefined;
      onFrame(fields, content);
    }
  };
}

/** Undefined: no JSON. */
function fieldsIn(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString()) as unknown;
  } catch {
    return undefined;
  }
}
