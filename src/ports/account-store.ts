// Where accounts are kept.
import type { Account } from '../domain/account.js';

export interface AccountStore {
  /**
   * Adds a new account, durable when the promise resolves. `email_taken` when one with the same `emailIdentity`
   * exists: of any number of simultaneous calls for one identity, exactly one inserts.
   */
  insert(account: Account): Promise<'inserted' | 'email_taken'>;
}
