// Store of deliveries, and of the queue of each endpoint. A process claims a queue for each try, so that an endpoint
// gets one request at a time, even from several processes.
import { z } from 'zod';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';
import type { Delivery } from './delivery.js';

/** Queue of an endpoint with pending deliveries. */
export const queueSchema = z.object({
  /** Id of the endpoint. */
  id: z.string(),
  /** Time of the next try, or the end of a claim; null if no delivery is pending. */
  dueAt: instant.nullable().default(null),
  /** Time until which a process has claimed the queue; null if none has. */
  claimedUntil: instant.nullable().default(null),
  /** Time of the first failed try since the last successful one; null if the last try was successful. */
  failingSince: instant.nullable().default(null),
  version: z.int(),
});
export type EndpointQueue = RecordOf<typeof queueSchema>;

/**
 * A write is durable when its promise resolves. Every method rejects with AppError `unavailable` while the store cannot
 * be reached.
 */
export interface WebhookDeliveries {
  /** Adds deliveries, and makes their queues due. Deliveries with a known id stay as they are. */
  add(deliveries: readonly Delivery[]): Promise<void>;
  /** Claims at most `limit` due queues, the longest due first. No other call returns them until the claim ends. */
  claim(now: Date, limits: { readonly limit: number; readonly claimMs: number }): Promise<readonly EndpointQueue[]>;
  /** Returns the pending delivery that is due first. */
  first(endpointId: string): Promise<Delivery | undefined>;
  /** Compare and set. Returns false if the stored delivery is no longer the previous version. */
  save(delivery: Delivery): Promise<boolean>;
  /**
   * Ends a claim. The queue becomes due when its first pending delivery is due, but not before `notBefore`. Does
   * nothing if another process has claimed the queue since.
   */
  release(claimed: EndpointQueue, notBefore?: Date): Promise<void>;
  /** Makes a queue due at this time, unless it is due earlier. */
  wake(endpointId: string, at: Date): Promise<void>;
  get(id: string): Promise<Delivery | undefined>;
  /** Returns deliveries of an endpoint or an account, newest first per endpoint. `before`: id of the previous one. */
  list(
    owner: string,
    page: { readonly limit: number; readonly before?: string | undefined },
  ): Promise<readonly Delivery[]>;
  /** Clears `failingSince`, so that earlier failures of the endpoint no longer count. */
  forgetFailures(endpointId: string): Promise<void>;
  /** Removes the deliveries and queues of an endpoint or an account. */
  remove(owner: string): Promise<void>;
  /** Deletes the deliveries that were created before this time. Returns their number. */
  prune(before: Date): Promise<number>;
}
