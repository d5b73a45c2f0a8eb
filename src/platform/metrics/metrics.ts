// Interface through which the service records metrics: counts and durations of its work.
import type { Bucket } from '../http/buckets.js';

export interface Metrics {
  /** Records a response. `route` is the path pattern, such as `/v1/svg/{slug}`, or `unrouted`. */
  readonly request: (request: {
    readonly route: string;
    readonly method: string;
    readonly status: number;
    readonly seconds: number;
  }) => void;
  /**
   * Records whether a metered request was admitted. `outcome`: `admitted`, or the reason of the rejection; `failed` if
   * the stores could not be reached.
   */
  admission(bucket: Bucket, outcome: 'admitted' | 'key' | 'suspended' | 'origin' | 'burst' | 'quota' | 'failed'): void;
  readonly picture: (source: 'memory' | 'disk' | 'drawn' | 'failed') => void;
  /** Records how long a picture waited in the queue before a worker process started to draw it. */
  readonly pictureWait: (seconds: number) => void;
  /** Records how long a worker process took to draw one picture, without the time in the queue. */
  drawing(seconds: number): void;
  /** Records one call of a store, such as `accounts.save`. */
  store(operation: string, seconds: number, succeeded: boolean): void;
  /** Records how long a change waited for an account's lock, even if it did not get the lock. */
  lockWait(seconds: number): void;
  readonly siteIconFetch: (result: 'found' | 'unchanged' | 'none' | 'failed' | 'refused', seconds: number) => void;
  /** Records the result of one lookup of a site's icon (`LookupResult` in `site-icons.ts`). */
  readonly siteIconLookup: (result: 'hit' | 'negative' | 'fetched' | 'miss') => void;
  job(name: string, outcome: 'done' | 'failed'): void;
  webhookTry(outcome: 'delivered' | 'failed', seconds: number): void;
  /** Registers a gauge. `read` is called each time the metrics are collected. */
  gauge(name: 'mailbox_waiting' | 'pictures_waiting' | 'pictures_bytes' | 'webhooks_sending', read: () => number): void;
}
