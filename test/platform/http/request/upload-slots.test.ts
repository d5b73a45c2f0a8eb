// Slots of concurrent uploads, by route and by account.
import { expect } from 'chai';
import { UploadSlots } from '../../../../src/platform/http/request/upload-slots.js';

describe('upload slots', () => {
  it('are limited per account and in total, and released', () => {
    const slots = new UploadSlots({ all: 3, ofOwner: 2 });
    const busy = (owner: string) => {
      for (const ask of [() => slots.take(owner), () => slots.assertFree(owner)])
        expect(ask).to.throw().with.property('code', 'busy');
    };
    const [first] = [slots.take('a'), slots.take('a')] as const;
    busy('a');
    slots.assertFree('b');
    slots.assertFree('b');
    slots.take('b');
    busy('c');
    first();
    slots.take('c');
    busy('a');
  });
});
