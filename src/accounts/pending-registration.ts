// Pending registrations, encrypted in the token of the mailed link. Nothing is stored until the owner of the address
// follows the link.
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { CLOCK_TOLERANCE_MS, HOUR_MS } from '../platform/time.js';

export const REGISTRATION_LINK_MS = 24 * HOUR_MS;
export const REGISTRATION_TOKEN_PATTERN = /^reg_[0-9A-Za-z_-]{80,2000}$/;
const CIPHER = 'aes-256-gcm';
const PREFIX = 'reg_';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface PendingRegistration {
  readonly email: string;
  readonly passwordHash: string;
  readonly expiresAt: Date;
}

const sealed = z
  .tuple([z.string(), z.string(), z.number()])
  .transform(([email, passwordHash, expiresAtMs]) => ({ email, passwordHash, expiresAt: new Date(expiresAtMs) }));

const keyOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Encrypts a registration. Returns the token for the link. */
export function sealRegistration({ email, passwordHash, expiresAt }: PendingRegistration, secret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret), iv);
  const text = cipher.update(JSON.stringify([email, passwordHash, expiresAt.getTime()]));
  const last = cipher.final();
  return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), text, last]).toString('base64url');
}

/** Decrypts a token that was made with one of the secrets. Returns undefined if the token is invalid or has expired. */
export function openRegistration(
  token: string,
  { secrets, at }: { readonly secrets: readonly string[]; readonly at: Date },
): PendingRegistration | undefined {
  if (!REGISTRATION_TOKEN_PATTERN.test(token)) return undefined;
  const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url');
  for (const secret of secrets) {
    const pending = decrypted(bytes, secret);
    if (!pending) continue;
    const leftMs = pending.expiresAt.getTime() - at.getTime();
    // Rejects a token that would stay valid longer than a new token. Its expiry was set by a wrong clock.
    return leftMs > 0 && leftMs <= REGISTRATION_LINK_MS + CLOCK_TOLERANCE_MS ? pending : undefined;
  }
  return undefined;
}

function decrypted(bytes: Buffer, secret: string): PendingRegistration | undefined {
  const decipher = createDecipheriv(CIPHER, keyOf(secret), bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
  try {
    return sealed.parse(JSON.parse(Buffer.concat([text, decipher.final()]).toString()));
  } catch {
    return undefined;
  }
}
