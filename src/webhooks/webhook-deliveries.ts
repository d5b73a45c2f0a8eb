// Store of deliveries, with a queue for each endpoint. Before each try, a process claims the queue, so that an endpoint
// gets one request at a time, even from several processes.
import { z } from 'zod';
import type { FeatureRecords } from '../platform/feature.js';
import { changeRecord } from '../platform/stores/change-record.js';
import { claimDue } from '../platform/stores/claim-due.js';
import { exportTable } from '../platform/stores/feature-stores.js';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';
import type { Tables } from '../platform/stores/tables.js';
import { deliverySchema, MAX_DELAY_MS, type Delivery } from './delivery.js';

const queueSchema = z.object({
  /** Id of the endpoint. */
  id: z.string(),
  /**
   * Time of the next try. While a process has claimed the queue, the end of its claim. Null if no delivery is pending.
   */
  dueAt: instant.nullable().default(null),
  /** Time until which a process has claimed the queue; null if none has. */
  claimedUntil: instant.nullable().default(null),
  /** Time of the first failed try since the last successful one; null if the last try was successful. */
  failingSince: instant.nullable().default(null),
  version: z.int(),
});
export type EndpointQueue = RecordOf<typeof queueSchema>;

const DELIVERIES = { name: 'webhookDeliveries', schema: deliverySchema };
const QUEUES = { name: 'webhookQueues', schema: queueSchema };

export const records: FeatureRecords = {
  tables: [exportTable('webhook deliveries', DELIVERIES), exportTable('webhook queues', QUEUES)],
  stores: ({ table }) => ({ webhookDeliveries: createWebhookDeliveries(table) }),
};

/** Number of deliveries per write. A write of this size takes the embedded store a few ms. */
const BATCH = 100;
/** Sorts after every character of an id. */
const LAST = '~';

export type WebhookDeliveries = ReturnType<typeof createWebhookDeliveries>;

/**
 * A write is durable when its promise resolves. Every method rejects with AppError `unavailable` while the store cannot
 * be reached. `owner`: id of an account or of an endpoint. An endpoint's id begins with the account's id, and a
 * delivery's id begins with the endpoint's id, so `owner` selects deliveries by prefix.
 */
function createWebhookDeliveries(table: Tables) {
  const [deliveries, queues] = [table(DELIVERIES), table(QUEUES)];

  /** Returns the pending delivery that is due first. */
  async function first(endpointId: string): Promise<Delivery | undefined> {
    const where = { endpointId, dueAt: { ne: null } } as const;
    const [found] = await deliveries.find({ where, sort: { dueAt: 'ascending', id: 'ascending' }, limit: 1 });
    return found;
  }

  /** Makes a queue due at this time, unless it is due earlier or claimed. */
  async function wake(endpointId: string, at: Date): Promise<void> {
    await changeRecord(queues, endpointId, (queue) => {
      if (!queue) return { dueAt: at, claimedUntil: null, failingSince: null };
      const isClaimed = queue.claimedUntil !== null && queue.claimedUntil > at;
      const isEarlier = queue.dueAt === null || at < queue.dueAt;
      // A claimed queue is saved with the same content. Each save increases its version, so `release` looks for
      // deliveries again.
      return isEarlier && !isClaimed ? { ...queue, dueAt: at } : queue;
    });
  }

  return {
    first,
    wake,

    /**
     * Adds deliveries, and makes the queues of their endpoints due. Stored deliveries with the same id stay as they
     * are.
     */
    async add(added: readonly Delivery[]): Promise<void> {
      for (let from = 0; from < added.length; from += BATCH) await deliveries.putAll(added.slice(from, from + BATCH));
      const oldest = new Map(added.toReversed().map(({ endpointId, createdAt }) => [endpointId, createdAt]));
      for (const [endpointId, createdAt] of oldest) await wake(endpointId, createdAt);
    },

    /** Claims at most `limit` due queues, the longest due first. No other call returns them until the claim ends. */
    claim: (now: Date, limits: { readonly limit: number; readonly claimMs: number }) =>
      claimDue(queues, now, { ...limits, maxAheadMs: MAX_DELAY_MS }, (until) => ({
        dueAt: until,
        claimedUntil: until,
      })),

    /**
     * Ends a claim. The queue becomes due when its first pending delivery is due, but not before `notBefore`. Does
     * nothing if another process has claimed the queue since.
     */
    async release({ id, claimedUntil, failingSince }: EndpointQueue, notBefore?: Date): Promise<void> {
      await changeRecord(queues, id, async (queue) => {
        if (!queue || queue.claimedUntil?.getTime() !== claimedUntil?.getTime()) return undefined;
        // The delivery must be read after the queue. If a delivery is added between the two reads, the queue's version
        // changes, and `changeRecord` calls this function again.
        const next = (await first(id))?.dueAt ?? null;
        const dueAt = next && notBefore && next < notBefore ? notBefore : next;
        return { dueAt, claimedUntil: null, failingSince };
      });
    },

    failingSince: async (endpointId: string) => (await queues.get(endpointId))?.failingSince ?? null,

    /** Clears `failingSince`, so that earlier failures of the endpoint no longer count. */
    async forgetFailures(endpointId: string): Promise<void> {
      await changeRecord(queues, endpointId, (queue) => queue && { ...queue, failingSince: null });
    },

    get: (id: string) => deliveries.get(id),

    /** Saves the delivery if the version of the stored delivery is one lower. Otherwise returns false. */
    save: (delivery: Delivery) => deliveries.putAll([delivery]),

    /**
     * Returns a page of deliveries, newest first per endpoint. `before`: id of the last delivery on the previous page.
     */
    list: (owner: string, { limit, before = owner + LAST }: { limit: number; before?: string | undefined }) =>
      deliveries.find({ where: { id: { gt: owner, lt: before } }, sort: { id: 'descending' }, limit }),

    /** Removes deliveries and queues. */
    async remove(owner: string): Promise<void> {
      const where = { id: { gte: owner, lt: owner + LAST } };
      await deliveries.remove(where);
      await queues.remove(where);
    },

    /** Deletes the deliveries that were created before this time. Returns their number. */
    prune: (before: Date) => deliveries.remove({ createdAt: { lt: before } }),
  };
}
