// Durations in words.
import { expect } from 'chai';
import { inWords } from '../../src/platform/time.js';

describe('inWords', () => {
  for (const [seconds, words] of [
    [0, '1 second'],
    [1, '1 second'],
    [59, '59 seconds'],
    [119.5, '120 seconds'],
    [120, '2 minutes'],
    [121, '3 minutes'],
    [900, '15 minutes'],
    [3660, '61 minutes'],
    [7200, '2 hours'],
    [86_399, '24 hours'],
  ] as const) {
    it(`calls ${seconds} s ${words}`, () => {
      expect(inWords(seconds * 1000)).to.equal(words);
    });
  }
});
