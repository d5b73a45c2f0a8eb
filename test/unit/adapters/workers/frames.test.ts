// Messages on a byte pipe, in whatever pieces they arrive.
import { expect } from 'chai';
import fc from 'fast-check';
import { createFrameReader, frameOf } from '../../../../src/adapters/workers/frames.js';

describe('frames', () => {
  it('give bytes that hold on to no other memory', () => {
    const received: { readonly bytes: Uint8Array }[] = [];
    const read = createFrameReader((value) => received.push(value as { readonly bytes: Uint8Array }));
    const frame = frameOf({ bytes: new Uint8Array(300) });
    read(frame);
    read(frame.subarray(0, 50));
    read(Buffer.concat([frame.subarray(50), frame]));
    expect(received).to.have.length(3);
    for (const { bytes } of received) expect(bytes.buffer.byteLength).to.be.below(400);
  });

  it('arrive whole and in order, however they are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ text: fc.string(), bytes: fc.uint8Array({ maxLength: 300 }) }), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        (values, cuts) => {
          const received: unknown[] = [];
          const read = createFrameReader((value) => received.push(value));
          const stream = Buffer.concat(values.map(frameOf));
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
