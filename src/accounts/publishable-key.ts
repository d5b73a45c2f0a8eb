// Publishable keys, with the prefix `blzp_` (key-format.ts). They are used in web pages, can only load pictures, and
// can be shown again.
import { z } from 'zod';
import type { AccountId } from './account-id.js';
import { hashKey, KeyFormat, keyId, type ParsedKey } from './key-format.js';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';

export const PUBLISHABLE_KEY_PREFIX = 'blzp_';
const FORMAT = new KeyFormat(PUBLISHABLE_KEY_PREFIX);
export const PUBLISHABLE_KEY_PATTERN = FORMAT.pattern;

export const MAX_PUBLISHABLE_KEYS = 10;
export const MAX_KEY_NAME_CHARACTERS = 100;
export const MAX_DAILY_LIMIT = 1_000_000_000;

export const PUBLISHABLE_KEY_ID_PATTERN = /^[0-9a-f]{16}$/;

export const publishableKeySchema = z.object({
  id: z.string(),
  /** Whole key. It is not hashed, because it is public. */
  raw: z.string(),
  name: z.string(),
  /** Rules for the pages that may use the key, as `parseOrigin` returns them. Empty means all pages. */
  origins: z.array(z.string()),
  /** Requests per UTC day over all picture buckets; null means that only the account's limits apply. */
  dailyLimit: z.int().nullable(),
  createdAt: instant,
  /**
   * Time of the last use; null if never used. Requests with the key write it at most once a minute, without increasing
   * the version number of the account record. A simultaneous `save` may overwrite it with an older time.
   */
  lastUsedAt: instant.nullable(),
});
export type PublishableKey = RecordOf<typeof publishableKeySchema>;

/** Fields that the owner can change. */
export type PublishableKeySettings = Pick<PublishableKey, 'name' | 'origins' | 'dailyLimit'>;

export function newPublishableKey(accountId: AccountId, settings: PublishableKeySettings, at: Date): PublishableKey {
  const raw = FORMAT.generate(accountId);
  const { name, origins, dailyLimit } = settings;
  return { id: keyId(hashKey(raw)), raw, name, origins, dailyLimit, createdAt: at, lastUsedAt: null };
}

/** Parses a key without I/O. Returns undefined if its prefix, alphabet, length or checksum is wrong. */
export const parsePublishableKey = (raw: string): ParsedKey | undefined => FORMAT.parse(raw);

export interface PublishableKeyRule extends Pick<PublishableKey, 'origins' | 'dailyLimit'> {
  /** SHA-256 of the whole key in hex. */
  readonly keyHash: string;
}

export function publishableKeyRule({ raw, origins, dailyLimit }: PublishableKey): PublishableKeyRule {
  return { keyHash: hashKey(raw), origins, dailyLimit };
}
