// Password policy.
import { expect } from 'chai';
import { readCommonPasswords } from '../../../../config/passwords.js';
import { createCommonPasswords } from '../../../../src/adapters/passwords/common-passwords.js';
import { canonicalPassword, passwordFault } from '../../../../src/domain/account/password-policy.js';

describe('password', () => {
  const common = createCommonPasswords({
    minCharacters: 12,
    listed: [...readCommonPasswords(), 'acme of springfield'],
  });
  const fault = (password: string, email = 'ada@example.com') =>
    passwordFault(canonicalPassword(password), { email, minCharacters: 12, isCommon: (each) => common.has(each) });

  it('needs 12 to 256 code points', () => {
    expect(fault('elevenchars')).to.equal('too short: 11 characters');
    expect(fault('🔑'.repeat(11) + 'x')).to.equal(undefined);
    expect(fault('ab'.repeat(128))).to.equal(undefined);
    expect(fault('ab'.repeat(128) + 'c')).to.equal('too long: 257 characters');
  });

  it('rejects common passwords in any case, the e-mail address and its local part, and one repeated character', () => {
    for (const password of [
      'QWERTY123456',
      'password1234',
      '123123123123',
      'LetMeInLetMeIn',
      'iloveyou1234',
      'Acme of Springfield',
    ]) {
      expect(fault(password), password).to.equal('on the list of common passwords');
    }
    expect(fault('Ada.Lovelace1815', 'ada.lovelace1815@example.com')).to.match(/e-mail/);
    expect(fault('ada.long@example.com', 'ada.long@example.com')).to.match(/e-mail/);
    expect(fault('aaaaaaaaaaaaaaaa')).to.equal('one character repeated');
  });

  it('requires no symbols or digits', () => {
    expect(fault('correct horse battery staple')).to.equal(undefined);
  });

  it('is the same in composed and decomposed Unicode', () => {
    expect(canonicalPassword('Crème brûlée!')).to.equal(canonicalPassword('Crème brûlée!'));
  });
});
