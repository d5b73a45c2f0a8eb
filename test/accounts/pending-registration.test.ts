// Tokens of pending registrations.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  openRegistration,
  REGISTRATION_LINK_MS,
  REGISTRATION_TOKEN_PATTERN,
  sealRegistration,
} from '../../src/accounts/pending-registration.js';
import { MINUTE_MS } from '../support/clock.js';

const AT = new Date('2026-05-01T12:00:00Z');
const later = (ms: number): Date => new Date(AT.getTime() + ms);
const PENDING = {
  email: 'Ada.Ünï@example.com',
  passwordHash: '$argon2id$v=19$m=19456,p=1,t=2$6ryDtcnFAjMQTLm5VE82sw$RbT+BKFekumk95Old9A2azogj/amHvIVFjSlgJthhzc',
  expiresAt: later(REGISTRATION_LINK_MS),
};

describe('the token of a pending registration', () => {
  const open = (token: string, at = AT, secrets = ['new', 'old']) => openRegistration(token, { secrets, at });

  it('contains the registration while it is valid, and opens with any of the secrets', () => {
    for (const secret of ['new', 'old']) {
      const token = sealRegistration(PENDING, secret);
      expect(token).to.match(REGISTRATION_TOKEN_PATTERN);
      expect(open(token)).to.deep.equal(PENDING);
      expect(open(token, later(REGISTRATION_LINK_MS - 1))).to.deep.equal(PENDING);
      expect(open(token, later(REGISTRATION_LINK_MS))).to.equal(undefined);
    }
    expect(open(sealRegistration(PENDING, 'another'))).to.equal(undefined);
    expect(
      open(sealRegistration({ ...PENDING, expiresAt: later(REGISTRATION_LINK_MS + 60 * MINUTE_MS) }, 'new')),
    ).to.equal(undefined);
  });

  it('fits the longest address, reveals nothing of it, and differs each time', () => {
    const email = `${'x'.repeat(64)}@${'y'.repeat(63)}.${'z'.repeat(63)}.${'w'.repeat(57)}.de`;
    const token = sealRegistration({ ...PENDING, email }, 'new');
    expect(token).to.match(REGISTRATION_TOKEN_PATTERN).and.have.length.below(900);
    expect(open(token)?.email).to.equal(email);
    expect(Buffer.from(token.slice(4), 'base64url').toString('latin1'))
      .to.not.include('xxx')
      .and.not.include('argon');
    expect(sealRegistration({ ...PENDING, email }, 'new')).to.not.equal(token);
  });

  it('rejects any changed text', () => {
    const token = sealRegistration(PENDING, 'new');
    fc.assert(
      fc.property(fc.nat(token.length - 6), fc.constantFrom(...'Az09_-'), (index, character) => {
        const changed = token.slice(0, index + 4) + character + token.slice(index + 5);
        expect(open(changed)).to.deep.equal(changed === token ? PENDING : undefined);
      }),
    );
    for (const text of ['', 'reg_', token.slice(0, -4), `${token}AAAA`, token.slice(4), `reg_${'A'.repeat(80)}`])
      expect(open(text), text).to.equal(undefined);
  });
});
