// Sessions of signed-in customers: bearer tokens and cookies, checked against the stored account at each request.
import type { Account, AccountId } from './account.js';
import { endSession, useSession } from './changes/sessions.js';
import { renewedDevice } from './trusted-device.js';
import {
  absoluteEnd,
  isLive,
  isWorthTouching,
  parseSessionToken,
  sessionEnd,
  type NewSession,
  type Session,
  type SessionId,
} from './session.js';
import { AppError } from '../platform/errors.js';
import type { IssuedToken } from './access-tokens.js';
import type { Client } from './client-info.js';
import type { AccountContext } from './context.js';

export type { IssuedToken } from './access-tokens.js';

type Ports = Pick<AccountContext, 'accounts' | 'actors' | 'tokens' | 'background' | 'deviceSecrets' | 'now'>;

export interface SignedIn {
  readonly account: Account;
  readonly access: IssuedToken;
  readonly sessionToken: string;
  readonly deviceToken: string;
}

/** Signed-in customer of a request. */
export interface Caller {
  readonly account: Account;
  readonly session: Session;
}

export interface SessionView {
  readonly session: Session;
  readonly expiresAt: Date;
  readonly current: boolean;
}

/**
 * Handling of a suspended account. `reject`: throws `account_suspended`. `allow`: accepts the account, so that its
 * owner can sign out.
 */
export type Suspension = 'reject' | 'allow';

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(ports: Ports) {
  const { actors, tokens, deviceSecrets, now } = ports;
  const touch = createSessionToucher(ports);

  const issue = (account: Account, session: Session): IssuedToken =>
    tokens.issue({ accountId: account.id, sessionId: session.id }, absoluteEnd(session));

  /** Returns a value for the device cookie. If the client has a valid one, renews it. */
  const device = (account: Account, { deviceToken }: Client): string =>
    renewedDevice(deviceToken, { account, at: new Date(now()) }, deviceSecrets);

  /**
   * Returns the account and its live session for which `fits` returns true, or undefined if there is none. Records the
   * use of the session. Throws AppError `account_suspended` if the account is suspended and `suspension` is `reject`.
   */
  async function liveSession(
    accountId: AccountId,
    suspension: Suspension,
    fits: (session: Session) => boolean,
  ): Promise<Caller | undefined> {
    const account = await ports.accounts.find(accountId);
    if (!account || account.deleting) return undefined;
    const at = new Date(now());
    const session = account.sessions.find(fits);
    if (!session || !isLive(session, at)) return undefined;
    if (account.suspended && suspension === 'reject') throw new AppError('account_suspended');
    if (isWorthTouching(session, at)) touch(account.id, session.id);
    return { account, session };
  }

  return {
    begin: (account: Account, { session, token }: NewSession, client: Client): SignedIn => ({
      account,
      access: issue(account, session),
      sessionToken: token,
      deviceToken: device(account, client),
    }),

    device,

    /**
     * Returns the caller of a bearer token. Throws AppError `invalid_token` if the token is invalid or its session has
     * ended. Throws AppError `account_suspended` if the account is suspended and `suspension` is `reject`.
     */
    async byBearer(token: string, suspension: Suspension = 'reject'): Promise<Caller> {
      const claims = tokens.verify(token);
      const caller = claims && (await liveSession(claims.accountId, suspension, ({ id }) => id === claims.sessionId));
      if (!caller) throw new AppError('invalid_token');
      return caller;
    },

    /**
     * Returns the caller of a session cookie. Throws AppError `session_ended` if the cookie is invalid or its session
     * has ended. Throws AppError `account_suspended` if the account is suspended and `suspension` is `reject`.
     */
    async byCookie(token: string, suspension: Suspension = 'reject'): Promise<Caller> {
      const parsed = parseSessionToken(token);
      // The hashes need no comparison in constant time. Timing reveals nothing useful about hashes of 256 random bits.
      const caller =
        parsed && (await liveSession(parsed.accountId, suspension, ({ tokenHash }) => tokenHash === parsed.tokenHash));
      if (!caller) throw new AppError('session_ended');
      return caller;
    },

    refresh: ({ account, session }: Caller): IssuedToken => issue(account, session),

    list({ account, session: own }: Caller): readonly SessionView[] {
      const at = new Date(now());
      return account.sessions
        .filter((session) => isLive(session, at))
        .map((session) => ({ session, expiresAt: sessionEnd(session), current: session.id === own.id }))
        .reverse();
    },

    /** Returns false if the account has no live session with this id. */
    end: ({ account }: Caller, id: SessionId, client: Client): Promise<boolean> =>
      actors.run(account.id, client.actor, (current, at) => endSession(current, id, at)),
  };
}

/**
 * Returns a function that records the use of a session in the background. Further calls for the same session do nothing
 * until that use is recorded.
 */
function createSessionToucher({ actors, background }: Ports): (accountId: AccountId, id: SessionId) => void {
  const touching = new Set<SessionId>();
  return (accountId, id) => {
    if (touching.has(id)) return;
    touching.add(id);
    background.start(async () => {
      try {
        await actors.run(accountId, { kind: 'customer', address: null }, (current, at) => useSession(current, id, at));
      } finally {
        touching.delete(id);
      }
    });
  };
}
