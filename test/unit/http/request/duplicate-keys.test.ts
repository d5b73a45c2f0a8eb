// Names that stand twice in a JSON object.
import { expect } from 'chai';
import { duplicateKeys } from '../../../../src/http/request/duplicate-keys.js';

describe('repeated fields', () => {
  for (const [json, names] of [
    ['{"a":1,"b":2}', []],
    ['{"a":1,"b":2,"a" \n: 3,"b":4,"b":5}', ['a', 'b']],
    ['{"a":1,"\\u0061":2}', ['a']],
    ['{"\\"":1,"b\\\\":"a","\\"":2}', ['"']],
    ['{"a":"a","b":["a","a"],"c":"\\"a\\":1,"}', []],
    ['{"a":{"b":1,"b":2},"c":[{"a":1}]}', []],
    ['["a","a"]', []],
    ['"a"', []],
    [`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)},"a":1}`, ['a']],
    [`{"a":"${'\\"'.repeat(30_000)}","a":1}`, ['a']],
  ] as const) {
    it(json.slice(0, 60), () => expect(duplicateKeys(json)).to.deep.equal(names));
  }
});
