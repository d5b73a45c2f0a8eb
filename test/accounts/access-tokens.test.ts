// Access tokens: signature, claims and expiry.
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import jwt from 'jsonwebtoken';
import { createAccessTokens } from '../../src/accounts/access-tokens.js';
import type { AccountId } from '../../src/accounts/account.js';
import type { SessionId } from '../../src/accounts/session.js';
import { clockAt, DAY_MS, SECOND_MS } from '../support/clock.js';

const SECRET = 'a secret of at least thirty-two bytes';
const OTHER = 'another secret of thirty-two or more bytes';
const ISSUER = 'https://icons.example';
const CLAIMS = { accountId: 'AccountId012' as AccountId, sessionId: 'Session012345678' as SessionId };

describe('access tokens', () => {
  const clock = clockAt();
  const open = (secrets: [string, ...string[]] = [SECRET], issuer = ISSUER) =>
    createAccessTokens({ secrets, issuer, now: clock.now });
  const issue = (tokens = open(), endsInMs = DAY_MS) => tokens.issue(CLAIMS, new Date(clock.now() + endsInMs));
  const decoded = (token: string) => jwt.decode(token, { complete: true })!;
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  function signedWith(
    secret: string,
    changes: { readonly header?: object; readonly payload?: object },
    algorithm = 'sha256',
  ): string {
    const { header, payload } = decoded(issue().token);
    const body = `${part({ ...header, ...changes.header })}.${part({ ...(payload as object), ...changes.payload })}`;
    return `${body}.${createHmac(algorithm, secret).update(body).digest('base64url')}`;
  }

  it('identify account and session for 900 seconds', () => {
    const { token, expiresInSeconds } = issue();
    expect(expiresInSeconds).to.equal(900);
    expect(open().verify(token)).to.deep.equal(CLAIMS);
    const { header, payload } = decoded(token);
    expect(header).to.include({ alg: 'HS256', typ: 'JWT' }).and.have.property('kid');
    expect(payload).to.include({
      iss: ISSUER,
      aud: 'blazon',
      sub: CLAIMS.accountId,
      sid: CLAIMS.sessionId,
      iat: clock.now() / 1000,
      exp: clock.now() / 1000 + 900,
    });
    expect(payload)
      .to.have.property('jti')
      .that.matches(/^[0-9a-f-]{36}$/);
    expect(issue().token).to.not.equal(token);
  });

  it('expire by the clock, to the second', () => {
    const { token } = issue();
    clock.advance(899 * SECOND_MS + 999);
    expect(open().verify(token)).to.deep.equal(CLAIMS);
    clock.advance(1);
    expect(open().verify(token)).to.equal(undefined);
  });

  it('expire with their session at the latest', () => {
    const { token, expiresInSeconds } = issue(open(), 10_500);
    expect(expiresInSeconds).to.equal(10);
    clock.advance(10_000);
    expect(open().verify(token)).to.equal(undefined);
    expect(issue(open(), 1).expiresInSeconds).to.equal(0);
  });

  it('are rejected without a signature, with another algorithm, and with another secret', () => {
    const { header, payload } = decoded(issue().token);
    const none = `${part({ ...header, alg: 'none' })}.${part(payload)}.`;
    expect(open().verify(none)).to.equal(undefined);
    expect(open().verify(signedWith(SECRET, { header: { alg: 'none' } }))).to.equal(undefined);
    for (const [alg, hash] of [
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
    ] as const) {
      expect(open().verify(signedWith(SECRET, { header: { alg } }, hash)), alg).to.equal(undefined);
    }
    expect(open().verify(signedWith(SECRET, { header: { alg: 'RS256' } }))).to.equal(undefined);
    expect(open().verify(signedWith(OTHER, {}))).to.equal(undefined);
    expect(open().verify(signedWith('', {}))).to.equal(undefined);
    expect(open().verify(signedWith(SECRET, {})), 'the forger itself works').to.deep.equal(CLAIMS);
  });

  it('are rejected with extensions that must be understood (RFC 7515, section 4.1.11)', () => {
    for (const crit of [['exp'], ['b64'], [], null, 'exp'])
      expect(open().verify(signedWith(SECRET, { header: { crit, b64: true } })), String(crit)).to.equal(undefined);
  });

  it('are rejected for another issuer, audience or key id', () => {
    for (const payload of [
      { iss: 'https://evil.example' },
      { iss: undefined },
      { aud: 'other' },
      { aud: undefined },
      { sub: undefined },
      { sid: undefined },
      { sid: 7 },
    ]) {
      expect(open().verify(signedWith(SECRET, { payload })), JSON.stringify(payload)).to.equal(undefined);
    }
    for (const kid of [undefined, '', 'deadbeef', '__proto__', 7])
      expect(open().verify(signedWith(SECRET, { header: { kid } })), String(kid)).to.equal(undefined);
    expect(open([SECRET], 'https://other.example').verify(issue().token)).to.equal(undefined);
  });

  it('are rejected without an expiry', () => {
    expect(open().verify(signedWith(SECRET, { payload: { exp: undefined } }))).to.equal(undefined);
  });

  it('are signed with the first secret and accepted from all', () => {
    const before = issue(open([SECRET])).token;
    const rotated = open([OTHER, SECRET]);
    expect(rotated.verify(before)).to.deep.equal(CLAIMS);
    const after = issue(rotated).token;
    expect(open([OTHER]).verify(after)).to.deep.equal(CLAIMS);
    expect(open([SECRET]).verify(after)).to.equal(undefined);
    expect(open([OTHER]).verify(before)).to.equal(undefined);
    expect(decoded(after).header.kid).to.not.equal(decoded(before).header.kid);
    expect(SECRET).to.not.include(decoded(before).header.kid);
  });

  it('are rejected after any other change', () => {
    const tokens = open();
    const { token } = issue(tokens);
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => tokens.verify(text) === undefined));
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'ABab01-_.='), (at, letter) => {
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        // The last base64url character of a 32-byte signature contains two unused bits. Changing this character can
        // therefore leave the signature the same.
        return changed === token || at === token.length - 1 || tokens.verify(changed) === undefined;
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(
        fc.record({ sub: fc.string(), sid: fc.string(), exp: fc.nat() }, { requiredKeys: [] }),
        fc.string({ minLength: 1 }),
        (payload, secret) => tokens.verify(signedWith(secret, { payload })) === undefined,
      ),
    );
  });
});
