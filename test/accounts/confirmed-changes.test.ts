// Changes that need a password. The account changes while the password is checked.
import { expect } from 'chai';
import type { Change } from '../../src/accounts/changes/change.js';
import { setSuspended } from '../../src/accounts/changes/status.js';
import type { Account } from '../../src/accounts/account.js';
import { createNoPayments } from '../../src/billing/no-payments.js';
import { createCredentials, type Confirmed, type Credentials } from '../../src/accounts/credentials.js';
import {
  openTestAccounts,
  PASSWORD,
  PASSWORD_HASH,
  rejection,
  someClient,
  type TestAccounts,
} from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';

const BY = { kind: 'operator', address: null } as const;
const NOBODY_SAW = { facts: [], result: undefined };

const CHANGES: Readonly<Record<string, (service: Credentials, confirmed: Confirmed) => Promise<unknown>>> = {
  'regenerate-key': (service, confirmed) => service.regenerateKey(confirmed),
  'change-password': (service, confirmed) => service.changePassword(confirmed, 'another pass phrase'),
  'logout-all': (service, confirmed) => service.endAllSessions(confirmed),
  delete: (service, confirmed) => service.deleteAccount(confirmed),
  export: (service, confirmed) => service.confirm(confirmed),
};

const MEANWHILE: readonly {
  readonly what: string;
  readonly happens: (account: Account) => Change;
  readonly code: string;
}[] = [
  {
    what: 'the session ends',
    happens: (account) => ({ ...NOBODY_SAW, account: { ...account, sessions: [] } }),
    code: 'invalid_token',
  },
  { what: 'the account is suspended', happens: (account) => setSuspended(account, true), code: 'account_suspended' },
  { what: 'both', happens: (account) => setSuspended({ ...account, sessions: [] }, true), code: 'invalid_token' },
  {
    what: 'a new password is set',
    happens: (account) => ({
      ...NOBODY_SAW,
      account: { ...account, password: { ...account.password, version: account.password.version + 1 } },
    }),
    code: 'invalid_credentials',
  },
];

describe('a change that waits for the password', () => {
  let parts: TestAccounts;
  beforeEach(async () => {
    parts = await openTestAccounts();
  });
  afterEach(() => parts.close());

  async function confirmed(): Promise<Confirmed> {
    const { account } = someAccount({ passwordHash: PASSWORD_HASH });
    await parts.accounts.insert(account);
    const { sessionToken } = await parts.signIn.signIn({
      email: account.email,
      password: PASSWORD,
      client: someClient(),
    });
    return { caller: await parts.sessions.byCookie(sessionToken), currentPassword: PASSWORD, client: someClient() };
  }

  /**
   * Creates the credentials service with a password check that succeeds. During the check, `happens` changes the
   * account.
   */
  function service(
    { caller: { account } }: Confirmed,
    happens: ((account: Account) => Change) | undefined,
  ): Credentials {
    const check = {
      async verify() {
        if (happens) await parts.actors.run(account.id, BY, happens);
        return account;
      },
    };
    const passwords = { assertGood: () => undefined, hash: () => Promise.resolve('$argon2id$another') };
    return createCredentials({ ...parts, payments: createNoPayments(), check, passwords });
  }

  it('exports the account in its state after the check', async () => {
    const asked = await confirmed();
    const { account, session } = await service(asked, (current) => ({
      ...NOBODY_SAW,
      account: { ...current, emailVerified: true },
    })).confirm(asked);
    expect(account)
      .to.deep.equal(await parts.accounts.find(account.id))
      .and.include({ emailVerified: true });
    expect(session.id).to.equal(asked.caller.session.id);
  });

  it('only names the password in its error when another one was set', async () => {
    const asked = await confirmed();
    const changed = (account: Account): Change => ({
      ...NOBODY_SAW,
      account: { ...account, password: { ...account.password, version: 2 } },
    });
    const error = await service(asked, changed)
      .regenerateKey(asked)
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'invalid_credentials', message: 'The current password is wrong.' });
  });

  for (const [name, change] of Object.entries(CHANGES)) {
    for (const { what, happens, code } of MEANWHILE) {
      it(`${name} does nothing if meanwhile ${what}`, async () => {
        const asked = await confirmed();
        let then: Account | undefined;
        const outcome = await rejection(
          change(
            service(asked, (account) => {
              const result = happens(account);
              then = result.account;
              return result;
            }),
            asked,
          ),
        );
        expect(outcome).to.equal(code);
        const now = await parts.accounts.find(asked.caller.account.id);
        expect(now).to.deep.equal({ ...then, version: now?.version });
      });
    }

    it(`${name} continues if nothing happens`, async () => {
      const asked = await confirmed();
      expect(await rejection(change(service(asked, undefined), asked))).to.equal('no rejection');
    });
  }
});
