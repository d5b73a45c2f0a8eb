// Changes for which a signed-in customer types the password again.
import type { Account } from './account.js';
import {
  assertStillAuthenticated,
  confirmSession,
  recentProof,
  type Reauthentication,
} from './changes/reauthentication.js';
import type { Change } from './changes/change.js';
import { changePassword, regenerateKey, type KeyChange } from './changes/credentials.js';
import { endAllSessions } from './changes/sessions.js';
import { canonicalPassword } from './password-policy.js';
import { AppError, invalidField, isCode } from '../platform/errors.js';
import { deleteAccount } from './account-deletion.js';
import { ownersTurn, type Client } from './client-info.js';
import type { PasswordVerification } from './password-verification.js';
import type { Caller, Sessions } from './sessions.js';
import type { AccountContext } from './context.js';

export interface Confirmed {
  readonly caller: Caller;
  readonly currentPassword: string;
  readonly client: Client;
}

/**
 * Caller with an optional password. It may be missing if the owner has typed the password in this session in the last
 * five minutes.
 */
export type CallerMaybePassword = Omit<Confirmed, 'currentPassword'> & Partial<Pick<Confirmed, 'currentPassword'>>;

type Ports = Pick<
  AccountContext,
  'accounts' | 'actors' | 'payments' | 'passwords' | 'origin' | 'unstoredMails' | 'now'
> & {
  readonly check: PasswordVerification;
  readonly sessions: Pick<Sessions, 'device'>;
};

export type Credentials = ReturnType<typeof createCredentials>;

/**
 * All methods throw AppError: `login_throttled`, `invalid_credentials`, `rate_limited`, `busy`. They throw
 * `invalid_token` or `account_suspended` if the session has ended or the account was suspended since the request
 * arrived.
 */
export function createCredentials(ports: Ports) {
  const { actors, check, passwords, sessions, now } = ports;

  const reauthenticate = (confirmed: Confirmed): Promise<Reauthentication> => verify(check, confirmed);

  function run<Result>(
    { caller, client }: Confirmed,
    decide: (account: Account, at: Date) => Change<Result>,
  ): Promise<Result> {
    return actors.run(caller.account.id, client.actor, decide).catch(throwAboutPassword);
  }

  return {
    /** Checks the password and changes nothing. Check the returned proof again when a change is saved. */
    prove: reauthenticate,

    /**
     * Checks the password. For five minutes after that, calls for the same session may omit it. Throws the errors that
     * all methods have (see `createCredentials`), and `invalid_request` if the password is missing after five minutes.
     */
    async proveForMinutes({ currentPassword, ...rest }: CallerMaybePassword): Promise<Reauthentication> {
      if (currentPassword === undefined) {
        const recent = recentProof(rest.caller.session, new Date(now()));
        if (!recent)
          throw invalidField('currentPassword', 'required, because it was not sent in the last five minutes');
        return recent;
      }
      const confirmed = { ...rest, currentPassword };
      const proof = await reauthenticate(confirmed);
      await run(confirmed, (account, at) => confirmSession(account, proof, at));
      return proof;
    },

    /** Checks the password and changes nothing. Returns the caller with the account that was read after the check. */
    async confirm(confirmed: Confirmed): Promise<Caller> {
      const proof = await reauthenticate(confirmed);
      return run(confirmed, (account, at): Change<Caller> => {
        assertStillAuthenticated(account, proof, at);
        return { account, facts: [], result: { ...confirmed.caller, account } };
      });
    },

    /** Replaces the API key. When the call resolves, the old key is invalid in every process. */
    async regenerateKey(confirmed: Confirmed): Promise<KeyChange> {
      const proof = await reauthenticate(confirmed);
      return run(confirmed, (account, at) => regenerateKey(account, proof, at));
    },

    /**
     * Changes the password and ends all other sessions. Returns a new value of the device cookie, because the new
     * password makes the old value invalid. Throws the errors that all methods have (see `createCredentials`), and
     * `invalid_request` for an unacceptable new password.
     */
    async changePassword(confirmed: Confirmed, newPassword: string): Promise<string> {
      const { caller, currentPassword, client } = confirmed;
      passwords.assertGood(newPassword, caller.account.email, 'newPassword');
      if (canonicalPassword(newPassword) === canonicalPassword(currentPassword))
        throw invalidField('newPassword', 'the same as the current password', 'a new password');
      const proof = await reauthenticate(confirmed);
      const passwordHash = await passwords.hash(newPassword, ownersTurn(caller.account));
      const changed = await run(confirmed, (account, at): Change<Account> => {
        const change = changePassword(account, { proof, passwordHash }, at);
        return { ...change, result: change.account };
      });
      return sessions.device(changed, client);
    },

    /** Ends all sessions, including the caller's. Returns their number. */
    async endAllSessions(confirmed: Confirmed): Promise<number> {
      const proof = await reauthenticate(confirmed);
      return run(confirmed, (account, at) => endAllSessions(account, proof, at));
    },

    async deleteAccount(confirmed: Confirmed): Promise<void> {
      const proof = await reauthenticate(confirmed);
      const { caller, client } = confirmed;
      await deleteAccount(ports, caller.account.id, client.actor, proof).catch(throwAboutPassword);
    },
  };
}

async function verify(
  check: PasswordVerification,
  { caller: { account, session }, currentPassword, client }: Confirmed,
): Promise<Reauthentication> {
  const claim = { email: account.email, account, password: currentPassword, client };
  const { password } = await check.verify({ ...claim, purpose: 'confirmation' }).catch(throwAboutPassword);
  return { session: session.id, passwordVersion: password.version };
}

/**
 * Replaces the message of `invalid_credentials`, because that message mentions an e-mail address, which signed-in
 * callers do not send.
 */
function throwAboutPassword(error: unknown): never {
  if (isCode(error, 'invalid_credentials')) throw new AppError('invalid_credentials', 'The current password is wrong.');
  throw error;
}
