// Changes of an account's sessions.
import { AppError } from '../../platform/errors.js';
import type { Account } from '../account.js';
import { assertStillAuthenticated, assertSamePassword, type Reauthentication } from './reauthentication.js';
import { unchanged, type Change } from './change.js';
import type { AuditFact } from '../audit-event.js';
import { linkTimeLeft } from '../email-link.js';
import {
  MAX_SESSIONS,
  withoutFutureDates,
  isLive,
  isWorthTouching,
  newSession,
  type NewSession,
  type ClientInfo,
  type Session,
  type SessionId,
} from '../session.js';

export interface SignIn {
  /** Version of the password that was checked. */
  readonly passwordVersion: number;
  readonly origin: ClientInfo;
  /** New hash of the same password, with current parameters. Present if the stored hash is outdated. */
  readonly rehash?: string;
  /**
   * What to do if there are already `MAX_SESSIONS` live sessions. If true, the session that was unused for the longest
   * time ends. If false, the sign-in is rejected.
   */
  readonly endOldest?: boolean;
}

/**
 * Adds a session. If the account already has `MAX_SESSIONS` live sessions, throws `session_limit`, or with `endOldest`
 * ends the session that was unused for the longest time. Also throws `invalid_credentials`, `account_suspended`.
 */
export function signIn(
  account: Account,
  { passwordVersion, origin, rehash, endOldest = false }: SignIn,
  at: Date,
): Change<NewSession> {
  assertSamePassword(account, passwordVersion);
  if (account.suspended) throw new AppError('account_suspended');
  const live = account.sessions.filter((session) => isLive(session, at));
  const ended = live.length < MAX_SESSIONS ? undefined : longestUnused(live);
  if (ended && !endOldest) throw new AppError('session_limit');
  const fresh = newSession(account.id, origin, at);
  const sessions = [...live.filter((session) => session !== ended), fresh.session];
  const password = rehash === undefined ? account.password : { ...account.password, hash: rehash };
  const facts: AuditFact[] = [{ type: 'authn_login_success', detail: { session: fresh.session.id } }];
  if (ended) facts.push({ type: 'session_expired', detail: { session: ended.id, why: 'too many' } });
  return { account: { ...account, sessions, password }, facts, result: fresh };
}

function longestUnused(sessions: readonly Session[]): Session | undefined {
  return sessions.reduce<Session | undefined>(
    (oldest, session) => (oldest && oldest.lastUsedAt <= session.lastUsedAt ? oldest : session),
    undefined,
  );
}

/** Records the use of a live session, at most once a minute. */
export function useSession(account: Account, id: SessionId, at: Date): Change {
  const used = account.sessions.find((session) => session.id === id);
  if (!used || !isLive(used, at) || !isWorthTouching(used, at)) return unchanged(account);
  return {
    ...unchanged(account),
    account: {
      ...account,
      sessions: account.sessions.map((session) =>
        session === used ? { ...withoutFutureDates(used, at), lastUsedAt: at } : session,
      ),
    },
  };
}

/** The result is false if the session was not live. */
export function endSession(account: Account, id: SessionId, at: Date): Change<boolean> {
  const ended = account.sessions.find((session) => session.id === id);
  if (!ended || !isLive(ended, at)) return { account, facts: [], result: false };
  return {
    account: { ...account, sessions: account.sessions.filter((session) => session !== ended) },
    facts: [{ type: 'session_expired', detail: { session: id, why: 'signed out' } }],
    result: true,
  };
}

/** The result is the number of sessions that were live. `proof` is undefined for the operator. */
export function endAllSessions(account: Account, proof: Reauthentication | undefined, at: Date): Change<number> {
  assertStillAuthenticated(account, proof, at);
  const live = account.sessions.filter((session) => isLive(session, at)).length;
  if (account.sessions.length === 0) return { account, facts: [], result: 0 };
  return {
    account: { ...account, sessions: [] },
    facts: [{ type: 'session_expired', detail: { sessions: live, why: 'signed out everywhere' } }],
    result: live,
  };
}

/** Removes expired sessions and links. Corrects session times in the future, which come from a wrong clock. */
export function removeExpired(account: Account, at: Date): Change {
  const sessions = account.sessions
    .filter((session) => isLive(session, at))
    .map((session) => withoutFutureDates(session, at));
  const links = account.links.filter((link) => linkTimeLeft(link, at) > 0);
  const ended = account.sessions.length - sessions.length;
  const isRedated = sessions.some((session) => !account.sessions.includes(session));
  if (ended === 0 && !isRedated && links.length === account.links.length) return unchanged(account);
  const facts: AuditFact[] = ended === 0 ? [] : [{ type: 'session_expired', detail: { sessions: ended, why: 'time' } }];
  return { account: { ...account, sessions, links }, facts, result: undefined };
}
