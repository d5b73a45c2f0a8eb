// Sign-ins: a stored hash with outdated parameters is replaced, and an account that is being deleted is unknown.
import argon2 from 'argon2';
import { expect } from 'chai';
import { beginDeletion } from '../../src/accounts/changes/lifecycle.js';
import type { Account } from '../../src/accounts/account.js';
import { AppError } from '../../src/platform/errors.js';
import { createSignIn } from '../../src/accounts/sign-in.js';
import {
  openTestAccounts,
  PASSWORD,
  PASSWORD_HASH,
  rejection,
  someClient,
  type TestAccounts,
} from '../support/account-services.js';
import { OPERATOR, someAccount } from '../support/accounts.js';

describe('a sign-in to an account', () => {
  let parts: TestAccounts;
  let outdated: string;
  before(async () => {
    outdated = await argon2.hash(PASSWORD, { type: argon2.argon2id, memoryCost: 8192, timeCost: 1, parallelism: 1 });
  });
  beforeEach(async () => {
    parts = await openTestAccounts();
  });
  afterEach(() => parts.close());

  async function insert(passwordHash: string): Promise<Account> {
    const { account } = someAccount({ passwordHash });
    await parts.accounts.insert(account);
    return account;
  }
  const passwordOf = async ({ id }: Account) => (await parts.accounts.find(id))!.password;
  const request = ({ email }: Account, password = PASSWORD) => ({ email, password, client: someClient() });

  it('replaces a hash with outdated parameters by a hash of the same password, and keeps its version', async () => {
    const account = await insert(outdated);
    await parts.signIn.signIn(request(account));
    const { hash, version } = await passwordOf(account);
    expect(hash).to.not.equal(outdated);
    expect(parts.hasher.isOutdated(hash)).to.equal(false);
    expect(version).to.equal(1);
    expect(await rejection(parts.signIn.signIn(request(account)))).to.equal('no rejection');
    expect(await rejection(parts.signIn.signIn(request(account, 'not this pass phrase')))).to.equal(
      'invalid_credentials',
    );
    expect((await passwordOf(account)).hash, 'of the next sign-in').to.equal(hash);
  });

  it('keeps a hash with current parameters, and after a wrong password any hash', async () => {
    const account = await insert(PASSWORD_HASH);
    await parts.signIn.signIn(request(account));
    expect(await passwordOf(account)).to.deep.equal({ hash: PASSWORD_HASH, version: 1 });
    const old = await insert(outdated);
    await rejection(parts.signIn.signIn(request(old, 'not this pass phrase')));
    expect(await passwordOf(old)).to.deep.equal({ hash: outdated, version: 1 });
  });

  it('succeeds without a new hash if the hasher is busy', async () => {
    const account = await insert(outdated);
    const passwords = { assertGood: () => undefined, hash: () => Promise.reject(new AppError('busy')) };
    const check = { verify: async () => account };
    const service = createSignIn({ ...parts, passwords, check });
    expect((await service.signIn(request(account))).account.id).to.equal(account.id);
    expect(await passwordOf(account)).to.deep.equal({ hash: outdated, version: 1 });
  });

  it('is rejected like a wrong password if the account is being deleted, even since the password was sent', async () => {
    const account = await insert(PASSWORD_HASH);
    const attempt = rejection(parts.signIn.signIn(request(account)));
    await parts.actors.run(account.id, OPERATOR, (current, at) => beginDeletion(current, undefined, at));
    expect(await attempt).to.equal('invalid_credentials');
    expect(await rejection(parts.signIn.signIn(request(account, 'not this pass phrase')))).to.equal(
      'invalid_credentials',
    );
    await parts.settle();
    expect((await parts.audit.read(account.id, { limit: 9 })).map(({ type }) => type)).to.deep.equal(['user_deleted']);
  });
});
