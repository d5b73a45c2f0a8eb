// API keys: `blz_` + account reference + secret + checksum, Base62, fixed length.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { AccountId } from './account.js';
import { ACCOUNT_ID_LENGTH, BASE62, randomBase62 } from '../base62.js';

const PREFIX = 'blz_';
/** 62^33 > 2^196. */
const SECRET_LENGTH = 33;
/** 62^6 > 2^32: a CRC-32 fits. */
const CHECKSUM_LENGTH = 6;
export const API_KEY_LENGTH = PREFIX.length + ACCOUNT_ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH;
export const API_KEY_PATTERN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${API_KEY_LENGTH - PREFIX.length}}$`);

/** Parts of a well-formed key, without any lookup. */
export interface ParsedApiKey {
  readonly accountId: AccountId;
  /** SHA-256 of the whole key, hex: what is stored and compared. */
  readonly hash: string;
}

export interface NewApiKey extends ParsedApiKey {
  /** Shown once, never stored. */
  readonly raw: string;
  /** Last four characters, for people to tell keys apart. */
  readonly hint: string;
}

/** From the system's secure source of randomness. */
export function newApiKey(accountId: AccountId): NewApiKey {
  const body = PREFIX + accountId + randomBase62(SECRET_LENGTH);
  const raw = body + checksum(body);
  return { accountId, raw, hash: hashApiKey(raw), hint: raw.slice(-4) };
}

/** Undefined for anything with a wrong prefix, alphabet, length or checksum. No I/O. */
export function parseApiKey(raw: string): ParsedApiKey | undefined {
  if (raw.length !== API_KEY_LENGTH || !API_KEY_PATTERN.test(raw)) return undefined;
  const body = raw.slice(0, -CHECKSUM_LENGTH);
  if (raw.slice(-CHECKSUM_LENGTH) !== checksum(body)) return undefined;
  return { accountId: raw.slice(PREFIX.length, PREFIX.length + ACCOUNT_ID_LENGTH) as AccountId, hash: hashApiKey(raw) };
}

/** CRC-32 (ISO-HDLC, as in zlib) of the text before it, Base62, left-padded with zeros. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  while (text.length < CHECKSUM_LENGTH) {
    text = BASE62.charAt(rest % BASE62.length) + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}

function hashApiKey(raw: string): string {
  return hash('sha256', raw);
}
