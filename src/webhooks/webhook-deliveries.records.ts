// Deliveries and queues, on the tables of either store family.
import { z } from 'zod';
import { AppError } from '../platform/errors.js';
import { changeRecord } from '../platform/stores/change-record.js';
import { instant } from '../platform/stores/stored-record.js';
import type { Table, Tables } from '../platform/stores/tables.js';
import { deliverySchema, MAX_DELAY_MS, type Delivery } from './delivery.js';
import type { EndpointQueue, WebhookDeliveries } from './webhook-deliveries.js';

export const DELIVERIES = { name: 'webhookDeliveries', schema: deliverySchema };
export const QUEUES = {
  name: 'webhookQueues',
  schema: z.object({
    id: z.string(),
    dueAt: instant.nullable().default(null),
    claimedUntil: instant.nullable().default(null),
    failingSince: instant.nullable().default(null),
    version: z.int(),
  }),
};

/** Number of deliveries per write. A write of this size takes the embedded store a few ms. */
const BATCH = 100;
const MAX_TRIES = 50;
/** Sorts after every character of an id. */
const LAST = '~';

interface WebhookTables {
  readonly deliveries: Table<Delivery>;
  readonly queues: Table<EndpointQueue>;
}

export function createWebhookDeliveries(table: Tables): WebhookDeliveries {
  const tables = { deliveries: table(DELIVERIES), queues: table(QUEUES) };
  const { deliveries } = tables;
  return {
    async add(added) {
      for (let from = 0; from < added.length; from += BATCH) await deliveries.putAll(added.slice(from, from + BATCH));
      const dueAt = new Map<string, Date>();
      for (const { endpointId, createdAt } of added) if (!dueAt.has(endpointId)) dueAt.set(endpointId, createdAt);
      for (const [endpointId, at] of dueAt) await wake(tables, endpointId, at);
    },
    first: (endpointId) => first(tables, endpointId),
    save: (delivery) => deliveries.putAll([delivery]),
    get: (id) => deliveries.get(id),
    list: (endpointId, { limit, before = `${endpointId}.${LAST}` }) =>
      deliveries.find({
        ...{ where: { id: { gt: `${endpointId}.`, lt: before } }, sort: { id: 'descending' }, limit },
      }),
    ...queueMethods(tables),
    ...removals(tables),
    prune: (before) => deliveries.remove({ createdAt: { lt: before } }),
  };
}

async function first({ deliveries }: WebhookTables, endpointId: string): Promise<Delivery | undefined> {
  const where = { endpointId, dueAt: { ne: null } } as const;
  const [found] = await deliveries.find({ where, sort: { dueAt: 'ascending', id: 'ascending' }, limit: 1 });
  return found;
}

/**
 * Makes the queue due. The version changes even if the queue is claimed, so that the holder of the claim looks for
 * deliveries again.
 */
async function wake({ queues }: WebhookTables, id: string, at: Date): Promise<void> {
  await changeRecord(queues, id, (queue) => {
    if (!queue) return { dueAt: at, claimedUntil: null, failingSince: null };
    const isClaimed = queue.claimedUntil !== null && queue.claimedUntil > at;
    const isEarlier = queue.dueAt === null || at < queue.dueAt;
    return { ...queue, dueAt: !isClaimed && isEarlier ? at : queue.dueAt };
  });
}

function queueMethods(tables: WebhookTables) {
  const { queues } = tables;
  return {
    wake: (endpointId, at) => wake(tables, endpointId, at),

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

    async release(claimed, { failingSince, notBefore }) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        // Must be read before the deliveries. A delivery that is added between the two reads changes the version, so
        // the write below fails and is repeated.
        const queue = await queues.get(claimed.id);
        if (queue?.claimedUntil?.getTime() !== claimed.claimedUntil?.getTime() || !queue) return;
        const next = (await first(tables, claimed.id))?.dueAt ?? null;
        const dueAt = next && notBefore && next < notBefore ? notBefore : next;
        const version = queue.version + 1;
        if (await queues.putAll([{ ...queue, dueAt, claimedUntil: null, failingSince, version }])) return;
      }
      throw new AppError('unavailable', `The queue ${claimed.id} is changed by too many at once.`);
    },

    async forgetFailures(endpointId) {
      await changeRecord(queues, endpointId, (queue) => queue && { ...queue, failingSince: null });
    },

    waiting: (max) => queues.count({ dueAt: { ne: null } }, max),
  } satisfies Partial<WebhookDeliveries>;
}

function removals({ deliveries, queues }: WebhookTables) {
  return {
    async removeEndpoint(endpointId) {
      await deliveries.remove({ id: { gt: `${endpointId}.`, lt: `${endpointId}.${LAST}` } });
      await queues.remove({ id: endpointId });
    },

    async removeAccount(id) {
      const where = { id: { gt: id, lt: `${id}${LAST}` } };
      await deliveries.remove(where);
      await queues.remove(where);
    },
  } satisfies Partial<WebhookDeliveries>;
}
