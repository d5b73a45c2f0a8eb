// Webhook endpoints of an account, and everything else that this feature keeps with the account.
import { z } from 'zod';
import type { Account, AccountId } from '../accounts/account.js';
import { featureValue } from '../accounts/feature-value.js';
import type { RecordOf } from '../platform/stores/stored-record.js';
import { ACCOUNT_ID_LENGTH, randomBase62 } from '../platform/text/base62.js';
import { EVENT_KINDS, eventSchema } from './event.js';

export const MAX_ENDPOINTS = 5;
export const MAX_DESCRIPTION_CHARACTERS = 200;
export const ENDPOINT_ID_PATTERN = /^[0-9A-Za-z]{24}$/;
export const DISABLED_REASONS = ['owner', 'operator', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Number of characters in an endpoint's id after the account's id. */
const OWN_ID_LENGTH = 12;

/** A secret is derived from its nonce and from a secret outside the database (`signing-secret.ts`). */
const storedSecretSchema = z.object({
  nonce: z.string(),
  /** Last four characters of the secret. */
  hint: z.string(),
  /** Time in ms since the epoch from which the secret no longer signs; null for the current secret. */
  untilMs: z.int().nullable(),
});
export type StoredSecret = RecordOf<typeof storedSecretSchema>;

const endpointSchema = z.object({
  /** Begins with the account's id. */
  id: z.string(),
  url: z.string(),
  kinds: z.array(z.enum(EVENT_KINDS)),
  description: z.string(),
  enabled: z.boolean(),
  /** Null while the endpoint is enabled. */
  disabledReason: z.enum(DISABLED_REASONS).nullable(),
  createdAtMs: z.int(),
  /** The current secret first, then replaced ones that still sign. */
  secrets: z.array(storedSecretSchema),
});
export type Endpoint = RecordOf<typeof endpointSchema>;

/** Fields of a new endpoint that the owner sets. */
export type NewEndpoint = Pick<Endpoint, 'url' | 'kinds' | 'description'>;

const stored = featureValue(
  'webhooks',
  z.object({
    /** Oldest first. */
    endpoints: z.array(endpointSchema).default([]),
    /** Events without deliveries yet, in order. */
    events: z.array(eventSchema).default([]),
    /** Time of the newest event. */
    lastEventMs: z.int().default(0),
  }),
);
type AccountWebhooks = ReturnType<typeof stored.of>;

/** Returns what this feature keeps with the account. */
export const webhooksOf = stored.of;

/**
 * Returns the account with changed values. While it has events without deliveries, the account is due, so that the
 * dispatcher finds it.
 */
export function withWebhooks(account: Account, changed: Partial<AccountWebhooks>): Account {
  const value = { ...webhooksOf(account), ...changed };
  // Not the time of an event: a wrong clock of another host may have set it to the future.
  return stored.set(account, value, value.events.length === 0 ? null : 0);
}

export function newEndpoint(accountId: AccountId, settings: NewEndpoint, secret: StoredSecret, at: Date): Endpoint {
  const id = accountId + randomBase62(OWN_ID_LENGTH);
  return { ...settings, id, enabled: true, disabledReason: null, createdAtMs: at.getTime(), secrets: [secret] };
}

/** Returns the account id that an endpoint's id contains, or undefined if the text is not an endpoint's id. */
export function accountOfEndpoint(endpointId: string): AccountId | undefined {
  return ENDPOINT_ID_PATTERN.test(endpointId) ? (endpointId.slice(0, ACCOUNT_ID_LENGTH) as AccountId) : undefined;
}

export function endpointIn(account: Pick<Account, 'id' | 'features'>, endpointId: string): Endpoint | undefined {
  return webhooksOf(account).endpoints.find(({ id }) => id === endpointId);
}
