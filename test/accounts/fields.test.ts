// Text fields of request bodies: characters that cannot be stored, and maximum lengths.
import { expect } from 'chai';
import { currentPassword, linkTokenField, registrationToken, text } from '../../src/accounts/fields.routes.js';

describe('a text field', () => {
  it('accepts any characters except NUL and unpaired surrogates', () => {
    for (const good of ['', 'a\tb\n', 'Ünï', '\u{1F511}']) expect(text.safeParse(good).success, good).to.equal(true);
    for (const bad of ['a\0b', '\ud83d', '\udd11\ud83d'])
      expect(text.safeParse(bad).error?.issues[0]?.message).to.equal('has a character that cannot be stored');
  });

  it('has a maximum length', () => {
    for (const [field, most] of [
      [currentPassword, 1024],
      [linkTokenField, 256],
      [registrationToken, 2048],
    ] as const) {
      expect(field.safeParse('x'.repeat(most)).success).to.equal(true);
      expect(field.safeParse('x'.repeat(most + 1)).error?.issues[0]?.message).to.equal('too long');
    }
  });
});
