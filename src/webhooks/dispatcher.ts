// Dispatcher: turns the events of accounts into deliveries, and sends due deliveries. Any number of processes may run it.
import pLimit from 'p-limit';
import type { Account, AccountId } from '../accounts/account.js';
import { SYSTEM } from '../accounts/audit-event.js';
import type { Change } from '../accounts/changes/change.js';
import type { AccountContext } from '../accounts/context.js';
import { periodicTask } from '../platform/concurrency/periodic-task.js';
import { ignoring } from '../platform/errors.js';
import { MINUTE_MS, SECOND_MS } from '../platform/time.js';
import { FAILING_MS, isDue, newDelivery, tried, type Delivery, type TryResult } from './delivery.js';
import { disableEndpoint, dropEvents, findEndpoint, receives, webhooksOf, type Endpoint } from './endpoint.js';
import { TRY_MS } from './receiver.js';
import type { EndpointQueue } from './webhook-deliveries.js';

/** Maximum number of simultaneous requests of this process. */
const AT_ONCE = 20;
/**
 * Duration of a claim, ms: enough for a try and its writes. If the process dies, other processes send its deliveries
 * after this time.
 */
const CLAIM_MS = TRY_MS + 20 * SECOND_MS;
/** Maximum number of accounts per round for which deliveries are created. */
const ACCOUNTS = 100;
/** Time in ms after which the dispatcher checks again whether an account is still suspended. */
const SUSPENDED_MS = 10 * MINUTE_MS;

interface Ports extends Pick<AccountContext, 'accounts' | 'actors' | 'webhookDeliveries' | 'now'> {
  /** Sends a delivery once. Returns undefined if the process stops. */
  readonly send: (endpoint: Endpoint, delivery: Delivery, signal: AbortSignal) => Promise<TryResult | undefined>;
  readonly onTry: (outcome: 'delivered' | 'failed', seconds: number) => void;
  readonly onError: (error: unknown) => void;
}

export type Dispatcher = ReturnType<typeof createDispatcher>;

export function createDispatcher(ports: Ports) {
  const { accounts, webhookDeliveries, now, onError } = ports;
  const stopping = new AbortController();
  const expanding = pLimit(4);
  const turns = new Set<Promise<void>>();
  let rounds: ReturnType<typeof periodicTask> | undefined;
  let isRoundWaiting = false;

  /**
   * Creates the deliveries of new events. Then claims due queues (one queue per endpoint) and sends the first delivery
   * of each. At most `AT_ONCE` are sent at a time.
   */
  async function round(): Promise<void> {
    isRoundWaiting = false;
    await expanding.map(await accounts.due('features', new Date(now()), ACCOUNTS), (id) => expand(ports, id));
    const free = AT_ONCE - turns.size;
    if (free === 0 || stopping.signal.aborted) return;
    for (const queue of await webhookDeliveries.claim(new Date(now()), { limit: free, claimMs: CLAIM_MS })) {
      const turn: Promise<void> = takeTurn(ports, queue, stopping.signal)
        .catch(onError)
        .finally(() => {
          turns.delete(turn);
          wake();
        });
      turns.add(turn);
    }
  }

  function wake(): void {
    if (stopping.signal.aborted || isRoundWaiting || !rounds) return;
    isRoundWaiting = true;
    void rounds.run().catch(onError);
  }

  return {
    start(): void {
      rounds ??= periodicTask({ intervalMs: SECOND_MS, work: round, onError });
      wake();
    },
    /** Looks soon for new events and due deliveries, in the background. Does nothing before `start`. */
    wake,
    sending: () => turns.size,
    /** Aborts all requests. Their deliveries stay due. */
    async close(): Promise<void> {
      stopping.abort();
      rounds?.stop();
      await Promise.all(turns);
    },
  };
}

/**
 * Creates the deliveries of an account's events, then removes the events. A repeated or concurrent call creates no
 * second delivery, because the id of a delivery consists of the ids of its endpoint and its event.
 */
async function expand(ports: Ports, id: AccountId): Promise<void> {
  const account = await ports.accounts.find(id);
  if (!account || account.deleting) return;
  const { events, endpoints } = webhooksOf(account);
  const last = events.at(-1);
  if (!last) return;
  const added = events.flatMap((event) =>
    endpoints.filter((endpoint) => receives(endpoint, event)).map((endpoint) => newDelivery(endpoint, event)),
  );
  await ports.webhookDeliveries.add(added);
  await change(ports, id, (current) => dropEvents(current, last.id));
}

/** Changes an account, unless it was deleted. */
async function change({ actors }: Ports, id: AccountId, decide: (current: Account, at: Date) => Change): Promise<void> {
  await actors.run(id, SYSTEM, decide).catch(ignoring('not_found'));
}

/**
 * Sends the first due delivery of an endpoint whose queue this process has claimed. Disables the endpoint if it returns
 * 410 (Gone) or has failed for too long.
 */
async function takeTurn(ports: Ports, queue: EndpointQueue, signal: AbortSignal): Promise<void> {
  const { webhookDeliveries: deliveries, now } = ports;
  const found = await findEndpoint(ports.accounts, queue.id);
  if (!found) return deliveries.remove(queue.id);
  const { account, endpoint } = found;
  if (account.suspended) return deliveries.release(queue, new Date(now() + SUSPENDED_MS));
  const delivery = await deliveries.first(queue.id);
  if (!delivery || !isDue(delivery, now())) return deliveries.release(queue);
  if (!endpoint.enabled) {
    await deliveries.save({ ...delivery, status: 'failed', dueAt: null, version: delivery.version + 1 });
    return deliveries.release(queue);
  }
  const result = await ports.send(endpoint, delivery, signal);
  if (!result) return deliveries.release(queue);
  const after = tried(delivery, result, Math.random());
  const isDelivered = after.status === 'delivered';
  ports.onTry(isDelivered ? 'delivered' : 'failed', result.durationMs / SECOND_MS);
  // Reads `failingSince` again, because the owner may have enabled the endpoint during the try. Enabling an endpoint
  // clears `failingSince`.
  const failingSince = isDelivered ? null : ((await deliveries.failingSince(queue.id)) ?? result.at);
  const isFailing = failingSince !== null && result.at.getTime() - failingSince.getTime() >= FAILING_MS;
  const reason = result.httpStatus === 410 ? 'gone' : isFailing ? 'failing' : undefined;
  if (reason) await change(ports, account.id, (current, at) => disableEndpoint(current, endpoint.id, reason, at));
  await deliveries.save(after);
  await deliveries.release({ ...queue, failingSince: reason ? null : failingSince });
}
