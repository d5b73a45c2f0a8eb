// Mailed links: the recorded requester, and the checks before a new password is hashed.
import { expect } from 'chai';
import { makeResetLink } from '../../src/accounts/changes/email-links.js';
import { beginDeletion } from '../../src/accounts/changes/lifecycle.js';
import { linkToken } from '../../src/accounts/email-link.js';
import type { HashTurn } from '../../src/accounts/password-hasher.js';
import { createEmailLinks } from '../../src/accounts/email-links.js';
import {
  openTestAccounts,
  PASSWORD_HASH,
  rejection,
  someClient,
  type TestAccounts,
} from '../support/account-services.js';
import { OPERATOR, someSignedIn } from '../support/accounts.js';

describe('a mailed link', () => {
  let parts: TestAccounts;
  beforeEach(async () => {
    parts = await openTestAccounts({ mails: 'by the job' });
  });
  afterEach(() => parts.close());

  async function customer(email = 'ada.lovelace@example.com') {
    const { account, session } = someSignedIn({ email });
    await parts.accounts.insert({ ...account, links: [], mails: [] });
    return { account, session };
  }

  it('is recorded with the network of the client that requested it', async () => {
    const { account, session } = await customer();
    await parts.links.forgotPassword('ADA.Lovelace@example.com', someClient());
    await parts.settle();
    await parts.links.resendVerification({ account, session }, someClient());
    const events = await parts.audit.read(account.id, { limit: 10 });
    const by = { kind: 'customer', address: '192.0.2.0/24' };
    expect(events.map((event) => [event.detail, event.by])).to.deep.equal([
      [{ token: 'link', purpose: 'verify-email' }, by],
      [{ token: 'link', purpose: 'reset-password' }, by],
    ]);
  });

  it('sets no password that consists of the e-mail address, and hashes a good one in the turn of its owner', async () => {
    const { account } = await customer();
    const turns: HashTurn[] = [];
    const passwords = {
      ...parts.passwords,
      hash: async (_password: string, turn: HashTurn) => (turns.push(turn), PASSWORD_HASH),
    };
    const links = createEmailLinks({ ...parts, passwords });
    const link = await parts.actors.run(account.id, OPERATOR, makeResetLink);
    const token = linkToken(account.id, link, parts.linkSecrets[0]);
    const reset = (password: string) => rejection(links.resetPassword(token, password, someClient()));
    expect(await reset('Ada-Lovelace-1815!')).to.equal('invalid_request');
    expect(turns).to.deep.equal([]);
    expect(await reset('a new pass phrase')).to.equal('no rejection');
    expect(turns).to.deep.equal([{ lane: 'known', fairnessKey: account.id }]);
    expect(await reset('a new pass phrase')).to.equal('invalid_request');
    expect(turns, 'of a used link').to.have.length(1);
  });

  it('of an account that is being deleted is invalid, and is not mailed again', async () => {
    const { account, session } = await customer();
    const link = await parts.actors.run(account.id, OPERATOR, makeResetLink);
    const token = linkToken(account.id, link, parts.linkSecrets[0]);
    await parts.actors.run(account.id, OPERATOR, (current, at) => beginDeletion(current, undefined, at));
    const stored = (await parts.accounts.find(account.id))!;
    await parts.accounts.save({ ...stored, links: [link], version: stored.version + 1 });
    expect(await rejection(parts.links.resetPassword(token, 'a new pass phrase', someClient()))).to.equal(
      'invalid_request',
    );
    expect(await rejection(parts.links.resendVerification({ account, session }, someClient()))).to.equal(
      'invalid_token',
    );
    await parts.links.forgotPassword(account.email, someClient());
    await parts.settle();
    expect((await parts.accounts.find(account.id))?.mails).to.deep.equal([]);
    expect(parts.problems).to.deep.equal([]);
  });
});
