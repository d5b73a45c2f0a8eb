// Number of values in a JSON text, before it is parsed.
import { expect } from 'chai';
import { hasMoreValues } from '../../../../src/http/request/json-size.js';

describe('number of JSON values', () => {
  for (const [json, values] of [
    ['{}', 2],
    ['{"a":[1,2,3]}', 5],
    ['{"a":",,,[[[{{{","b":"\\",,,\\\\"}', 3],
    ['{"a":"\\\\\\",[[["}', 2],
  ] as const) {
    it(`finds at most ${values} in ${json}`, () => {
      expect(hasMoreValues(json, values)).to.equal(false);
      expect(hasMoreValues(json, values - 1)).to.equal(true);
    });
  }

  it('stops reading at the bound, however much follows', () => {
    let read = 0;
    const text = new Proxy(new String('['.repeat(60_000)), {
      get(target, name) {
        if (name === 'length') return target.length;
        return (at: number) => {
          read = Math.max(read, at);
          return target.charCodeAt(at);
        };
      },
    });
    expect(hasMoreValues(text as string, 1000)).to.equal(true);
    expect(read).to.be.below(1001);
  });
});
