// Checks of JSON text in addition to the checks of `JSON.parse`: number of values, and duplicate names.
import { expect } from 'chai';
import { duplicateKeys, hasMoreValues } from '../../../../src/platform/http/request/json-text.js';

const NESTED = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;

describe('a JSON text', () => {
  for (const [json, values] of [
    ['{}', 2],
    ['{"a":[1,2,3]}', 5],
    ['{"a":",,,[[[{{{","b":"\\",,,\\\\"}', 3],
    ['{"a":"\\\\\\",[[["}', 2],
    ['{"a":"unended, [[[', 2],
  ] as const) {
    it(`has at most ${values} values: ${json}`, () => {
      expect(hasMoreValues(json, values)).to.equal(false);
      expect(hasMoreValues(json, values - 1)).to.equal(true);
    });
  }

  for (const [json, names] of [
    ['{"a":1,"b":2}', []],
    ['{"a":1,"b":2,"a" \n: 3,"b":4,"b":5}', ['a', 'b']],
    ['{"a":1,"\\u0061":2}', ['a']],
    ['{"\\"":1,"b\\\\":"a","\\"":2}', ['"']],
    ['{"a":"a","b":["a","a"],"c":"\\"a\\":1,"}', []],
    ['{"a":{"b":1,"b":2},"c":[{"a":1}]}', []],
    ['["a","a"]', []],
    ['"a"', []],
    [`{"a":${NESTED},"a":1}`, ['a']],
    [`{"a":"${'\\"'.repeat(30_000)}","a":1}`, ['a']],
  ] as const) {
    it(`has the repeated names [${names.join()}]: ${json.slice(0, 60)}`, () =>
      expect(duplicateKeys(json)).to.deep.equal(names));
  }
});
