// Format of keys: prefix, account id, secret and checksum, in Base62 with a fixed length.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { AccountId } from './account-id.js';
import { ACCOUNT_ID_LENGTH, BASE62, randomBase62 } from '../platform/text/base62.js';

/** Number of secret characters. 33 Base62 characters have more than 196 bits. */
const SECRET_LENGTH = 33;
/** Number of checksum characters. 62^6 is greater than 2^32, the number of CRC-32 values. */
const CHECKSUM_LENGTH = 6;
const KEY_ID_LENGTH = 16;
const LENGTH_AFTER_PREFIX = ACCOUNT_ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH;

/** Parts of a well-formed key. The key may belong to no account. */
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

  generate(accountId: AccountId): string {
    const body = this.prefix + accountId + randomBase62(SECRET_LENGTH);
    return body + checksum(body);
  }

  /** Parses a key without I/O. Returns undefined if its prefix, alphabet, length or checksum is wrong. */
  parse(raw: string): ParsedKey | undefined {
    if (raw.length !== this.length || !this.pattern.test(raw)) return undefined;
    if (raw.slice(-CHECKSUM_LENGTH) !== checksum(raw.slice(0, -CHECKSUM_LENGTH))) return undefined;
    const accountId = raw.slice(this.prefix.length, this.prefix.length + ACCOUNT_ID_LENGTH) as AccountId;
    return { accountId, hash: hashKey(raw) };
  }
}

/** Returns the SHA-256 of a key in hex. Keys are compared by this hash. */
export function hashKey(raw: string): string {
  return hash('sha256', raw);
}

/** Returns the first 64 bits of a key's hash. They identify a key of an account in URLs, counters and the log. */
export function keyId(keyHash: string): string {
  return keyHash.slice(0, KEY_ID_LENGTH);
}

/**
 * Returns the checksum at the end of a key: the CRC-32 (ISO-HDLC, as in zlib) of `body`, the text before the checksum.
 * It is written in Base62 and left-padded with zeros.
 */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  while (text.length < CHECKSUM_LENGTH) {
    text = BASE62.charAt(rest % BASE62.length) + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}
