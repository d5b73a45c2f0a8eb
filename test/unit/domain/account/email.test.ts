// E-mail address validation of the commands and the API.
import { expect } from 'chai';
import { parseEmail } from '../../../../src/domain/account/email.js';
import { email } from '../../../../src/http/routes/accounts/fields.js';

const reasonOf = (text: string) => email.safeParse(text).error?.issues[0]?.message;
const LONG = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}`;

describe('an e-mail address', () => {
  it('is validated alike by the commands and the API', () => {
    for (const text of ['ada@example.com', '  ada@example.com\n', 'ADA+tag@Example.co.uk', `${LONG}.org`]) {
      expect(parseEmail(text), text).to.equal(text.trim());
      expect(email.parse(text), text).to.equal(text.trim());
    }
    for (const text of [
      '',
      'ada',
      '@example.com',
      'ada@',
      'ada@example',
      'a b@example.com',
      'ada@example.com, eve@example.com',
      'ada@exa\0mple.com',
      `${LONG}.example`,
      `${'a'.repeat(65)}@example.com`,
      `ada@${'b'.repeat(64)}.com`,
      'ada@example-.com',
    ]) {
      expect(parseEmail(text), text).to.equal(undefined);
      expect(email.safeParse(text).success, text).to.equal(false);
    }
  });

  it('is rejected with a reason', () => {
    expect(reasonOf('ada')).to.equal('not an e-mail address');
    expect(reasonOf(`${LONG}.example`)).to.equal('longer than 254 characters');
  });
});
