// API keys: secret, `blz_` and the format of keys; one per account.
import type { AccountId } from './account-id.js';
import { hashKey, KeyFormat, type ParsedKey } from './key-format.js';

const FORMAT = new KeyFormat('blz_');
export const API_KEY_LENGTH = FORMAT.length;
export const API_KEY_PATTERN = FORMAT.pattern;

/** Its hash is what is stored and compared. */
export interface NewApiKey extends ParsedKey {
  /** Shown once, never stored. */
  readonly raw: string;
  /** Last four characters, for people to tell keys apart. */
  readonly hint: string;
}

/** From the system's secure source of randomness. */
export function newApiKey(accountId: AccountId): NewApiKey {
  const raw = FORMAT.generate(accountId);
  return { accountId, raw, hash: hashKey(raw), hint: raw.slice(-4) };
}

/** Undefined for anything with a wrong prefix, alphabet, length or checksum. No I/O. */
export const parseApiKey = (raw: string): ParsedKey | undefined => FORMAT.parse(raw);
