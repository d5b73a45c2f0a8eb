// Writes a stream of bits, least significant bit first, like VP8L and deflate.

export const MAX_PUT_BITS = 24;

export interface BitWriter {
  /** Writes the lowest `count` bits of `value`. `count` is at most MAX_PUT_BITS. */
  put(value: number, count: number): void;
  /** Returns all bits, padded with zeros to a whole byte. */
  bytes(): Uint8Array;
}

export function bitWriter(expectedBytes: number): BitWriter {
  let buffer = new Uint8Array(Math.max(64, expectedBytes));
  let length = 0;
  let pending = 0;
  let pendingBits = 0;

  function grow(): void {
    const larger = new Uint8Array(buffer.length * 2);
    larger.set(buffer);
    buffer = larger;
  }

  return {
    put(value, count) {
      let bits = pending | (value << pendingBits);
      let left = pendingBits + count;
      if (length + 3 > buffer.length) grow();
      for (; left >= 8; left -= 8) {
        buffer[length++] = bits;
        bits >>>= 8;
      }
      pending = bits;
      pendingBits = left;
    },
    bytes() {
      if (pendingBits === 0) return buffer.subarray(0, length);
      if (length === buffer.length) grow();
      buffer[length] = pending;
      return buffer.subarray(0, length + 1);
    },
  };
}
