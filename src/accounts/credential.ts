// Credentials of metered requests: API keys and publishable keys.
import { AppError } from '../platform/errors.js';
import type { AccountId } from './account.js';
import { parseApiKey } from './api-key.js';
import { parsePublishableKey, PUBLISHABLE_KEY_PREFIX } from './publishable-key.js';

export interface Credential {
  readonly accountId: AccountId;
  /** SHA-256 of the presented key in hex. */
  readonly keyHash: string;
  /**
   * All origin rules that allow the requesting page (`originsOf`). The publishable key must have at least one of these
   * rules. Absent for an API key.
   */
  readonly allowingOrigins?: readonly string[] | undefined;
  /**
   * Address or network of the client. Each client gets a share of the publishable key's burst (requests per second).
   * Absent for an API key.
   */
  readonly visitor?: string | undefined;
}

/** Parses the API key of a request. Throws `invalid_api_key` if it is missing or malformed. No I/O. */
export function credentialOf(header: string | undefined): Credential {
  if (header === undefined || header === '') throw new AppError('invalid_api_key');
  const parsed = parseApiKey(header);
  if (!parsed)
    throw new AppError(
      'invalid_api_key',
      'This is not a Blazon API key: its prefix, length or checksum is wrong. Send the key exactly as it was shown.',
    );
  return { accountId: parsed.accountId, keyHash: parsed.hash };
}

/**
 * Parses a publishable key. `allowingOrigins` is empty until the caller adds the rules that match the page. Throws
 * `invalid_api_key`, with the field's name. No I/O.
 */
export function publishableCredentialOf(raw: string, field: string): Credential {
  const parsed = parsePublishableKey(raw);
  if (!parsed) {
    const reason = 'not a publishable key: its prefix, length or checksum is wrong';
    const details = [{ field, reason, allowed: `a publishable key, ${PUBLISHABLE_KEY_PREFIX}…` }];
    throw new AppError('invalid_api_key', `${field}: ${reason}.`, { details });
  }
  return { accountId: parsed.accountId, keyHash: parsed.hash, allowingOrigins: [] };
}
