// Keys presented by requests: API keys and publishable keys.
import { AppError } from '../platform/errors.js';
import type { AccountId } from './account.js';
import { parseApiKey } from './api-key.js';
import { parsePublishableKey, PUBLISHABLE_KEY_PREFIX } from './publishable-key.js';

export interface Credential {
  readonly accountId: AccountId;
  /** SHA-256 of the presented key in hex. */
  readonly keyHash: string;
  /** Origin rules that allow the page which sent a publishable key (`originsOf`). Absent for an API key. */
  readonly allowingOrigins?: readonly string[] | undefined;
  /** Client address or network that has a share of the burst. Present only with `allowingOrigins`. */
  readonly visitor?: string | undefined;
}

/** Returns the key of a request. Throws `invalid_api_key` if it is missing or malformed. No I/O. */
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

/** Does the same for a publishable key, without the page that sent it. The error names the field. */
export function publishableCredentialOf(raw: string, field: string): Credential {
  const parsed = parsePublishableKey(raw);
  if (!parsed) {
    const reason = 'not a publishable key: its prefix, length or checksum is wrong';
    const details = [{ field, reason, allowed: `a publishable key, ${PUBLISHABLE_KEY_PREFIX}…` }];
    throw new AppError('invalid_api_key', `${field}: ${reason}.`, { details });
  }
  return { accountId: parsed.accountId, keyHash: parsed.hash, allowingOrigins: [] };
}
