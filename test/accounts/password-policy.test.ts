// Password policy.
import { expect } from 'chai';
import { readCommonPasswords } from '../../config/passwords.js';
import { canonicalPassword, passwordFault } from '../../src/accounts/password-policy.js';
import { createBlocklist } from '../../src/accounts/new-password.js';

describe('password', () => {
  const isCommon = createBlocklist(`${readCommonPasswords()}\nacme of springfield`);
  const fault = (password: string, email = 'ada@example.com') =>
    passwordFault(canonicalPassword(password), { email, minCharacters: 12, isCommon });

  it('needs 12 to 256 code points', () => {
    expect(fault('elevenchars')).to.equal('too short: 11 characters');
    expect(fault('🔑'.repeat(11) + 'x')).to.equal(undefined);
    expect(fault('ab'.repeat(128))).to.equal(undefined);
    expect(fault('ab'.repeat(128) + 'c')).to.equal('too long: 257 characters');
  });

  it('rejects common passwords in any case, spacing and punctuation, and one repeated character', () => {
    for (const password of [
      'QWERTY123456',
      'password1234',
      '123123123123',
      'LetMeInLetMeIn',
      'iloveyou1234',
      'Acme of Springfield',
      'acmeofspringfield',
      'pass-word.1234',
      'q w e r t y u i o p',
      'correct horse battery staple',
      'CorrectHorseBatteryStaple!',
      'correct-horse-battery-staple',
      'May the Force be with you.',
    ]) {
      expect(fault(password), password).to.equal('is on the list of common passwords');
    }
    expect(fault('aaaaaaaaaaaaaaaa')).to.equal('is one repeated character');
  });

  it('rejects variations of the e-mail address or the name of the product', () => {
    const email = 'Ada.Lovelace+icons@mail.example.com';
    for (const password of [
      'ada.lovelace+icons@mail.example.com',
      'ADA.LOVELACE+ICONS',
      'ada lovelace icons',
      'adalovelaceadalovelace',
      'Ada-Lovelace-1815!',
      'lovelace@example',
      'blazonblazon',
      'Blazon Blazon',
      'blazon_BLAZON_2026',
      'example-blazon',
    ]) {
      expect(fault(password, email), password).to.equal(
        'contains little more than the e-mail address or the name Blazon',
      );
    }
    for (const password of ['blazon of my cat', 'lovelace met babbage', 'an example of reason', 'exa mple com 98765']) {
      expect(fault(password, email), password).to.equal(undefined);
    }
    // The whole e-mail address is rejected as a password, even if each label of its host is short.
    for (const own of ['info@db.ac.uk', 'maria@x1.y2.co.jp'])
      expect(fault(own.toUpperCase(), own), own).to.equal(
        'contains little more than the e-mail address or the name Blazon',
      );
    for (const [own, password] of [
      ['Info@DB.ac.uk', 'info@db.ac.uk'],
      ["!#$%&'*+-/=?^@example.com", "!#$%&'*+-/=?^"],
      ['x@ada.adams.org', 'Adams-Adams-1815'],
    ] as const)
      expect(fault(password, own), own).to.equal('contains little more than the e-mail address or the name Blazon');
    // A password may contain parts of the e-mail address that have only one or two letters.
    expect(fault('a b c d e f g h i k', 'a.b@c.de')).to.equal(undefined);
    expect(fault('!!!!!!??????', email)).to.equal(undefined);
  });

  it('compares with each line of the blocklist, not with two lines together', () => {
    const isListed = createBlocklist('first pass phrase\nsecond pass phrase');
    for (const listed of ['first pass phrase', 'firstpassphrase', 'second pass phrase', 'secondpassphrase'])
      expect(isListed(listed), listed).to.equal(true);
    for (const other of ['first pass', 'pass phrase', 'first pass phrase\nsecond pass phrase', '\n', ''])
      expect(isListed(other), other).to.equal(false);
  });

  it('requires no symbols or digits', () => {
    expect(fault('correct donkey battery staple')).to.equal(undefined);
  });

  it('is the same in composed and decomposed Unicode', () => {
    expect(canonicalPassword('Crème brûlée!')).to.equal(canonicalPassword('Crème brûlée!'));
  });
});
