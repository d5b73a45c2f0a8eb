// Changes of passwords, keys and sessions, as pure functions. Some changes need a proof, such as a checked password.
import { expect } from 'chai';
import { changePassword, regenerateKey, revokeKey, withPassword } from '../../../src/accounts/changes/credentials.js';
import { confirmEmailChange, requestEmailChange } from '../../../src/accounts/changes/email-change.js';
import { addPublishableKey } from '../../../src/accounts/changes/publishable-keys.js';
import {
  assertStillOwner,
  assertStillRequester,
  assertStillSignedIn,
  confirmSession,
  recentProof,
} from '../../../src/accounts/changes/reauthentication.js';
import { endAllSessions, signIn } from '../../../src/accounts/changes/sessions.js';
import { parseApiKey } from '../../../src/accounts/api-key.js';
import { linkToken, newLink } from '../../../src/accounts/email-link.js';
import { isDue, newMail, retried } from '../../../src/accounts/pending-mail.js';
import { MAX_PUBLISHABLE_KEYS } from '../../../src/accounts/publishable-key.js';
import { MAX_SESSIONS } from '../../../src/accounts/session.js';
import { HOUR_MS, MINUTE_MS, DAY_MS } from '../../../src/platform/time.js';
import { someSignedIn } from '../../support/accounts.js';
import { clockAt } from '../../support/clock.js';
import { thrownBy } from '../../support/thrown.js';

const SECRET = 'a secret of links';

