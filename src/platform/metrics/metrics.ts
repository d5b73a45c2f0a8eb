// Metrics: what the service counts and times about its own work.
import type { Bucket } from '../http/buckets.js';

export interface Metrics {
  /** Records a response. `route` is the path of the route with its parameters as names, or `unrouted`. */
  readonly request: (request: {
    readonly route: string;
    readonly method: string;
    readonly status: number;
    readonly seconds: number;
  }) => void;
  /** Records an admission. `failed`: the stores could not be reached. */
  admission(bucket: Bucket, outcome: 'admitted' | 'key' | 'suspended' | 'origin' | 'burst' | 'quota' | 'failed'): void;
  /** Records the source of a picture. */
  readonly picture: (source: 'memory' | 'disk' | 'drawn' | 'failed') => void;
  /** Records the time from entering the queue of pictures to the start of the drawing. */
  readonly pictureWait: (seconds: number) => void;
  /** Records the time of one drawing in its process, without its wait in the queue. */
  drawing(seconds: number): void;
  /** Records one call of a store, for example `accounts.save`. */
  store(operation: string, seconds: number, succeeded: boolean): void;
  /** Records the time from the request for an account's lock to its grant, or to the end of the wait. */
  lockWait(seconds: number): void;
  job(name: string, outcome: 'done' | 'failed'): void;
  /** Records one request to a webhook endpoint. */
  webhookTry(outcome: 'delivered' | 'failed', seconds: number): void;
  /** Registers a gauge. `read` is called whenever the metrics are collected. */
  gauge(name: 'mailbox_waiting' | 'pictures_waiting' | 'pictures_bytes' | 'webhooks_sending', read: () => number): void;
}
