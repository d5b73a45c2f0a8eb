// Job of site icons: fetches due icons again, and keeps the store within its limits.
import pLimit from 'p-limit';
import type { FeatureJobs } from '../platform/feature.js';
import { DAY_MS } from '../platform/time.js';
import { KEPT_DAYS, MAX_BYTES, MAX_HOSTS } from './retention.js';
import type { SiteIconRecord, SiteIconStore } from './site-icon-store.js';

type RefreshSiteIcon = (host: string) => Promise<void>;

declare module '../platform/jobs/job.js' {
  interface JobParts {
    readonly siteIconStore: SiteIconStore;
    /** Undefined while icons of sites are off, and in commands. */
    readonly refreshSiteIcon?: RefreshSiteIcon;
  }
}

/** Maximum number of due icons per hourly run. 200,000 sites, each of them due every 30 days, need 280 per hour. */
const MAX_REFRESHED = 500;
const AT_ONCE = 4;
const REMOVED_AT_ONCE = 500;

export const siteIconJobs: FeatureJobs = {
  jobs: [
    {
      name: 'site-icons',
      schedule: '23 * * * *',
      summary: 'Fetches icons of sites again after 30 days, and deletes unused ones.',
      async run({ siteIconStore: store, refreshSiteIcon, now }) {
        const refreshed = await refreshDue(store, refreshSiteIcon, now());
        return { ...refreshed, siteIconsOverLimit: await removeExcess(store, { hosts: MAX_HOSTS, bytes: MAX_BYTES }) };
      },
    },
  ],
};

async function refreshDue(store: SiteIconStore, refresh: RefreshSiteIcon | undefined, nowMs: number) {
  const limit = pLimit(AT_ONCE);
  const unused: string[] = [];
  let refreshed = 0;
  const renew = async (host: string): Promise<void> => {
    const record = await store.get(host);
    if (!record) return;
    if (!isWanted(record, nowMs)) unused.push(host);
    else if (refresh) {
      await refresh(host);
      refreshed++;
    }
  };
  await Promise.all((await store.due(new Date(nowMs), MAX_REFRESHED)).map((host) => limit(() => renew(host))));
  await store.remove(unused);
  return { refreshedSiteIcons: refreshed, unusedSiteIcons: unused.length };
}

/**
 * Returns true if the icon was used in the last `KEPT_DAYS` days. Returns false for a missing icon, which is fetched at
 * the next request for it.
 */
function isWanted({ state, usedAt }: SiteIconRecord, nowMs: number): boolean {
  return state === 'found' && nowMs - usedAt.getTime() < KEPT_DAYS * DAY_MS;
}

/** Deletes the least recently used icons until the store is within its limits. Returns the number of deleted icons. */
export async function removeExcess(
  store: Pick<SiteIconStore, 'size' | 'leastUsed' | 'remove'>,
  bounds: { readonly hosts: number; readonly bytes: number },
): Promise<number> {
  for (let removed = 0; ;) {
    const { hosts, bytes } = await store.size();
    const excess = Math.max(
      hosts - bounds.hosts,
      bytes > bounds.bytes ? Math.ceil(hosts * (1 - bounds.bytes / bytes)) : 0,
    );
    const least = excess > 0 ? await store.leastUsed(Math.min(excess, REMOVED_AT_ONCE)) : [];
    if (least.length === 0) return removed;
    await store.remove(least);
    removed += least.length;
  }
}
