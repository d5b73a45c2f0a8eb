// Keys of an account in Redis: all under one hash tag, so that one script reads and writes them together.
import type { AccountId } from '../../domain/account/account.js';
import { utcDay, type UtcDay } from '../../domain/metering/utc-day.js';
import { DAY_MS } from '../../domain/time.js';

export interface AccountKeys {
  /** Hash (`recordFields`). Tier '' is an account that is not there. */
  readonly record: string;
  /** Hash of the changes under way: a field per token, and `seq`, which differs after every begin and publish. */
  readonly mark: string;
  /** Random token: a process that has read it before MongoDB may fill the record while it stands. */
  readonly fill: string;
  /** Hash: `DAY:counter` and `DAY:rev`; DAY is the number of days since 1970-01-01. */
  readonly usage: string;
  /** Token bucket: `milliTokens atMs`, below zero for a debt. */
  readonly burst: string;
  /** The same, for all publishable keys of the account. */
  readonly pageBurst: string;
  /** The share of a page's visitor in it. */
  readonly visitorBurst: (visitor: string) => string;
}

export function accountKeys(id: AccountId): AccountKeys {
  const key = (name: string): string => `{${id}}:${name}`;
  return {
    record: key('record'),
    mark: key('mark'),
    fill: key('fill'),
    usage: key('usage'),
    // Under other names than of releases that knew no debt.
    burst: key('tokens'),
    pageBurst: key('page-tokens'),
    visitorBurst: (visitor) => key(`page-tokens:${visitor}`),
  };
}

export const dayNumber = (day: UtcDay): number => Date.parse(day) / DAY_MS;
export const dayOfNumber = (number: number): UtcDay => utcDay(number * DAY_MS);
