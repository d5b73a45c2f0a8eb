// Sessions: tokens, idle and absolute timeouts, and the last use.
import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AccountId } from './account-id.js';
import { ACCOUNT_ID_LENGTH, randomBase62 } from '../platform/text/base62.js';
import { branded, instant, type RecordOf } from '../platform/stores/stored-record.js';
import { DAY_MS, earlier, isWithin, MINUTE_MS } from '../platform/time.js';

export const SESSION_IDLE_MS = 7 * DAY_MS;
export const SESSION_ABSOLUTE_MS = 30 * DAY_MS;
/** Live ones of an account. */
export const MAX_SESSIONS = 100;
/** The last use is written at most this often. */
const LAST_USE_STEP_MS = MINUTE_MS;
const SECRET_BYTES = 32;
const ID_LENGTH = 16;
export const SESSION_ID_PATTERN = new RegExp(`^[0-9A-Za-z]{${ID_LENGTH}}$`);
const TOKEN_PATTERN = /^([0-9A-Za-z]{12})([\w-]{43})$/;

export type SessionId = string & { readonly __brand: 'SessionId' };

export const sessionSchema = z.object({
  /** Public name; gives no access. */
  id: branded<SessionId>(),
  /** SHA-256 of the whole token, hex. */
  tokenHash: z.string(),
  createdAt: instant,
  lastUsedAt: instant,
  userAgent: z.string().nullable(),
  /** Shortened (`shortAddress`). */
  address: z.string().nullable(),
  /** The last time that the owner typed the password where one is enough for some minutes, and its version. */
  confirmed: z.object({ at: instant, passwordVersion: z.int() }).optional(),
});
export type Session = RecordOf<typeof sessionSchema>;

/** The stored part of a client's identity. */
export type ClientInfo = Pick<Session, 'userAgent' | 'address'>;

export interface NewSession {
  readonly session: Session;
  /** For the cookie; never stored. */
  readonly token: string;
}

/** A token is the account's reference and 256 random bits, base64url. */
export function newSession(accountId: AccountId, { userAgent, address }: ClientInfo, at: Date): NewSession {
  const token = accountId + randomBytes(SECRET_BYTES).toString('base64url');
  const id = randomBase62(ID_LENGTH) as SessionId;
  return {
    token,
    session: { id, tokenHash: hash('sha256', token), createdAt: at, lastUsedAt: at, userAgent, address },
  };
}

/** Undefined for malformed text. No I/O. */
export function parseSessionToken(
  token: string,
): { readonly accountId: AccountId; readonly tokenHash: string } | undefined {
  if (!TOKEN_PATTERN.test(token)) return undefined;
  return { accountId: token.slice(0, ACCOUNT_ID_LENGTH) as AccountId, tokenHash: hash('sha256', token) };
}

/** 7 days after the last use, at the latest 30 days after sign-in. */
export function sessionEnd({ createdAt, lastUsedAt }: Session): Date {
  return new Date(Math.min(lastUsedAt.getTime() + SESSION_IDLE_MS, absoluteEnd({ createdAt }).getTime()));
}

/** 30 days after sign-in, however often it is used. */
export function absoluteEnd({ createdAt }: Pick<Session, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + SESSION_ABSOLUTE_MS);
}

/** Neither idle nor absolute timeout has passed. */
export function isLive(session: Session, at: Date): boolean {
  return at.getTime() < sessionEnd(session).getTime();
}

/**
 * Whether this use is worth a write: also when the last one is ahead of now, or the session would live as much longer.
 */
export function isWorthTouching({ lastUsedAt }: Session, at: Date): boolean {
  return !isWithin(lastUsedAt.getTime(), LAST_USE_STEP_MS, at.getTime());
}

/** The same session, without times ahead of now: a clock that was ahead must not make it live longer. */
export function withoutFutureDates(session: Session, at: Date): Session {
  if (session.createdAt <= at && session.lastUsedAt <= at) return session;
  return { ...session, createdAt: earlier(session.createdAt, at), lastUsedAt: earlier(session.lastUsedAt, at) };
}
