// Requester of a billing action: the holder of the API key, or a signed-in customer who has typed the password.
import type { AccountId } from '../accounts/account.js';
import { invalidField } from '../platform/errors.js';
import type { Client } from '../accounts/client-info.js';
import type { Caller } from '../accounts/sessions.js';
import type { BillingRequester } from './purchases.js';
import type { Services } from '../platform/services.js';
import type { Requester } from '../accounts/authentication/callers.js';

interface Request {
  readonly requester: Requester;
  readonly currentPassword?: string | undefined;
  readonly client: Client;
}

/**
 * Returns the requester. A request with an API key needs no password. For any other request without a password, throws
 * AppError `invalid_request`. Also throws the errors of `verify` and `prove`.
 */
export async function billingRequester(
  { metering, credentials }: Pick<Services, 'metering' | 'credentials'>,
  { requester, currentPassword, client }: Request,
): Promise<BillingRequester> {
  const by = client.actor;
  if (requester.kind === 'key') {
    const { credential, found } = requester;
    found(await metering.verify(credential));
    return { accountId: credential.accountId, by, proof: { kind: 'key', keyHash: credential.keyHash } };
  }
  if (currentPassword === undefined) throw invalidField('currentPassword', 'required with an access token');
  const { caller } = requester;
  const proof = await credentials.prove({ caller, currentPassword, client });
  return { accountId: caller.account.id, by, proof: { kind: 'session', proof } };
}

/**
 * Returns the requester for dashboard pages, where a confirmation by password is valid for five minutes. Throws the
 * errors of `proveForMinutes`.
 */
export async function pageRequester(
  { credentials }: Pick<Services, 'credentials'>,
  request: { readonly caller: Caller; readonly currentPassword?: string | undefined; readonly client: Client },
): Promise<BillingRequester> {
  const { caller, currentPassword, client } = request;
  const given = currentPassword === undefined ? {} : { currentPassword };
  const proof = await credentials.proveForMinutes({ caller, client, ...given });
  return { accountId: caller.account.id, by: client.actor, proof: { kind: 'session', proof } };
}

/**
 * Returns the id of the account that sent a read-only request. A requester of the kind `bearer` is already verified. An
 * API key is verified here.
 */
export async function verifiedAccountId(
  { metering }: Pick<Services, 'metering'>,
  requester: Requester,
): Promise<AccountId> {
  if (requester.kind === 'bearer') return requester.caller.account.id;
  requester.found(await metering.verify(requester.credential));
  return requester.credential.accountId;
}
