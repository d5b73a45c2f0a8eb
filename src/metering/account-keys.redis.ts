// Keys of an account in Redis: all under one hash tag, so that one script reads and writes them together.
import type { AccountId } from '../accounts/account.js';

export function accountKeys(id: AccountId) {
  const key = (name: string): string => `{${id}}:${name}`;
  return {
    /** Hash (`recordFields`). Tier '' is an account that is not there. */
    record: key('record'),
    /** Hash of the changes under way: a field per token, and `seq`, which differs after every begin and publish. */
    mark: key('mark'),
    /** Random token: a process that has read it before MongoDB may fill the record while it stands. */
    fill: key('fill'),
    /** Hash: `DAY:counter` and `DAY:rev`; DAY is the number of days since 1970-01-01. */
    usage: key('usage'),
    /** Token bucket: `milliTokens atMs`, below zero for a debt. Another name than in releases that knew no debt. */
    burst: key('tokens'),
    /** Token bucket of all publishable keys of the account. */
    pageBurst: key('page-tokens'),
    /** Share of a page's visitor in it. */
    visitorBurst: (visitor: string): string => key(`page-tokens:${visitor}`),
  };
}
