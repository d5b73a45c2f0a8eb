// Pages of accounts for the operator, sorted by id or by number of requests.
import pLimit from 'p-limit';
import type { Account, AccountId } from './account.js';
import type { DayRange } from '../platform/day-range.js';
import { addDays, utcDay } from '../platform/utc-day.js';
import type { AccountStore } from './account-store.js';
import type { AccountUsage } from './account-usage.js';

/**
 * Maximum number of accounts that are ranked by their requests. The ranking contains the accounts of the requested page
 * and of all pages before it.
 */
export const MAX_RANKED = 10_000;
const BATCH = 500;
const AT_ONCE = 16;

interface Ports {
  readonly accounts: Pick<AccountStore, 'find' | 'list'>;
  readonly usage: Pick<AccountUsage, 'range'>;
}

interface Ranked {
  readonly id: AccountId;
  readonly requests: number;
}

export interface AccountUse {
  readonly account: Account;
  /** Number of counted requests in all buckets (`svg`, `png`, …) together. */
  readonly requests: number;
}

interface Page {
  readonly limit: number;
  readonly page: number;
}

export interface AccountPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** `now`: time in ms since the epoch. */
export function createAccountListing(ports: Ports & { readonly now: () => number }) {
  const { accounts, now } = ports;
  return {
    async list({ limit, page }: Page): Promise<AccountPage<Account>> {
      let after: AccountId | undefined;
      for (let at = 1; at < page; at++) {
        const last = (await accounts.list({ limit, ...(after !== undefined && { after }) })).at(limit - 1);
        if (!last) return { rows: [], hasMore: false };
        after = last.id;
      }
      return pageOf(await accounts.list({ limit: limit + 1, ...(after !== undefined && { after }) }), limit);
    },

    /**
     * Returns a page of accounts, sorted by their counted requests in the last `days` days, most requests first. The
     * days include today. `page * limit` must be less than `MAX_RANKED`.
     */
    async listByUse({ limit, page, days }: Page & { readonly days: number }): Promise<AccountPage<AccountUse>> {
      const today = utcDay(now());
      const range = { from: addDays(today, 1 - days), to: today };
      return pageOf(await mostUsedAccounts(ports, { days: range, skip: (page - 1) * limit, limit: limit + 1 }), limit);
    },
  };
}

/**
 * Returns a page with the first `limit` rows. Pass one row more than the page has, to find out whether there is another
 * page.
 */
function pageOf<Row>(found: readonly Row[], limit: number): AccountPage<Row> {
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
}

/**
 * Returns the accounts with the most requests, without the first `skip` accounts. `skip + limit` must be at most
 * `MAX_RANKED`. Accounts with the same number of requests are sorted by id.
 */
export async function mostUsedAccounts(
  { accounts, usage }: Ports,
  { days, skip, limit }: { readonly days: DayRange; readonly skip: number; readonly limit: number },
): Promise<readonly AccountUse[]> {
  const kept = skip + limit;
  const atOnce = pLimit(AT_ONCE);
  let ranking: readonly Ranked[] = [];
  for await (const batch of batchesOf(accounts)) {
    const ranked = await Promise.all(batch.map(({ id }) => atOnce(() => rankedOf(usage, id, days))));
    ranking = [...ranking, ...ranked].sort(byUse).slice(0, kept);
  }
  const found = ranking.slice(skip).map(async ({ id, requests }) => {
    const account = await atOnce(() => accounts.find(id));
    return account ? [{ account, requests }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Yields all accounts, sorted by id. */
export async function* allAccounts(accounts: Ports['accounts']): AsyncGenerator<Account, void> {
  for await (const batch of batchesOf(accounts)) yield* batch;
}

async function* batchesOf(accounts: Ports['accounts']): AsyncGenerator<readonly Account[]> {
  for (let after: AccountId | undefined; ;) {
    const batch = await accounts.list({ limit: BATCH, ...(after !== undefined && { after }) });
    yield batch;
    if (batch.length < BATCH) return;
    after = batch.at(-1)?.id;
  }
}

async function rankedOf(usage: Ports['usage'], id: AccountId, days: DayRange): Promise<Ranked> {
  const counted = await usage.range(id, days);
  const requests = counted.flatMap(({ used }) => Object.values(used)).reduce((sum, count) => sum + count, 0);
  return { id, requests };
}

function byUse(one: Ranked, other: Ranked): number {
  return other.requests - one.requests || (one.id < other.id ? -1 : 1);
}
