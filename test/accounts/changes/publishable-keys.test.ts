import { expect } from 'chai';
import type { Account } from '../../../src/accounts/account.js';
import { auditText } from '../../../src/accounts/audit-message.js';
import {
  addPublishableKey,
  editPublishableKey,
  revokePublishableKey,
} from '../../../src/accounts/changes/publishable-keys.js';
import type { SessionId } from '../../../src/accounts/session.js';
import { someSignedIn } from '../../support/accounts.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12));
const SETTINGS = { name: 'Website', origins: ['example.com'], dailyLimit: 100 };

describe('changes of publishable keys', () => {
  let account: Account;
  let session: SessionId;
  beforeEach(() => {
    ({
      account,
      proof: { session },
    } = someSignedIn({ at: AT }));
  });
  const added = (settings = SETTINGS) => {
    const change = addPublishableKey(account, { session, settings }, AT);
    ({ account } = change);
    return change;
  };

  it('notify the owner of every new, changed and revoked one', () => {
    const notices = (changed: Account) => changed.mails.filter(({ kind }) => kind === 'publishable-keys-changed');
    const { result: key } = added();
    const before = { ...account, mails: [], noticedAt: {} };
    expect(notices(account)).to.have.length(1);
    const edited = editPublishableKey(before, { session, id: key.id, settings: { dailyLimit: null } }, AT);
    expect(notices(edited.account)).to.have.length(1);
    expect(notices(revokePublishableKey(before, { session, id: key.id }, AT).account)).to.have.length(1);
    expect(notices(editPublishableKey(before, { session, id: key.id, settings: SETTINGS }, AT).account)).to.be.empty;
  });

  it('change one key, and nothing if nothing differs', () => {
    const { result: key } = added();
    const other = added({ ...SETTINGS, name: 'Other' }).result;
    const {
      account: next,
      facts,
      result,
    } = editPublishableKey(account, { session, id: key.id, settings: { origins: [] } }, AT);
    expect(result).to.deep.equal({ ...key, origins: [] });
    expect(next.publishableKeys).to.deep.equal([result, other]);
    expect(facts.map(auditText)).to.deep.equal(['The publishable key “Website” was changed.']);
    const again = editPublishableKey(next, { session, id: key.id, settings: { origins: [], name: 'Website' } }, AT);
    expect(again.account).to.equal(next);
    expect(editPublishableKey(account, { session, id: 'f'.repeat(16), settings: {} }, AT)).to.deep.equal({
      account,
      facts: [],
      result: undefined,
    });
  });

  it('are recorded with the settings that the key then has', () => {
    const { result: key, facts: made } = added();
    const token = 'publishable key';
    expect(made).to.deep.equal([{ type: 'authn_token_created', detail: { token, id: key.id, name: 'Website' } }]);
    const settings = { name: 'Shop', origins: ['*.example.com', 'localhost'], dailyLimit: null };
    const edited = editPublishableKey(account, { session, id: key.id, settings }, AT);
    const detail = { token, id: key.id, name: 'Shop', origins: '*.example.com localhost', dailyLimit: null };
    expect(edited.facts).to.deep.equal([{ type: 'user_updated', detail }]);
    const revoked = revokePublishableKey(edited.account, { session: undefined, id: key.id }, AT);
    expect(revoked.facts).to.deep.equal([{ type: 'authn_token_revoked', detail: { token, id: key.id, name: 'Shop' } }]);
    expect(revoked.facts.map(auditText)).to.deep.equal(['The publishable key “Shop” was revoked.']);
  });

  it('need a live session of an account that is not suspended', () => {
    const { result: key } = added();
    const late = new Date(AT.getTime() + 8 * 86_400_000);
    const suspended = { ...account, suspended: true };
    for (const change of [
      (one: Account, at: Date) => addPublishableKey(one, { session, settings: SETTINGS }, at),
      (one: Account, at: Date) => editPublishableKey(one, { session, id: key.id, settings: { name: 'New' } }, at),
      (one: Account, at: Date) => revokePublishableKey(one, { session, id: key.id }, at),
    ]) {
      expect(() => change(account, late))
        .to.throw()
        .with.property('code', 'invalid_token');
      expect(() => change(suspended, AT))
        .to.throw()
        .with.property('code', 'account_suspended');
    }
  });
});
