// Publishable keys: `blzp_` and the format of keys. They stand in pages, open pictures only, and can be read again.
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
  /** `keyId` */
  id: z.string(),
  /** The whole key: public by nature, so it is stored as it is. */
  raw: z.string(),
  name: z.string(),
  /** Hosts of the pages that may use it, as `parseOrigin` spells them; empty: all pages. */
  origins: z.array(z.string()),
  /** Requests per UTC day over all picture buckets; null: only those of the account. */
  dailyLimit: z.int().nullable(),
  createdAt: instant,
  /** Written at most once a minute, by admissions, without a new version; a save at that moment may undo it. */
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

/** Undefined for anything with a wrong prefix, alphabet, length or checksum. No I/O. */
export const parsePublishableKey = (raw: string): ParsedKey | undefined => FORMAT.parse(raw);

/** A publishable key as admissions see it. */
export interface PublishableKeyRule extends Pick<PublishableKey, 'origins' | 'dailyLimit'> {
  /** SHA-256 of the whole key, hex. */
  readonly keyHash: string;
}

export function publishableKeyRule({ raw, origins, dailyLimit }: PublishableKey): PublishableKeyRule {
  return { keyHash: hashKey(raw), origins, dailyLimit };
}
