// What a signed-in customer may do after giving the password again.
import type { AccountActors } from '../actors/account-actors.js';
import { beginDeletion, changePassword, regenerateKey, type KeyChange } from '../domain/account-changes.js';
import { canonicalPassword } from '../domain/password.js';
import { invalidField } from '../errors.js';
import type { AccountStore } from '../ports/account-store.js';
import type { Client } from './client.js';
import type { NewPassword } from './new-password.js';
import type { PasswordCheck } from './password-check.js';
import type { Caller } from './sessions.js';

interface Ports {
  readonly accounts: Pick<AccountStore, 'remove'>;
  readonly actors: AccountActors;
  readonly check: PasswordCheck;
  readonly passwords: NewPassword;
}

/** The one who asks, and the password that proves it is the owner. */
export interface Confirmed {
  readonly caller: Caller;
  readonly currentPassword: string;
  readonly client: Client;
}

/** All throw AppError: `login_throttled`, `invalid_credentials`, `busy`. */
export interface Credentials {
  /** Does nothing but ask for the password. */
  confirm(confirmed: Confirmed): Promise<void>;
  /** From the answer on, the old key works nowhere. */
  regenerateKey(confirmed: Confirmed): Promise<KeyChange>;
  /** Ends all other sessions. Also throws `invalid_request` for a bad new password. */
  changePassword(confirmed: Confirmed, newPassword: string): Promise<void>;
  deleteAccount(confirmed: Confirmed): Promise<void>;
}

export function credentials({ accounts, actors, check, passwords }: Ports): Credentials {
  /** The version of the password that was right. */
  async function confirm({ caller: { account }, currentPassword, client }: Confirmed): Promise<number> {
    const { password } = await check.check({ email: account.email, account, password: currentPassword, client });
    return password.version;
  }

  return {
    async confirm(confirmed) {
      await confirm(confirmed);
    },

    async regenerateKey(confirmed) {
      const passwordVersion = await confirm(confirmed);
      const { caller, client } = confirmed;
      return actors.run(caller.account.id, client.actor, (account, at) => regenerateKey(account, passwordVersion, at));
    },

    async changePassword(confirmed, newPassword) {
      const { caller, currentPassword, client } = confirmed;
      passwords.assertGood(newPassword, caller.account.email, 'newPassword');
      if (canonicalPassword(newPassword) === canonicalPassword(currentPassword)) throw invalidField('newPassword', 'the same as the current one', 'another password');
      const passwordVersion = await confirm(confirmed);
      const passwordHash = await passwords.hash(newPassword);
      const session = caller.session.id;
      await actors.run(caller.account.id, client.actor, (account, at) => changePassword(account, { passwordVersion, passwordHash, session }, at));
    },

    async deleteAccount(confirmed) {
      const passwordVersion = await confirm(confirmed);
      const { caller, client } = confirmed;
      await actors.run(caller.account.id, client.actor, (account) => beginDeletion(account, passwordVersion));
      // Should this not be reached, a job does it.
      await accounts.remove(caller.account.id);
    },
  };
}
