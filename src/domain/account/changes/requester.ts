// Proof of who asks for a change: a session with the password, or the API key, still valid when it is carried out.
import { AppError } from '../../../errors.js';
import type { Account } from '../account.js';
import { assertStillAuthenticated, type Reauthentication } from './reauthentication.js';

export type RequesterProof =
  | { readonly kind: 'session'; readonly proof: Reauthentication }
  /** SHA-256 of the presented key, hex. */
  | { readonly kind: 'key'; readonly keyHash: string };

/** Throws `invalid_api_key`, and what `assertStillAuthenticated` throws. */
export function assertStillRequester(account: Account, requester: RequesterProof, at: Date): void {
  if (requester.kind === 'session') {
    assertStillAuthenticated(account, requester.proof, at);
    return;
  }
  if (account.key?.hash !== requester.keyHash) throw new AppError('invalid_api_key', 'This API key was replaced.');
  if (account.suspended) throw new AppError('account_suspended');
}
