// Redis keys of an account. All have the same hash tag, so that one script can read and write them together.
import type { AccountId } from '../accounts/account.js';

export function accountKeys(id: AccountId) {
  const key = (name: string): string => `{${id}}:${name}`;
  return {
    /** Hash (`recordFields`). An empty tier means that the account does not exist. */
    record: key('record'),
    /** Hash of the running changes: one field per token, and `seq`, which differs after every begin and publish. */
    mark: key('mark'),
    /** Random token. A process that read it before it read MongoDB may fill the record while the token is unchanged. */
    fill: key('fill'),
    /** Hash with the fields `DAY:counter` and `DAY:rev`. DAY is the number of days since 1970-01-01. */
    usage: key('usage'),
    /** Token bucket: `milliTokens atMs`, negative for a debt. The name differs from releases that had no debt. */
    burst: key('tokens'),
    /** Token bucket shared by all publishable keys of the account. */
    pageBurst: key('page-tokens'),
    /** Share of one visitor of a page in that bucket. */
    visitorBurst: (visitor: string): string => key(`page-tokens:${visitor}`),
  };
}
