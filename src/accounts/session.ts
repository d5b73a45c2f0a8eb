// Sessions: tokens, idle and absolute timeouts, and the last use.
import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AccountId } from './account-id.js';
import { ACCOUNT_ID_LENGTH, randomBase62 } from '../platform/text/base62.js';
import { branded, instant, type RecordOf } from '../platform/stores/stored-record.js';
import { DAY_MS, earlier, isWithin, MINUTE_MS } from '../platform/time.js';

export const SESSION_IDLE_MS = 7 * DAY_MS;
export const SESSION_ABSOLUTE_MS = 30 * DAY_MS;
/** Maximum number of live sessions per account. */
export const MAX_SESSIONS = 100;
/** Minimum time in ms between two writes of the last use. */
const LAST_USE_STEP_MS = MINUTE_MS;
const SECRET_BYTES = 32;
const ID_LENGTH = 16;
export const SESSION_ID_PATTERN = new RegExp(`^[0-9A-Za-z]{${ID_LENGTH}}$`);
const TOKEN_PATTERN = /^([0-9A-Za-z]{12})([\w-]{43})$/;

export type SessionId = string & { readonly __brand: 'SessionId' };

export const sessionSchema = z.object({
  /** Public id; gives no access. */
  id: branded<SessionId>(),
  /** SHA-256 of the whole token in hex. */
  tokenHash: z.string(),
  createdAt: instant,
  lastUsedAt: instant,
  userAgent: z.string().nullable(),
  /** Shortened client address (`shortAddress`). */
  address: z.string().nullable(),
  /**
   * Last time that the owner typed the password on a page that accepts it for some minutes, and the password's version.
   */
  confirmed: z.object({ at: instant, passwordVersion: z.int() }).optional(),
});
export type Session = RecordOf<typeof sessionSchema>;

/** The stored information about a client. */
export type ClientInfo = Pick<Session, 'userAgent' | 'address'>;

export interface NewSession {
  readonly session: Session;
  /** Token for the cookie; never stored. */
  readonly token: string;
}

/** Creates a session. Its token is the account's reference and 256 random bits in base64url. */
export function newSession(accountId: AccountId, { userAgent, address }: ClientInfo, at: Date): NewSession {
  const token = accountId + randomBytes(SECRET_BYTES).toString('base64url');
  const id = randomBase62(ID_LENGTH) as SessionId;
  return {
    token,
    session: { id, tokenHash: hash('sha256', token), createdAt: at, lastUsedAt: at, userAgent, address },
  };
}

/** Parses a token. Returns undefined for malformed text. No I/O. */
export function parseSessionToken(
  token: string,
): { readonly accountId: AccountId; readonly tokenHash: string } | undefined {
  if (!TOKEN_PATTERN.test(token)) return undefined;
  return { accountId: token.slice(0, ACCOUNT_ID_LENGTH) as AccountId, tokenHash: hash('sha256', token) };
}

/** Returns the end of the session: 7 days after the last use, at most 30 days after sign-in. */
export function sessionEnd({ createdAt, lastUsedAt }: Session): Date {
  return new Date(Math.min(lastUsedAt.getTime() + SESSION_IDLE_MS, absoluteEnd({ createdAt }).getTime()));
}

/** Returns the latest end of the session: 30 days after sign-in, regardless of use. */
export function absoluteEnd({ createdAt }: Pick<Session, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + SESSION_ABSOLUTE_MS);
}

/** Returns true if neither the idle nor the absolute timeout has passed. */
export function isLive(session: Session, at: Date): boolean {
  return at.getTime() < sessionEnd(session).getTime();
}

/**
 * Returns true if the use should be written. This includes a last use ahead of now, which would otherwise make the
 * session live longer.
 */
export function isWorthTouching({ lastUsedAt }: Session, at: Date): boolean {
  return !isWithin(lastUsedAt.getTime(), LAST_USE_STEP_MS, at.getTime());
}

/** Returns the session without times ahead of now, because a clock that was ahead must not make it live longer. */
export function withoutFutureDates(session: Session, at: Date): Session {
  if (session.createdAt <= at && session.lastUsedAt <= at) return session;
  return { ...session, createdAt: earlier(session.createdAt, at), lastUsedAt: earlier(session.lastUsedAt, at) };
}
