// Serves icons of sites: stored icons, and icons that are fetched for the first time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AskedHost } from '../brands/brands.js';
import type { AccountId } from '../accounts/account.js';
import type { SiteIcon, SiteIcons, StoredSiteIcon } from '../pictures/site-icons.js';
import { waitAtMost } from '../platform/concurrency/deadline.js';
import { singleFlight } from '../platform/concurrency/single-flight.js';
import { DAY_MS, SECOND_MS } from '../platform/time.js';
import { createIconFetches, type FetchOptions } from './icon-fetches.js';
import { textFor } from './icon-drawing.js';
import { isDue } from './retention.js';
import type { SiteIconRecord } from './site-icon-store.js';

/** Minimum response time of a failure, ms. Faster failures would reveal which names exist in the operator's network. */
const FAILURE_MS = SECOND_MS;
/** Queue key of fetches that no account requested, in place of an account's id. */
const NOBODY = 'refresh' as AccountId;

/**
 * `hit`: a stored icon. `negative`: a stored record says that there is no icon. `fetched`: an icon that was fetched for
 * the request. `miss`: no icon was fetched in time and within the limits.
 */
export type LookupResult = 'hit' | 'negative' | 'fetched' | 'miss';

interface Options extends FetchOptions {
  /** Returns the host whose icon is fetched, or undefined if the request names no allowed host. */
  readonly hostOf: (asked: AskedHost) => string | undefined;
  /** Counts a fetch against the account's limits. Returns false if a limit is used up. */
  readonly takeFromLimits: (accountId: AccountId) => Promise<boolean>;
  readonly onLookup?: ((result: LookupResult) => void) | undefined;
}

export function createSiteIcons({ hostOf, takeFromLimits, onLookup, ...options }: Options) {
  const { now, onError } = options;
  const fetches = createIconFetches(options);
  const taking = new Map<string, Promise<boolean>>();

  /** Stores the time of the last use, at most once a day. */
  async function noteUse(record: SiteIconRecord): Promise<void> {
    if (now() - record.usedAt.getTime() < DAY_MS) return;
    await fetches.write({ ...record, usedAt: new Date(now()), version: record.version + 1 });
  }

  const service: SiteIcons = {
    async stored(asked) {
      const host = hostOf(asked);
      if (host === undefined) return 'none';
      const record = await fetches.read(host);
      if (record?.state === 'found') {
        if (isDue(record, now())) void fetches.fetch(host, NOBODY);
        else noteUse(record).catch(onError);
      }
      const found = storedOf(record, now());
      if (found !== 'unknown') onLookup?.(found === 'none' ? 'negative' : 'hit');
      return found;
    },

    async fetch(asked, { accountId: account, waitMs }) {
      const host = hostOf(asked);
      if (host === undefined) return 'none';
      const accountId = account as AccountId;
      // Simultaneous requests of an account for one host count once.
      const take = () => singleFlight(taking, `${accountId} ${host}`, () => takeFromLimits(accountId));
      const began = performance.now();
      const isAllowed = fetches.isUnderWay(host) || (await take());
      const record = isAllowed ? await waitAtMost(waitMs, fetches.fetch(host, accountId)) : undefined;
      onLookup?.(record?.state === 'found' ? 'fetched' : 'miss');
      if (!isAllowed) return 'unknown';
      const restMs = Math.min(FAILURE_MS, waitMs) - (performance.now() - began);
      if (record?.state !== 'found' && restMs > 0) await sleep(restMs);
      return storedOf(record, now());
    },
  };

  return {
    ...service,
    async refresh(host: string): Promise<void> {
      await fetches.fetch(host, NOBODY);
    },
    close: () => fetches.close(),
  };
}

function storedOf(record: SiteIconRecord | undefined, nowMs: number): StoredSiteIcon {
  if (record?.state === 'found') return siteIconOf(record);
  return record === undefined || isDue(record, nowMs) ? 'unknown' : 'none';
}

function siteIconOf({ id, icon, checkedAt }: Extract<SiteIconRecord, { state: 'found' }>): SiteIcon {
  const { px, variants, source } = icon;
  return {
    ...{ host: id, source: source.url, px, variants, foundAt: checkedAt },
    read: (etag, side) => textFor(icon, etag, side),
  };
}
