// Instruments of the tests whose errors no other test would show.
import { expect } from 'chai';
import { openSecretSearch } from '../../../scripts/secret-search.js';
import { mannWhitney } from '../../support/mann-whitney.js';

describe('mannWhitney', () => {
  const one = Array.from({ length: 40 }, (_, index) => index);
  const against = (shift: number): number =>
    mannWhitney(
      one,
      one.map((value) => value + shift),
    );

  it('knows examples that were computed elsewhere', () => {
    // Computed in Python from its definition: U over all pairs, math.erfc for the tail.
    expect(against(5)).to.be.closeTo(0.0711389, 1e-6);
    expect(against(0)).to.be.closeTo(1, 1e-6);
    expect(against(40)).to.be.below(1e-12);
  });
});

describe('the search for secrets', () => {
  const secret = 'pass phrase/with+signs & "ümläut"';
  const search = openSecretSearch();
  search.add('password', secret);
  const formsIn = (text: string): string[] => search.find(Buffer.from(text)).map(({ form }) => form);

  for (const [form, text] of [
    ['raw', `x${secret}y`],
    ['percent-encoded', `?p=${encodeURIComponent(secret)}`],
    ['form-encoded', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['JSON', JSON.stringify({ p: secret })],
    ['hex', Buffer.from(`a${secret}`).toString('hex')],
    ['base64', Buffer.from(`ab${secret}cd`).toString('base64')],
    ['base64url', Buffer.from(`a${secret}`).toString('base64url')],
  ] as const)
    it(`finds one in the form ${form}`, () => expect(formsIn(text)).to.not.deep.equal([]));

  it('finds none where there is none', () => {
    expect(formsIn('nothing here')).to.deep.equal([]);
    expect(formsIn(secret.slice(0, -1))).to.deep.equal([]);
  });
});
