// Sign-in: exchanges an e-mail address and password for a session.
import { emailIdentity, type Account } from './account.js';
import type { Change } from './changes/change.js';
import { signIn } from './changes/sessions.js';
import type { NewSession } from './session.js';
import { ownersTurn, type Client } from './client-info.js';
import type { PasswordVerification } from './password-verification.js';
import type { Sessions, SignedIn } from './sessions.js';
import type { AccountContext } from './context.js';

export interface SignInRequest {
  readonly email: string;
  readonly password: string;
  readonly client: Client;
  /**
   * True to end the session that was unused for the longest time if the account already has the maximum number of live
   * sessions.
   */
  readonly endOldest?: boolean;
}

export type SignInService = ReturnType<typeof createSignIn>;

export function createSignIn({
  accounts,
  actors,
  check,
  hasher,
  passwords,
  sessions,
}: Pick<AccountContext, 'accounts' | 'actors' | 'hasher' | 'passwords'> & {
  readonly check: PasswordVerification;
  readonly sessions: Pick<Sessions, 'begin'>;
}) {
  return {
    /**
     * Signs a customer in. Throws AppError: `login_throttled`, `invalid_credentials`, `rate_limited`, `busy`,
     * `account_suspended`, `session_limit`.
     */
    async signIn({ email, password, client, endOldest = false }: SignInRequest): Promise<SignedIn> {
      // Reads only the password record. Reading a whole account with many sessions takes a millisecond longer, which
      // would reveal that the account exists.
      const found = await accounts.passwordOf(emailIdentity(email));
      const known = await check.verify({
        email,
        account: found?.deleting === true ? undefined : found,
        password,
        purpose: 'sign-in',
        client,
      });
      // If the hasher is too busy for the new hash, the sign-in succeeds without it, and the next sign-in tries again.
      const rehash = hasher.isOutdated(known.password.hash)
        ? await passwords.hash(password, ownersTurn(known)).catch(() => undefined)
        : undefined;
      const request = {
        passwordVersion: known.password.version,
        origin: client.origin,
        endOldest,
        ...(rehash !== undefined && { rehash }),
      };
      const { account, fresh } = await actors.run(
        known.id,
        client.actor,
        (current, at): Change<{ account: Account; fresh: NewSession }> => {
          const change = signIn(current, request, at);
          return { ...change, result: { account: change.account, fresh: change.result } };
        },
      );
      return sessions.begin(account, fresh, client);
    },
  };
}
