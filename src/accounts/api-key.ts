// API keys: secret, with the prefix `blz_` and the format of keys. Each account has one.
import type { AccountId } from './account-id.js';
import { hashKey, KeyFormat, type ParsedKey } from './key-format.js';

const FORMAT = new KeyFormat('blz_');
export const API_KEY_LENGTH = FORMAT.length;
export const API_KEY_PATTERN = FORMAT.pattern;

/** A new key. Only its hash is stored and compared. */
export interface NewApiKey extends ParsedKey {
  /** The key, which is shown once and never stored. */
  readonly raw: string;
  /** Last four characters, with which people tell keys apart. */
  readonly hint: string;
}

/** Creates a key from the system's secure random source. */
export function newApiKey(accountId: AccountId): NewApiKey {
  const raw = FORMAT.generate(accountId);
  return { accountId, raw, hash: hashKey(raw), hint: raw.slice(-4) };
}

/** Parses a key. Returns undefined if its prefix, alphabet, length or checksum is wrong. No I/O. */
export const parseApiKey = (raw: string): ParsedKey | undefined => FORMAT.parse(raw);
