// Changes by a signed-in customer that need the password again.
import type { AccountActors } from '../../actors/account-actors.js';
import type { Account } from '../../domain/account/account.js';
import { assertStillAuthenticated, type Reauthentication } from '../../domain/account/changes/reauthentication.js';
import type { Change } from '../../domain/account/changes/change.js';
import { changePassword, regenerateKey, type KeyChange } from '../../domain/account/changes/credentials.js';
import { endAllSessions } from '../../domain/account/changes/sessions.js';
import { canonicalPassword } from '../../domain/account/password-policy.js';
import { AppError, invalidField } from '../../errors.js';
import type { AccountDeletion } from './account-deletion.js';
import type { Client } from './client-info.js';
import { ownersTurn } from './hash-turns.js';
import type { NewPassword } from './new-password.js';
import type { PasswordVerification } from './password-verification.js';
import type { Caller, Sessions } from './sessions.js';

interface Ports {
  readonly actors: AccountActors;
  readonly check: PasswordVerification;
  readonly deletion: AccountDeletion;
  readonly passwords: NewPassword;
  readonly sessions: Pick<Sessions, 'device'>;
}

/** The caller, with the password as proof of ownership. */
export interface Confirmed {
  readonly caller: Caller;
  readonly currentPassword: string;
  readonly client: Client;
}

/**
 * All throw AppError: `login_throttled`, `invalid_credentials`, `rate_limited`, `busy`; and `invalid_token`,
 * `account_suspended` when the session has ended or the account was suspended while the password was checked.
 */
export interface Credentials {
  /** Checks the password only; the proof is checked again where it is used. */
  prove(confirmed: Confirmed): Promise<Reauthentication>;
  /** Changes nothing. The result: the caller, with the account as it is after the password was checked. */
  confirm(confirmed: Confirmed): Promise<Caller>;
  /** When it resolves, the old key is invalid everywhere. */
  regenerateKey(confirmed: Confirmed): Promise<KeyChange>;
  /**
   * Ends all other sessions; the result is a device token in the place of the old one. Also throws `invalid_request`
   * for a bad new password.
   */
  changePassword(confirmed: Confirmed, newPassword: string): Promise<string>;
  /** How many there were, the caller's own among them. */
  endAllSessions(confirmed: Confirmed): Promise<number>;
  /** Also throws `billing_unavailable`. */
  deleteAccount(confirmed: Confirmed): Promise<void>;
}

export function createCredentials({ actors, check, deletion, passwords, sessions }: Ports): Credentials {
  async function reauthenticate({
    caller: { account, session },
    currentPassword,
    client,
  }: Confirmed): Promise<Reauthentication> {
    const { password } = await check
      .verify({
        email: account.email,
        account,
        session: session.id,
        password: currentPassword,
        purpose: 'confirmation',
        client,
      })
      .catch(throwAboutPassword);
    return { session: session.id, passwordVersion: password.version };
  }

  function run<Result>(
    { caller, client }: Confirmed,
    decide: (account: Account, at: Date) => Change<Result>,
  ): Promise<Result> {
    return actors.run(caller.account.id, client.actor, decide).catch(throwAboutPassword);
  }

  return {
    prove: reauthenticate,

    async confirm(confirmed) {
      const proof = await reauthenticate(confirmed);
      return run(confirmed, (account, at): Change<Caller> => {
        assertStillAuthenticated(account, proof, at);
        return { account, facts: [], result: { ...confirmed.caller, account } };
      });
    },

    async regenerateKey(confirmed) {
      const proof = await reauthenticate(confirmed);
      return run(confirmed, (account, at) => regenerateKey(account, proof, at));
    },

    async changePassword(confirmed, newPassword) {
      const { caller, currentPassword, client } = confirmed;
      passwords.assertGood(newPassword, caller.account.email, 'newPassword');
      if (canonicalPassword(newPassword) === canonicalPassword(currentPassword))
        throw invalidField('newPassword', 'the same as the current one', 'a new password');
      const proof = await reauthenticate(confirmed);
      const passwordHash = await passwords.hash(newPassword, ownersTurn(caller.account));
      const changed = await run(confirmed, (account, at): Change<Account> => {
        const change = changePassword(account, { proof, passwordHash }, at);
        return { ...change, result: change.account };
      });
      return sessions.device(changed, client);
    },

    async endAllSessions(confirmed) {
      const proof = await reauthenticate(confirmed);
      return run(confirmed, (account, at) => endAllSessions(account, proof, at));
    },

    async deleteAccount(confirmed) {
      const proof = await reauthenticate(confirmed);
      await deletion(confirmed.caller.account.id, confirmed.client.actor, proof).catch(throwAboutPassword);
    },
  };
}

/** A signed-in caller gave no e-mail address that could be wrong. */
function throwAboutPassword(error: unknown): never {
  if (error instanceof AppError && error.code === 'invalid_credentials')
    throw new AppError('invalid_credentials', 'The current password is wrong.');
  throw error;
}