describe('changes that need a proof', () => {
  const at = clockAt().date();
  const later = (ms: number) => new Date(at.getTime() + ms);
  const { account, proof } = someSignedIn({ at });
  const origin = { userAgent: null, address: null };

  it('end other sessions, reset links and a pending address change if they set the password', () => {
    const other = signIn(account, { passwordVersion: proof.passwordVersion, origin }, at).account;
    const links = (['reset-password', 'verify-email', 'confirm-email'] as const).map((purpose) => newLink(purpose, at));
    const before = { ...other, links };
    const changed = changePassword(before, { proof, passwordHash: 'new' }, at).account;
    expect(changed.sessions.map(({ id }) => id)).to.deep.equal([proof.session]);
    expect(changed.links.map(({ purpose }) => purpose)).to.deep.equal(['verify-email']);
    expect(changed.password).to.deep.equal({ hash: 'new', version: account.password.version + 1 });
    expect(thrownBy(() => changePassword(changed, { proof, passwordHash: 'newer' }, at))).to.include({
      code: 'invalid_credentials',
    });
    expect(withPassword(before, 'new', { at }).account.sessions, 'by a link').to.deep.equal([]);
  });

  it('are rejected for a session that has ended, and for a suspended account', () => {
    expect(thrownBy(() => assertStillSignedIn(account, proof.session, later(8 * DAY_MS)))).to.include({
      code: 'invalid_token',
    });
    expect(thrownBy(() => endAllSessions(account, proof, later(8 * DAY_MS)))).to.include({ code: 'invalid_token' });
    const suspended = { ...account, suspended: true };
    expect(thrownBy(() => assertStillSignedIn(suspended, proof.session, at))).to.include({ code: 'account_suspended' });
    const key = { kind: 'key', keyHash: account.key!.hash } as const;
    expect(thrownBy(() => assertStillOwner(suspended, key, at))).to.include({ code: 'account_suspended' });
    expect(thrownBy(() => assertStillOwner(account, { ...key, keyHash: 'x' }, at))).to.include({
      code: 'invalid_api_key',
    });
    expect(thrownBy(() => assertStillOwner(revokeKey(account).account, key, at))).to.include({
      code: 'invalid_api_key',
    });
  });

  it('count as no sign-in for a suspended account', () => {
    const entering = { passwordVersion: proof.passwordVersion, origin };
    const suspended = { ...account, suspended: true };
    expect(thrownBy(() => signIn(suspended, entering, at))).to.include({ code: 'account_suspended' });
  });

  it('accept a password that was typed in the same session in the last five minutes', () => {
    const [session] = confirmSession(account, proof, at).account.sessions;
    expect(recentProof(session!, later(5 * MINUTE_MS - 1))).to.deep.equal(proof);
    expect(recentProof(session!, later(5 * MINUTE_MS))).to.equal(undefined);
    expect(recentProof(account.sessions[0]!, at)).to.equal(undefined);
  });

  it('invalidate all links if they change the address, verify it, and are rejected for a suspended account', () => {
    const asked = requestEmailChange(account, { proof, newEmail: 'new@example.com', isTaken: false }, at).account;
    const open = { ...asked, links: [...asked.links, newLink('reset-password', at)] };
    const link = open.links.find(({ purpose }) => purpose === 'confirm-email')!;
    const used = { token: linkToken(open.id, link, SECRET), secrets: [SECRET] };
    const { account: changed, result } = confirmEmailChange(open, used, at);
    expect({ result, ...changed }).to.deep.include({ result: 'new@example.com', links: [], emailVerified: true });
    expect(thrownBy(() => confirmEmailChange({ ...open, suspended: true }, used, at))).to.include({
      code: 'account_suspended',
    });
    expect(confirmEmailChange(open, { ...used, secrets: ['another'] }, at).result).to.equal(undefined);
  });

  it('allow ten publishable keys per account', () => {
    const settings = { name: 'Website', origins: [], dailyLimit: null };
    let full = account;
    for (let count = 0; count < MAX_PUBLISHABLE_KEYS; count++)
      full = addPublishableKey(full, { session: proof.session, settings }, at).account;
    expect(full.publishableKeys).to.have.length(10);
    expect(thrownBy(() => addPublishableKey(full, { session: proof.session, settings }, at))).to.include({
      code: 'conflict',
    });
  });

  it('end the least recently used session if there are too many, in any order', () => {
    let full = { ...account, sessions: [...account.sessions] };
    while (full.sessions.length < MAX_SESSIONS)
      full = {
        ...full,
        sessions: [...signIn(full, { passwordVersion: proof.passwordVersion, origin }, at).account.sessions],
      };
    const sessions = full.sessions.map((session, index) => ({
      ...session,
      lastUsedAt: later(index === 7 ? 0 : MINUTE_MS),
    }));
    const entering = { passwordVersion: proof.passwordVersion, origin };
    expect(thrownBy(() => signIn({ ...full, sessions }, entering, later(HOUR_MS)))).to.include({
      code: 'session_limit',
    });
    const { account: made } = signIn({ ...full, sessions }, { ...entering, endOldest: true }, later(HOUR_MS));
    const left = new Set(made.sessions.map(({ id }) => id));
    expect(sessions.filter(({ id }) => !left.has(id))).to.deep.equal([sessions[7]]);
    expect(made.sessions).to.have.length(MAX_SESSIONS);
  });

  it('have mails that are retried for two days, at most an hour apart', () => {
    const mail = newMail('verify-email', at);
    expect(retried(mail, later(0))).to.deep.include({ tries: 1, dueAt: later(MINUTE_MS) });
    expect(retried({ ...mail, tries: 9 }, at)).to.deep.include({ dueAt: later(HOUR_MS) });
    expect(retried(mail, later(48 * HOUR_MS - 1))).to.not.equal(undefined);
    expect(retried(mail, later(48 * HOUR_MS))).to.equal(undefined);
    expect([
      isDue({ dueAt: at }, at),
      isDue({ dueAt: later(1) }, at),
      isDue({ dueAt: later(HOUR_MS + 1) }, at),
    ]).to.deep.equal([true, false, true]);
  });

  it('record and mail which proof was used for a new password', () => {
    const two = signIn({ ...account, mails: [] }, { passwordVersion: proof.passwordVersion, origin }, at).account;
    for (const [change, by, kind, endedSessions] of [
      [changePassword(two, { proof, passwordHash: 'new' }, at), 'password', 'password-changed', 1],
      [withPassword(two, 'new', { at }), 'link', 'password-changed-by-link', 2],
    ] as const) {
      expect(change.facts).to.deep.equal([{ type: 'authn_password_change', detail: { by, endedSessions } }]);
      expect(change.account.mails.map((mail) => mail.kind)).to.deep.equal([kind]);
    }
  });

  it('replace the key, are recorded and mailed, and are rejected with the previous password', () => {
    const before = { ...account, mails: [] };
    const { account: changed, facts, result } = regenerateKey(before, proof, later(1));
    expect(parseApiKey(result.raw)).to.include({ accountId: account.id, hash: changed.key?.hash });
    expect(changed.key).to.deep.equal({
      hash: result.key.hash,
      hint: result.raw.slice(-4),
      createdAt: later(1),
      lastUsedAt: null,
    });
    expect(changed.key?.hash).to.not.equal(account.key?.hash);
    expect(changed.mails.map(({ kind }) => kind)).to.deep.equal(['key-replaced']);
    const detail = { token: 'API key', hint: changed.key!.hint };
    expect(facts).to.deep.equal([{ type: 'authn_token_created', detail: { ...detail, replaced: account.key?.hint } }]);
    expect(thrownBy(() => regenerateKey(before, { ...proof, passwordVersion: 2 }, at))).to.include({
      code: 'invalid_credentials',
    });
    const revoked = revokeKey(changed);
    expect(revoked).to.deep.equal({
      account: { ...changed, key: null },
      facts: [{ type: 'authn_token_revoked', detail }],
      result: true,
    });
    expect(revokeKey(revoked.account)).to.deep.equal({ account: revoked.account, facts: [], result: false });
    expect(regenerateKey(revoked.account, undefined, at).facts[0]?.detail).to.include({ replaced: null });
  });

  it('accept a typed password in its own session only', () => {
    const two = signIn(account, { passwordVersion: proof.passwordVersion, origin }, at).account;
    const { account: confirmed, facts } = confirmSession(two, proof, at);
    expect(confirmed.sessions.map((session) => session.confirmed)).to.deep.equal([
      { at, passwordVersion: proof.passwordVersion },
      undefined,
    ]);
    expect(facts).to.deep.equal([]);
    expect(thrownBy(() => confirmSession(two, { ...proof, passwordVersion: 2 }, at))).to.include({
      code: 'invalid_credentials',
    });
    expect(recentProof(confirmed.sessions[0]!, later(-1)), 'by a clock ahead').to.equal(undefined);
  });

  it('accept the password in a session, or the key, for a purchase', () => {
    const ask = (requester: Parameters<typeof assertStillRequester>[1], of = account) =>
      assertStillRequester(of, requester, at);
    const key = { kind: 'key', keyHash: account.key!.hash } as const;
    const session = { kind: 'session', proof } as const;
    ask(key);
    ask(session);
    assertStillOwner(account, key, at);
    assertStillOwner(account, { kind: 'session', session: proof.session }, at);
    for (const [requester, of, code] of [
      [{ ...key, keyHash: 'x' }, account, 'invalid_api_key'],
      [key, { ...account, key: null }, 'invalid_api_key'],
      [key, { ...account, suspended: true }, 'account_suspended'],
      [session, { ...account, sessions: [] }, 'invalid_token'],
      [session, { ...account, suspended: true }, 'account_suspended'],
      [{ kind: 'session', proof: { ...proof, passwordVersion: 0 } }, account, 'invalid_credentials'],
    ] as const)
      expect(thrownBy(() => ask(requester, of))).to.include({ code });
    expect(
      thrownBy(() => assertStillOwner({ ...account, sessions: [] }, { kind: 'session', session: proof.session }, at)),
    ).to.include({ code: 'invalid_token' });
  });
});
