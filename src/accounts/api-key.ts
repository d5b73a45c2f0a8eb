// API keys: secret keys with the prefix `blz_` (key-format.ts). Each account has one API key.
import type { AccountId } from './account-id.js';
import { hashKey, KeyFormat, type ParsedKey } from './key-format.js';

const FORMAT = new KeyFormat('blz_');
export const API_KEY_LENGTH = FORMAT.length;
export const API_KEY_PATTERN = FORMAT.pattern;

export interface NewApiKey extends ParsedKey {
  /** Whole key. It is shown once and never stored. Only its hash is stored. */
  readonly raw: string;
  /** Last four characters of the key, shown to tell keys apart. */
  readonly hint: string;
}

export function newApiKey(accountId: AccountId): NewApiKey {
  const raw = FORMAT.generate(accountId);
  return { accountId, raw, hash: hashKey(raw), hint: raw.slice(-4) };
}

/** Parses a key without I/O. Returns undefined if its prefix, alphabet, length or checksum is wrong. */
export const parseApiKey = (raw: string): ParsedKey | undefined => FORMAT.parse(raw);
