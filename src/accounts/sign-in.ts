// Sign-in: an e-mail address and password are exchanged for a session.
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
  /** Makes room when the account has as many live sessions as it may have. */
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
     * Throws AppError: `login_throttled`, `invalid_credentials`, `rate_limited`, `busy`, `account_suspended`,
     * `session_limit`.
     */
    async signIn({ email, password, client, endOldest = false }: SignInRequest): Promise<SignedIn> {
      // Not the whole account: reading one with many sessions takes a millisecond, which would reveal that there is
      // one.
      const found = await accounts.passwordOf(emailIdentity(email));
      const known = await check.verify({
        email,
        account: found?.deleting === true ? undefined : found,
        password,
        purpose: 'sign-in',
        client,
      });
      // A hash that cannot be renewed now is renewed next time.
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
