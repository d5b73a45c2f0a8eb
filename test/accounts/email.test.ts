// E-mail address validation of the commands and the API.
import { expect } from 'chai';
import fc from 'fast-check';
import { emailIdentity } from '../../src/accounts/account.js';
import { parseEmail } from '../../src/accounts/email.js';
import { email } from '../../src/accounts/fields.routes.js';

const reasonOf = (text: string) => email.safeParse(text).error?.issues[0]?.message;
const LONG = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}`;

/** Characters of an `atext`, RFC 5322, section 3.2.3. */
const ATEXT = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~"];
const SPECIALS = [...'()<>[]:;@\\,"', ' ', '\t', '\0', 'ü'];
const word = (characters: readonly string[], maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength });
const local = fc.array(word(ATEXT, 15), { minLength: 1, maxLength: 4 }).map((atoms) => atoms.join('.'));
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const label = fc.array(word(LETTERS, 10), { minLength: 1, maxLength: 3 }).map((words) => `x${words.join('-')}`);
const topLevel = fc.constantFrom('com', 'example', 'museum', 'xn--p1ai', 'XN--VERMGENSBERATUNG-PWB', 'co.uk');
const domain = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), topLevel)
  .map(([labels, top]) => [...labels, top].join('.'));

/**
 * Grammar of e-mail addresses in earlier releases. Older accounts may have addresses that only this grammar accepts.
 */
const FORMER =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/;

const IDN = [
  ['user@почта.рф', 'user@xn--80a1acny.xn--p1ai'],
  ['user@ПОЧТА.рф', 'user@xn--80a1acny.xn--p1ai'],
  ['user@почта.xn--p1ai', 'user@xn--80a1acny.xn--p1ai'],
  ['a@bücher.example', 'a@xn--bcher-kva.example'],
  ['a@bu\u0308cher.example', 'a@xn--bcher-kva.example'],
  ['a@例え。テスト', 'a@xn--r8jz45g.xn--zckzah'],
] as const;

describe('an e-mail address', () => {
  it('is validated equally by the commands and the API', () => {
    for (const text of [
      'ada@example.com',
      '  ada@example.com\n',
      'ADA+tag@Example.co.uk',
      `${LONG}.org`,
      'a&b@example.com',
      'a/b@example.com',
      'x=y@example.com',
      "!#$%&'*+-/=?^_`{|}~@example.com",
      "o'@example.com",
      'a@xn--80a1acny.xn--p1ai',
    ]) {
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
      `ada@${'ü'.repeat(60)}.com`,
      `ada@${`${'ü'.repeat(45)}.`.repeat(5)}example`,
      'ada@example-.com',
      '.ada@example.com',
      'ada.@example.com',
      'a..b@example.com',
      '"a b"@example.com',
      'ada@192.0.2.7',
      'ada@１９２.０.２.７',
      'ada@[192.0.2.7]',
      'ada@example.c',
      'ada@example.123',
      'ada@example.xn--',
      'ada@bücher',
      'ada@bü_cher.example',
      'ada@bücher.example:25',
      'ada@bücher.example/path',
      'ada@b%C3%BCcher.example',
      'ada@bücher％2e.example',
      'ada@\u200d.example',
      'ada@..рф',
      'адa@почта.рф',
    ]) {
      expect(parseEmail(text), text).to.equal(undefined);
      expect(email.safeParse(text).success, text).to.equal(false);
    }
  });

  it('is rejected with a reason', () => {
    expect(reasonOf('ada')).to.equal('not an e-mail address');
    expect(reasonOf(`${LONG}.example`)).to.equal('longer than 254 characters');
    expect(reasonOf('jürgen@example.com')).to.equal('only ASCII characters are supported before the @');
    const long = `ada@${`${'ü'.repeat(45)}.`.repeat(5)}example`;
    expect(reasonOf(long)).to.equal('longer than 254 characters with its domain in ASCII (xn--)');
  });

  it('is stored with an ASCII domain, and has one identity for all spellings of its domain', () => {
    for (const [typed, stored] of IDN) {
      expect(parseEmail(typed), typed).to.equal(stored);
      expect(email.parse(typed), typed).to.equal(stored);
      for (const text of [typed, stored, typed.toUpperCase(), stored.toUpperCase()])
        expect(emailIdentity(text), text).to.equal(stored);
    }
  });

  it('may have any dot-atom before the @, and any host of letters, digits and hyphens after it', () => {
    fc.assert(
      fc.property(local, domain, (name, host) => {
        const text = `${name}@${host}`;
        expect(parseEmail(text)).to.equal(name.length <= 64 && text.length <= 254 ? text : undefined);
        expect(emailIdentity(text)).to.equal(text.toLowerCase());
      }),
    );
    fc.assert(
      fc.property(local, fc.constantFrom(...SPECIALS), fc.nat(), domain, (name, special, at, host) => {
        // The special character is between two other characters, because whitespace at the ends is trimmed.
        const inside = `a${name.slice(0, at % name.length)}${special}${name.slice(at % name.length)}`;
        expect(parseEmail(`${inside}@${host}`), `${inside}@${host}`).to.equal(undefined);
      }),
    );
  });

  it('stays valid with the same spelling if an earlier release accepted it', () => {
    fc.assert(
      fc.property(fc.stringMatching(FORMER), (text) => {
        const labels = text.slice(text.indexOf('@') + 1).split('.');
        fc.pre(text.length <= 254 && text.indexOf('@') <= 64 && labels.every(({ length }) => length <= 63));
        expect(parseEmail(text)).to.equal(text);
        expect(emailIdentity(text)).to.equal(text.toLowerCase());
      }),
      { numRuns: 1000 },
    );
  });
});
