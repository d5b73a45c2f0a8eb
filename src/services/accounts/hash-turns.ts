// Turns in the queue of password hashes: owners of accounts never wait behind strangers.
import type { AccountId } from '../../domain/account/account.js';
import type { HashTurn } from '../../ports/password-hasher.js';
import type { Client } from './client-info.js';

/** Of a client that has proven nothing: addresses take turns. */
export function strangersTurn({ fairnessKey }: Client): HashTurn {
  return { lane: 'stranger', fairnessKey };
}

/** Of a client that has proven to belong to the account, by a session, device cookie, link or password. */
export function ownersTurn({ id }: { readonly id: AccountId }): HashTurn {
  return { lane: 'known', fairnessKey: id };
}
