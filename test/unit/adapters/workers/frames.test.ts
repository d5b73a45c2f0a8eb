// Messages on a byte pipe, in whatever pieces they arrive.
import { expect } from 'chai';
import fc from 'fast-check';
import { createFrameReader, frameOf } from '../../../../src/adapters/workers/frames.js';

describe('frames', () => {
  it('give bytes that hold on to no other memory', () => {
    const received: Buffer[] = [];
    const read = createFrameReader((_fields, content) => received.push(content));
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
          const read = createFrameReader((fields, content) => received.push({ fields, content: String(content) }));
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
