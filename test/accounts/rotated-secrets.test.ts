// Secrets of a deployment: each purpose has its own secrets, and the previous JWT_SECRET is still accepted.
import { expect } from 'chai';
import { derivedSecrets, deploymentSecrets } from '../../src/accounts/derived-secrets.js';
import { linkToken, newLink } from '../../src/accounts/email-link.js';
import { deviceOf } from '../../src/accounts/trusted-device.js';
import {
  openTestAccounts,
  PASSWORD_HASH,
  registered,
  PASSWORD,
  rejection,
  someClient,
  type TestAccounts,
} from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { temporaryDir } from '../support/temporary.js';

const [OLD, NEW] = ['old-'.repeat(8), 'new-'.repeat(8)];

describe('the secrets of a deployment', () => {
  it('differ for each purpose, and keep their order', () => {
    const secrets = [NEW, OLD] as const;
    const [links, devices] = [derivedSecrets(secrets, 'links'), derivedSecrets(secrets, 'devices')];
    expect(new Set([...secrets, ...links, ...devices]).size).to.equal(6);
    expect(derivedSecrets([OLD], 'links')).to.deep.equal([links[1]]);
    expect(derivedSecrets([NEW], 'links')).to.deep.equal([links[0]]);
  });

  it('come from JWT_SECRET, or else from the data folder', async () => {
    const parts = await openTestAccounts();
    const stores = { signingSecret: () => 'stored' };
    expect(deploymentSecrets({ JWT_SECRET: [] }, stores)).to.deep.equal(['stored']);
    expect(deploymentSecrets({ JWT_SECRET: [NEW, OLD] }, stores)).to.deep.equal([NEW, OLD]);
    expect(new Set([...parts.linkSecrets, ...parts.deviceSecrets]).size).to.equal(2);
    await parts.close();
  });

  it('are accepted after a rotation: in links, in cookies, in access tokens, and by their first secret only', async () => {
    const { path: dataDir, remove } = temporaryDir();
    const open = (JWT_SECRET: string): Promise<TestAccounts> =>
      openTestAccounts({ dataDir, variables: { JWT_SECRET }, mails: 'by the job' });
    const before = await open(OLD);
    const { account } = someAccount({ passwordHash: PASSWORD_HASH });
    const links = [newLink('reset-password', new Date()), newLink('verify-email', new Date())];
    await before.accounts.insert({ ...account, links });
    const tokens = links.map((link) => linkToken(account.id, link, before.linkSecrets[0]));
    const other = await registered(before, { email: 'other@example.com', password: PASSWORD, client: someClient() });
    await before.close();

    const after = await open(`${NEW},${OLD}`);
    expect(await rejection(after.links.verifyEmail(tokens[1]!, someClient()))).to.equal('no rejection');
    expect(await rejection(after.links.resetPassword(tokens[0]!, 'a new pass phrase', someClient()))).to.equal(
      'no rejection',
    );
    const caller = await after.sessions.byBearer(other.access.token);
    const owner = { account: caller.account, at: new Date() };
    const device = deviceOf(other.deviceToken, owner, after.deviceSecrets);
    expect(device).to.be.a('string');
    const renewed = after.sessions.device(caller.account, someClient({ deviceToken: other.deviceToken }));
    expect(deviceOf(renewed, owner, [after.deviceSecrets[0]]), 'the same device, signed again').to.equal(device);
    const { token } = after.sessions.refresh(caller);
    await after.close();

    const last = await open(NEW);
    expect(await rejection(last.sessions.byBearer(token))).to.equal('no rejection');
    expect(await rejection(last.sessions.byBearer(other.access.token))).to.equal('invalid_token');
    await last.close();
    remove();
  });
});
