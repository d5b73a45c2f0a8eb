// Changes by a signed-in customer that need the password again.
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

/** The caller, with the password as proof of ownership. */
export interface Confirmed {
  readonly caller: Caller;
  readonly currentPassword: string;
  readonly client: Client;
}

/** The caller, who may have given the password a moment ago. */
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
 * All throw AppError: `login_throttled`, `invalid_credentials`, `rate_limited`, `busy`; and `invalid_token`,
 * `account_suspended` when the session has ended or the account was suspended while the password was checked.
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
    /** Checks the password only; the proof is checked again where it is used. */
    prove: reauthenticate,

    /**
     * With a password as `prove`, and then without one for five minutes in the same session. Also throws `invalid_request`
     * where the password is needed.
     */
    async proveForMinutes({ currentPassword, ...rest }: CallerMaybePassword): Promise<Reauthentication> {
      if (currentPassword === undefined) {
        const recent = recentProof(rest.caller.session, new Date(now()));
        if (!recent) throw invalidField('currentPassword', 'needed again after five minutes');
        return recent;
      }
      const confirmed = { ...rest, currentPassword };
      const proof = await reauthenticate(confirmed);
      await run(confirmed, (account, at) => confirmSession(account, proof, at));
      return proof;
    },

    /** Changes nothing. The result: the caller, with the account as it is after the password was checked. */
    async confirm(confirmed: Confirmed): Promise<Caller> {
      const proof = await reauthenticate(confirmed);
      return run(confirmed, (account, at): Change<Caller> => {
        assertStillAuthenticated(account, proof, at);
        return { account, facts: [], result: { ...confirmed.caller, account } };
      });
    },

    /** When it resolves, the old key is invalid everywhere. */
    async regenerateKey(confirmed: Confirmed): Promise<KeyChange> {
      const proof = await reauthenticate(confirmed);
      return run(confirmed, (account, at) => regenerateKey(account, proof, at));
    },

    /**
     * Ends all other sessions; the result is a device token in the place of the old one. Also throws `invalid_request`
     * for a bad new password.
     */
    async changePassword(confirmed: Confirmed, newPassword: string): Promise<string> {
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

    /** How many there were, the caller's own among them. */
    async endAllSessions(confirmed: Confirmed): Promise<number> {
      const proof = await reauthenticate(confirmed);
      return run(confirmed, (account, at) => endAllSessions(account, proof, at));
    },

    /** Also throws `billing_unavailable`. */
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

/** A signed-in caller gave no e-mail address that could be wrong. */
function throwAboutPassword(error: unknown): never {
  if (isCode(error, 'invalid_credentials')) throw new AppError('invalid_credentials', 'The current password is wrong.');
  throw error;
}
