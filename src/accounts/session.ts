// Sessions: tokens, idle and absolute timeouts, and time of the last use.
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
/** Minimum time in ms between two writes of `lastUsedAt`. */
const LAST_USE_STEP_MS = MINUTE_MS;
const SECRET_BYTES = 32;
const ID_LENGTH = 16;
export const SESSION_ID_PATTERN = new RegExp(`^[0-9A-Za-z]{${ID_LENGTH}}$`);
const TOKEN_PATTERN = /^([0-9A-Za-z]{12})([\w-]{43})$/;

export type SessionId = string & { readonly __brand: 'SessionId' };

export const sessionSchema = z.object({
  /** Public id. It gives no access. */
  id: branded<SessionId>(),
  /** SHA-256 of the whole token in hex. */
  tokenHash: z.string(),
  createdAt: instant,
  lastUsedAt: instant,
  userAgent: z.string().nullable(),
  /** Shortened client address (`shortAddress`); null if unknown. */
  address: z.string().nullable(),
  /** Last confirmation by password for the billing pages: its time, and the version of the password. */
  confirmed: z.object({ at: instant, passwordVersion: z.int() }).optional(),
});
export type Session = RecordOf<typeof sessionSchema>;

export type ClientInfo = Pick<Session, 'userAgent' | 'address'>;

export interface NewSession {
  readonly session: Session;
  /** Token for the cookie. It is never stored. */
  readonly token: string;
}

/** Creates a session. Its token is the account id, followed by 256 random bits in base64url. */
export function newSession(accountId: AccountId, { userAgent, address }: ClientInfo, at: Date): NewSession {
  const token = accountId + randomBytes(SECRET_BYTES).toString('base64url');
  const id = randomBase62(ID_LENGTH) as SessionId;
  return {
    token,
    session: { id, tokenHash: hash('sha256', token), createdAt: at, lastUsedAt: at, userAgent, address },
  };
}

/** Parses a token without I/O. Returns undefined for malformed text. */
export function parseSessionToken(
  token: string,
): { readonly accountId: AccountId; readonly tokenHash: string } | undefined {
  if (!TOKEN_PATTERN.test(token)) return undefined;
  return { accountId: token.slice(0, ACCOUNT_ID_LENGTH) as AccountId, tokenHash: hash('sha256', token) };
}

/** Returns the time at which the session ends: 7 days after the last use, but at most 30 days after sign-in. */
export function sessionEnd({ createdAt, lastUsedAt }: Session): Date {
  return new Date(Math.min(lastUsedAt.getTime() + SESSION_IDLE_MS, absoluteEnd({ createdAt }).getTime()));
}

/** Returns the absolute timeout of the session: 30 days after sign-in. */
export function absoluteEnd({ createdAt }: Pick<Session, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + SESSION_ABSOLUTE_MS);
}

export function isLive(session: Session, at: Date): boolean {
  return at.getTime() < sessionEnd(session).getTime();
}

/**
 * Returns true if `lastUsedAt` is old enough to be written again. Also returns true if it is in the future: the write
 * corrects it, because a wrong clock must not extend the session.
 */
export function isWorthTouching({ lastUsedAt }: Session, at: Date): boolean {
  return !isWithin(lastUsedAt.getTime(), LAST_USE_STEP_MS, at.getTime());
}

/** Returns the session with times in the future replaced by `at`. A wrong clock must not extend the session. */
export function withoutFutureDates(session: Session, at: Date): Session {
  if (session.createdAt <= at && session.lastUsedAt <= at) return session;
  return { ...session, createdAt: earlier(session.createdAt, at), lastUsedAt: earlier(session.lastUsedAt, at) };
}
