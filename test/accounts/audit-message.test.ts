// Messages of every audit event.
import { expect } from 'chai';
import { revokeKey, regenerateKey, withPassword } from '../../src/accounts/changes/credentials.js';
import { makeResetLink, sendLink, verifyEmail } from '../../src/accounts/changes/email-links.js';
import { endAllSessions, endSession, removeExpired, signIn } from '../../src/accounts/changes/sessions.js';
import { setOperatorTier } from '../../src/accounts/changes/billing.js';
import { setSuspended, unlock } from '../../src/accounts/changes/status.js';
import type { AuditFact } from '../../src/accounts/audit-event.js';
import { auditText } from '../../src/accounts/audit-message.js';
import { linkToken } from '../../src/accounts/email-link.js';
import { MAX_SESSIONS } from '../../src/accounts/session.js';
import { someAccount } from '../support/accounts.js';
import { DAY_MS } from '../support/clock.js';

const AT = new Date('2026-05-01T12:00:00Z');
const SECRET = 'the secret of links';

describe('audit texts', () => {
  const { account, apiKey } = someAccount({ at: AT });
  const hint = apiKey.slice(-4);
  const origin = { userAgent: null, address: null };
  const session = (of = account, endOldest = false) => signIn(of, { passwordVersion: 1, origin, endOldest }, AT);
  const texts = (facts: readonly AuditFact[]) => facts.map(auditText);

  it('name keys by their last characters', () => {
    const replaced = regenerateKey(account, undefined, AT);
    expect(texts(replaced.facts)).to.deep.equal([
      `The API key …${hint} was replaced with …${replaced.result.key.hint}.`,
    ]);
    expect(texts(revokeKey(account).facts)).to.deep.equal([`The operator revoked the API key …${hint}.`]);
    const first = regenerateKey(revokeKey(account).account, undefined, AT);
    expect(texts(first.facts)).to.deep.equal([`An API key was created: …${first.result.key.hint}.`]);
  });

  it('distinguish links, passwords and addresses', () => {
    expect(texts(makeResetLink(account, AT).facts)).to.deep.equal(['A link to set a new password was created.']);
    const { account: linked, facts } = sendLink(account, 'verify-email', AT);
    expect(texts(facts)).to.deep.equal(['A link to verify the e-mail address was created.']);
    const token = linkToken(linked.id, linked.links[0]!, SECRET);
    expect(texts(verifyEmail(linked, { token, secrets: [SECRET] }, AT).facts)).to.deep.equal([
      'The e-mail address was verified.',
    ]);
    expect(texts(withPassword(account, '$argon2id$new', { at: AT }).facts)).to.deep.equal([
      'A new password was set with a reset link.',
    ]);
    expect(
      texts(withPassword(account, '$argon2id$new', { at: AT, keep: session().result.session.id }).facts),
    ).to.deep.equal(['The password was changed.']);
  });

  it('name the reason why sessions ended', () => {
    let current = account;
    for (let count = 0; count < MAX_SESSIONS; count++) current = session(current).account;
    expect(texts(session(current, true).facts)).to.deep.equal([
      'Signed in.',
      'A sign-in ended the oldest unused session, because the account had too many sessions.',
    ]);
    expect(texts(endAllSessions(current, undefined, AT).facts)).to.deep.equal([
      `Signed out everywhere: ${MAX_SESSIONS} sessions ended.`,
    ]);
    expect(texts(endSession(current, current.sessions[0]!.id, AT).facts)).to.deep.equal(['A session was signed out.']);
    const one = { ...current, sessions: current.sessions.slice(1, 2) };
    expect(texts(endAllSessions(one, undefined, AT).facts)).to.deep.equal([
      'Signed out everywhere: one session ended.',
    ]);
    expect(texts(removeExpired(one, new Date(AT.getTime() + 30 * DAY_MS)).facts)).to.deep.equal(['Sessions expired.']);
  });

  it('distinguish what was read, and describe what has no details', () => {
    expect(auditText({ type: 'sensitive_read' })).to.equal('All data of the account was exported.');
    expect(auditText({ type: 'sensitive_read', detail: { page: 'billing' } })).to.equal(
      'The billing page of the payment provider was opened.',
    );
    expect(auditText({ type: 'user_updated' })).to.equal('The account was changed. The detail says what.');
    expect(auditText({ type: 'authn_login_fail' })).to.match(/^A wrong password was entered/);
  });

  it("describe the operator's changes", () => {
    expect(texts(setOperatorTier(account, 'pro', new Date()).facts)).to.deep.equal([
      'The tier changed from free to pro, set by the operator.',
    ]);
    expect(texts(setOperatorTier(account, 'free', new Date()).facts)).to.deep.equal([
      'The tier is still free, now set by the operator.',
    ]);
    expect(texts(setSuspended(account, true).facts)).to.deep.equal(['The operator suspended the account.']);
    expect(texts(setSuspended({ ...account, suspended: true }, false).facts)).to.deep.equal([
      'The operator lifted the suspension.',
    ]);
    const { account: set } = setOperatorTier(account, 'pro', AT);
    expect(texts(setOperatorTier(set, null, AT).facts)).to.deep.equal(['The tier changed from pro to free.']);
    const { account: free } = setOperatorTier(account, 'free', AT);
    expect(texts(setOperatorTier(free, null, AT).facts)).to.deep.equal([
      'The tier is still free, decided by the subscription again.',
    ]);
    expect(texts(unlock(account).facts)).to.deep.equal(['The operator unblocked sign-ins.']);
  });
});
