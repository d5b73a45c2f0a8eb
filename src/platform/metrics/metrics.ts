// Metrics: what the service counts and times about its own work.
import type { Bucket } from '../http/buckets.js';

export interface Metrics {
  /** An answered request; `route` is the path of the route with its parameters as names, or `unrouted`. */
  readonly request: (request: {
    readonly route: string;
    readonly method: string;
    readonly status: number;
    readonly seconds: number;
  }) => void;
  /** `failed`: the stores could not be reached. */
  admission(bucket: Bucket, outcome: 'admitted' | 'key' | 'suspended' | 'origin' | 'burst' | 'quota' | 'failed'): void;
  /** Where a picture came from. */
  readonly picture: (source: 'memory' | 'disk' | 'drawn' | 'failed') => void;
  /** From a place in the queue of pictures to the beginning of the drawing. */
  readonly pictureWait: (seconds: number) => void;
  /** Time of one drawing in its process, without its wait in the queue. */
  drawing(seconds: number): void;
  /** One call of a port that keeps state, as in `accounts.save`. */
  store(operation: string, seconds: number, succeeded: boolean): void;
  /** From the request for an account's lock to its grant, or to the end of the wait. */
  lockWait(seconds: number): void;
  job(name: string, outcome: 'done' | 'failed'): void;
  /** `read` is called whenever the metrics are collected. */
  gauge(name: 'mailbox_waiting' | 'pictures_waiting' | 'pictures_bytes', read: () => number): void;
}
