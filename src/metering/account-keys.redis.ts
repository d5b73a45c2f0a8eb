// Redis keys of an account. All keys have the same hash tag, so that one script can read and write all of them.
import type { AccountId } from '../accounts/account.js';

export function accountKeys(id: AccountId) {
  const key = (name: string): string => `{${id}}:${name}`;
  return {
    /** Redis hash with the admission record (`recordFields`). An empty tier means that the account does not exist. */
    record: key('record'),
    /**
     * Redis hash with one field for each unfinished change of the account, and the field `seq`. `seq` gets a new value
     * whenever a change starts or ends.
     */
    mark: key('mark'),
    /**
     * Random token that is replaced when the account changes. To store an account's record in Redis, a process reads the
     * token, then the account from MongoDB, and writes the record only if the token has not been replaced.
     */
    fill: key('fill'),
    /**
     * Redis hash with the usage counters. Fields: `DAY:NAME` for the counter NAME, and `DAY:rev` for the revision of
     * that day's counters. DAY is the number of days since 1970-01-01.
     */
    usage: key('usage'),
    /**
     * Token bucket of the API key: `milliTokens atMs`. A negative number of tokens is a debt. The Redis key ends in
     * `tokens`, because older releases store buckets without debts in a Redis key that ends in `burst`.
     */
    burst: key('tokens'),
    /** Token bucket of all publishable keys of the account. */
    pageBurst: key('page-tokens'),
    /** Token bucket of one page visitor. It limits the visitor's share of `pageBurst`. */
    visitorBurst: (visitor: string): string => key(`page-tokens:${visitor}`),
  };
}
