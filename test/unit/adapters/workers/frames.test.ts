// Messages on a byte pipe, in whatever pieces they arrive.
import { expect } from 'chai';
import fc from 'fast-check';
import { createFrameReader, frameOf } from '../../../../src/adapters/workers/frames.js';

type OnFrame = Parameters<typeof createFrameReader>[0]['onFrame'];

const reader = (onFrame: OnFrame) =>
  createFrameReader({
    onFrame,
    onMalformed: () => {
      throw new Error('malformed');
    },
  });

/** A header with these lengths, and what follows. */
function rawFrame(lengths: readonly [fields: number, content: number], rest: string): Buffer {
  const header = Buffer.alloc(8);
  lengths.forEach((length, index) => header.writeUInt32LE(length, 4 * index));
  return Buffer.concat([header, Buffer.from(rest)]);
}

describe('frames', () => {
  for (const [what, malformed] of [
    ['too long', rawFrame([20, 2 ** 27], 'x')],
    ['with fields that are too long', rawFrame([2 ** 16 + 1, 0], `"${'x'.repeat(2 ** 16 - 1)}"`)],
    ['whose fields are no JSON', rawFrame([3, 0], '{"a')],
  ] as const)
    it(`end the reading at one that is ${what}`, () => {
      const frames: unknown[] = [];
      let reports = 0;
      const read = createFrameReader({ onFrame: (fields) => frames.push(fields), onMalformed: () => reports++ });
      read(frameOf({ at: 1 }, 'a'));
      for (let time = 0; time < 3; time++) read(malformed);
      read(frameOf({ at: 2 }, 'b'));
      expect({ frames, reports }).to.deep.equal({ frames: [{ at: 1 }], reports: 1 });
    });

  it('give bytes that hold on to no other memory', () => {
    const received: Buffer[] = [];
    const read = reader((_fields, content) => received.push(content));
    const frame = frameOf({ kind: 'picture' }, 'x'.repeat(300));
    read(frame);
    read(frame.subarray(0, 50));
    read(Buffer.concat([frame.subarray(50), frame]));
    expect(received).to.have.length(3);
    for (const content of received) expect(content.buffer.byteLength).to.equal(300);
  });

  it('arrive whole and in order, however they are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ fields: fc.record({ text: fc.string() }), content: fc.string({ unit: 'grapheme' }) }), {
          maxLength: 6,
        }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        (values, cuts) => {
          const received: unknown[] = [];
          const read = reader((fields, content) => received.push({ fields, content: String(content) }));
          const stream = Buffer.concat(values.map(({ fields, content }) => frameOf(fields, content)));
          for (let at = 0, cut = 0; at < stream.length; cut++) {
            const length = cuts[cut % cuts.length] ?? 1;
            read(stream.subarray(at, at + length));
            at += length;
          }
          expect(received).to.deep.equal(values);
        },
      ),
    );
  });
});
