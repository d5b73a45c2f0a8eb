// Deliveries and queues, on the tables of either store family.
import type { FeatureRecords } from '../platform/feature.js';
import { changeRecord } from '../platform/stores/change-record.js';
import { exportTable } from '../platform/stores/feature-stores.js';
import type { Table, Tables } from '../platform/stores/tables.js';
import { deliverySchema, MAX_DELAY_MS, type Delivery } from './delivery.js';
import { queueSchema, type EndpointQueue, type WebhookDeliveries } from './webhook-deliveries.js';

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

function createWebhookDeliveries(table: Tables): WebhookDeliveries {
  const [deliveries, queues] = [table(DELIVERIES), table(QUEUES)];
  return {
    ...queueMethods(queues, deliveries),
    async add(added) {
      for (let from = 0; from < added.length; from += BATCH) await deliveries.putAll(added.slice(from, from + BATCH));
      const dueAt = new Map<string, Date>();
      for (const { endpointId, createdAt } of added) if (!dueAt.has(endpointId)) dueAt.set(endpointId, createdAt);
      for (const [endpointId, at] of dueAt) await wake(queues, endpointId, at);
    },
    first: (endpointId) => first(deliveries, endpointId),
    save: (delivery) => deliveries.putAll([delivery]),
    get: (id) => deliveries.get(id),
    // The ids of deliveries begin with the ids of their account and their endpoint.
    list: (owner, { limit, before = owner + LAST }) =>
      deliveries.find({ where: { id: { gt: owner, lt: before } }, sort: { id: 'descending' }, limit }),
    async remove(owner) {
      const where = { id: { gte: owner, lt: owner + LAST } };
      await deliveries.remove(where);
      await queues.remove(where);
    },
    prune: (before) => deliveries.remove({ createdAt: { lt: before } }),
  };
}

async function first(deliveries: Table<Delivery>, endpointId: string): Promise<Delivery | undefined> {
  const where = { endpointId, dueAt: { ne: null } } as const;
  const [found] = await deliveries.find({ where, sort: { dueAt: 'ascending', id: 'ascending' }, limit: 1 });
  return found;
}

/**
 * Makes the queue due. The version changes even if the queue is claimed, so that the holder of the claim looks for
 * deliveries again.
 */
async function wake(queues: Table<EndpointQueue>, id: string, at: Date): Promise<void> {
  await changeRecord(queues, id, (queue) => {
    if (!queue) return { dueAt: at, claimedUntil: null, failingSince: null };
    const isClaimed = queue.claimedUntil !== null && queue.claimedUntil > at;
    const isEarlier = queue.dueAt === null || at < queue.dueAt;
    return { ...queue, dueAt: !isClaimed && isEarlier ? at : queue.dueAt };
  });
}

function queueMethods(queues: Table<EndpointQueue>, deliveries: Table<Delivery>) {
  return {
    wake: (endpointId, at) => wake(queues, endpointId, at),

    async claim(now, { limit, claimMs }) {
      const after = (ms: number): Date => new Date(now.getTime() + ms);
      const due = { dueAt: { by: now, farAhead: after(MAX_DELAY_MS) } };
      const found = await queues.find({ where: due, sort: { dueAt: 'ascending' }, limit });
      const until = after(claimMs);
      const claims = found.map((one) => ({ ...one, dueAt: until, claimedUntil: until, version: one.version + 1 }));
      // Another process may claim some of these queues at the same time. Only claims that were written first succeed.
      const outcomes = await Promise.all(claims.map((claim) => queues.putAll([claim])));
      return claims.filter((_, index) => outcomes[index]);
    },

    async release({ id, claimedUntil, failingSince }, notBefore) {
      await changeRecord(queues, id, async (queue) => {
        if (!queue || queue.claimedUntil?.getTime() !== claimedUntil?.getTime()) return undefined;
        // Must be read after the queue. A delivery that is added between the two reads changes the queue's version, so
        // this change is repeated.
        const next = (await first(deliveries, id))?.dueAt ?? null;
        const dueAt = next && notBefore && next < notBefore ? notBefore : next;
        return { dueAt, claimedUntil: null, failingSince };
      });
    },

    async forgetFailures(endpointId) {
      await changeRecord(queues, endpointId, (queue) => queue && { ...queue, failingSince: null });
    },
  } satisfies Partial<WebhookDeliveries>;
}
