// Dispatcher: turns the events of accounts into deliveries, and sends due deliveries. Any number of processes may run it.
import pLimit from 'p-limit';
import type { AccountActors } from '../accounts/account-actors.js';
import type { AccountStore } from '../accounts/account-store.js';
import type { AccountId } from '../accounts/account.js';
import { SYSTEM } from '../accounts/audit-event.js';
import { periodicTask } from '../platform/concurrency/periodic-task.js';
import { ignoring } from '../platform/errors.js';
import { MINUTE_MS, SECOND_MS } from '../platform/time.js';
import { disableEndpoint, dropEvents } from './changes.js';
import { FAILING_MS, isDue, isSuccess, newDelivery, tried, type Delivery, type TryResult } from './delivery.js';
import { webhooksOf, type Endpoint } from './endpoint.js';
import { findEndpoint } from './endpoints.js';
import { TRY_MS } from './receiver.js';
import type { EndpointQueue, WebhookDeliveries } from './webhook-deliveries.js';

/** Maximum number of simultaneous requests of this process. */
const AT_ONCE = 20;
/**
 * Duration of a claim: enough for a try and its writes. If a process dies, its deliveries are sent again after this
 * time.
 */
const CLAIM_MS = TRY_MS + 20 * SECOND_MS;
const POLL_MS = SECOND_MS;
/** Maximum number of accounts per round whose events become deliveries. */
const ACCOUNTS = 100;
/** Time in ms after which the dispatcher checks again whether an account is still suspended. */
const SUSPENDED_MS = 10 * MINUTE_MS;

interface Ports {
  readonly accounts: Pick<AccountStore, 'find' | 'due'>;
  readonly actors: Pick<AccountActors, 'run'>;
  readonly deliveries: WebhookDeliveries;
  /** Sends a delivery once. Returns undefined if the process stops. */
  readonly send: (endpoint: Endpoint, delivery: Delivery, signal: AbortSignal) => Promise<TryResult | undefined>;
  /** Time in ms since the epoch. */
  readonly now: () => number;
  /** Called with the outcome of each try. */
  readonly onTry: (outcome: 'delivered' | 'failed', seconds: number) => void;
  readonly onError: (error: unknown) => void;
}

export type Dispatcher = ReturnType<typeof createDispatcher>;

export function createDispatcher(ports: Ports) {
  const { accounts, deliveries, now, onError } = ports;
  const stopping = new AbortController();
  const expanding = pLimit(4);
  const turns = new Set<Promise<void>>();
  let rounds: ReturnType<typeof periodicTask> | undefined;
  let isRoundWaiting = false;

  async function round(): Promise<void> {
    isRoundWaiting = false;
    const due = await accounts.due('features', new Date(now()), ACCOUNTS);
    await Promise.all(due.map((id) => expanding(() => expand(ports, id))));
    await startTurns();
  }

  /** Starts a turn for each due queue, up to `AT_ONCE` at a time. A turn sends one delivery of the queue. */
  async function startTurns(): Promise<void> {
    const free = AT_ONCE - turns.size;
    if (free <= 0 || stopping.signal.aborted) return;
    for (const queue of await deliveries.claim(new Date(now()), { limit: free, claimMs: CLAIM_MS })) {
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
    /** Starts the rounds. Each round creates deliveries and sends due deliveries. */
    start(): void {
      rounds ??= periodicTask({ intervalMs: POLL_MS, work: round, onError });
      wake();
    },
    /** Runs a round soon, in the background. Does nothing before `start`. */
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
 * Creates the deliveries of an account's events, then removes the events. It can be repeated or run in two processes at
 * once, because the id of a delivery consists of the ids of its endpoint and its event.
 */
async function expand({ accounts, actors, deliveries }: Ports, id: AccountId): Promise<void> {
  const account = await accounts.find(id);
  if (!account || account.deleting) return;
  const { events, endpoints } = webhooksOf(account);
  const last = events.at(-1);
  if (!last) return;
  const isFor = ({ kind, endpointId }: (typeof events)[number], { id: receiver, kinds, enabled }: Endpoint): boolean =>
    enabled && (endpointId === undefined ? kinds.includes(kind) : endpointId === receiver);
  await deliveries.add(
    events.flatMap((event) =>
      endpoints.filter((one) => isFor(event, one)).map((endpoint) => newDelivery(endpoint, event)),
    ),
  );
  await actors.run(id, SYSTEM, (current) => dropEvents(current, last.id)).catch(ignoring('not_found'));
}

/** Sends the first due delivery of a claimed queue. Disables the endpoint if it is gone or has failed for too long. */
async function takeTurn(ports: Ports, queue: EndpointQueue, signal: AbortSignal): Promise<void> {
  const { accounts, actors, deliveries, now, onTry } = ports;
  const found = await findEndpoint(accounts, queue.id);
  if (!found) return deliveries.remove(queue.id);
  const { account, endpoint } = found;
  if (account.suspended) return deliveries.release(queue, new Date(now() + SUSPENDED_MS));
  const delivery = await deliveries.first(queue.id);
  if (!delivery || !isDue(delivery, now())) return deliveries.release(queue);
  const version = delivery.version + 1;
  if (!endpoint.enabled) {
    await deliveries.save({ ...delivery, status: 'failed', dueAt: null, version });
    return deliveries.release(queue);
  }
  const result = await ports.send(endpoint, delivery, signal);
  if (!result) return deliveries.release(queue);
  const isDelivered = isSuccess(result);
  onTry(isDelivered ? 'delivered' : 'failed', result.durationMs / SECOND_MS);
  const failingSince = isDelivered ? null : (queue.failingSince ?? result.at);
  const isFailing = failingSince !== null && result.at.getTime() - failingSince.getTime() >= FAILING_MS;
  const reason = result.httpStatus === 410 ? 'gone' : isFailing ? 'failing' : undefined;
  if (reason)
    await actors
      .run(account.id, SYSTEM, (current, at) => disableEndpoint(current, endpoint.id, reason, at))
      .catch(ignoring('not_found'));
  await deliveries.save({ ...tried(delivery, result, Math.random()), version });
  await deliveries.release({ ...queue, failingSince: reason ? null : failingSince });
}
