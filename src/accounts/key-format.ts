// Format of keys: prefix + account reference + secret + checksum, Base62, fixed length.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { AccountId } from './account-id.js';
import { ACCOUNT_ID_LENGTH, BASE62, randomBase62 } from '../platform/text/base62.js';

/** 62^33 > 2^196. */
const SECRET_LENGTH = 33;
/** 62^6 > 2^32: a CRC-32 fits. */
const CHECKSUM_LENGTH = 6;
const KEY_ID_LENGTH = 16;
const LENGTH_AFTER_PREFIX = ACCOUNT_ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH;

/** Parts of a well-formed key, without a lookup. */
export interface ParsedKey {
  readonly accountId: AccountId;
  /** SHA-256 of the whole key, hex. */
  readonly hash: string;
}

export class KeyFormat {
  readonly length: number;
  readonly pattern: RegExp;

  constructor(private readonly prefix: string) {
    this.length = prefix.length + LENGTH_AFTER_PREFIX;
    this.pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${LENGTH_AFTER_PREFIX}}$`);
  }

  /** Creates a key from the system's secure random source. */
  generate(accountId: AccountId): string {
    const body = this.prefix + accountId + randomBase62(SECRET_LENGTH);
    return body + checksum(body);
  }

  /** Parses a key. Returns undefined if its prefix, alphabet, length or checksum is wrong. No I/O. */
  parse(raw: string): ParsedKey | undefined {
    if (raw.length !== this.length || !this.pattern.test(raw)) return undefined;
    if (raw.slice(-CHECKSUM_LENGTH) !== checksum(raw.slice(0, -CHECKSUM_LENGTH))) return undefined;
    const accountId = raw.slice(this.prefix.length, this.prefix.length + ACCOUNT_ID_LENGTH) as AccountId;
    return { accountId, hash: hashKey(raw) };
  }
}

/** Returns the SHA-256 in hex, with which keys are compared. */
export function hashKey(raw: string): string {
  return hash('sha256', raw);
}

/** Returns 64 bits of a key's hash: enough to distinguish the keys of an account in URLs, counters and the log. */
export function keyId(keyHash: string): string {
  return keyHash.slice(0, KEY_ID_LENGTH);
}

/** Returns the CRC-32 (ISO-HDLC, as in zlib) of the text before the checksum in Base62, left-padded with zeros. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  while (text.length < CHECKSUM_LENGTH) {
    text = BASE62.charAt(rest % BASE62.length) + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}
