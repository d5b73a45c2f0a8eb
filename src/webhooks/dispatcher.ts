// Dispatcher: turns the events of accounts into deliveries, and sends due deliveries. Any number of processes may run it.
import pLimit from 'p-limit';
import type { AccountActors } from '../accounts/account-actors.js';
import type { AccountStore } from '../accounts/account-store.js';
import type { Account, AccountId } from '../accounts/account.js';
import { SYSTEM } from '../accounts/audit-event.js';
import { periodicTask } from '../platform/concurrency/periodic-task.js';
import { isCode, ignoring } from '../platform/errors.js';
import { MINUTE_MS, SECOND_MS } from '../platform/time.js';
import { disableEndpoint, dropEvents } from './changes.js';
import { FAILING_MS, isDue, isSuccess, newDelivery, tried, type Delivery, type TryResult } from './delivery.js';
import { accountOfEndpoint, endpointIn, webhooksOf, type Endpoint } from './endpoint.js';
import type { EndpointQueue, WebhookDeliveries } from './webhook-deliveries.js';
import { TRY_MS } from './receiver.js';

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

  /** Starts a turn for each due queue, up to `AT_ONCE` at a time. A turn sends one delivery of the queue. */
  async function startTurns(): Promise<void> {
    const free = AT_ONCE - turns.size;
    if (free <= 0 || stopping.signal.aborted) return;
    for (const queue of await deliveries.claim(new Date(now()), { limit: free, claimMs: CLAIM_MS })) {
      const turn: Promise<void> = takeTurn(ports, queue, stopping.signal)
        .catch(onError)
        .finally(() => {
          turns.delete(turn);
          startSoon();
        });
      turns.add(turn);
    }
  }

  function startSoon(): void {
    if (!stopping.signal.aborted) void rounds?.run().catch(onError);
  }

  /** Creates the deliveries of all accounts' events, including events that a killed process or a command has left. */
  async function expandAll(): Promise<number> {
    const due = await accounts.due('features', new Date(now()), ACCOUNTS);
    await Promise.all(due.map((id) => expanding(() => expand(ports, id))));
    return due.length;
  }

  async function drain(): Promise<void> {
    await expandAll();
    await startTurns();
  }

  return {
    /** Starts the rounds. Each round creates deliveries and sends due deliveries. */
    start(): void {
      rounds ??= periodicTask({ intervalMs: POLL_MS, work: drain, onError });
      startSoon();
    },
    /** Must be called after every change of an account. */
    notice(account: Account): void {
      if (rounds && webhooksOf(account).events.length > 0) startSoon();
    },
    /** Sends due deliveries, in the background. */
    wake: startSoon,
    /** Creates the deliveries of all waiting events. Returns the number of accounts that had such events. */
    expandDue: expandAll,
    sending: () => turns.size,
    /** Aborts all requests. Their deliveries stay due. */
    async close(): Promise<void> {
      stopping.abort();
      rounds?.stop();
      await Promise.all(turns);
    },
  };
}

type ExpandPorts = Pick<Ports, 'accounts' | 'actors' | 'deliveries'>;

/**
 * Creates the deliveries of an account's events, then removes the events. It can be repeated or run in two processes at
 * once, because the id of a delivery consists of the ids of its endpoint and its event.
 */
async function expand({ accounts, actors, deliveries }: ExpandPorts, id: AccountId): Promise<void> {
  const account = await accounts.find(id);
  if (!account || account.deleting) return;
  const { events, endpoints } = webhooksOf(account);
  if (events.length === 0) return;
  const receivers = endpoints.filter(({ enabled }) => enabled);
  await deliveries.add(
    events.flatMap((event) =>
      receivers
        .filter(({ id: endpointId, kinds }) =>
          event.endpointId === undefined ? kinds.includes(event.kind) : event.endpointId === endpointId,
        )
        .map((endpoint) => newDelivery(endpoint, event)),
    ),
  );
  const last = events.at(-1)?.id ?? '';
  await actors.run(id, SYSTEM, (current) => dropEvents(current, last)).catch(ignoring('not_found'));
}

/** Sends the first due delivery of a claimed queue. */
async function takeTurn(ports: Ports, queue: EndpointQueue, signal: AbortSignal): Promise<void> {
  const { accounts, deliveries, now } = ports;
  const accountId = accountOfEndpoint(queue.id);
  const account = accountId && (await accounts.find(accountId));
  const endpoint = account && !account.deleting ? endpointIn(account, queue.id) : undefined;
  if (!account || !endpoint) return deliveries.removeEndpoint(queue.id);
  const { failingSince } = queue;
  if (account.suspended) return deliveries.release(queue, { failingSince, notBefore: new Date(now() + SUSPENDED_MS) });
  const delivery = await deliveries.first(queue.id);
  if (!delivery || !isDue(delivery, now()) || signal.aborted) return deliveries.release(queue, { failingSince });
  if (!endpoint.enabled) {
    await deliveries.save({ ...delivery, status: 'failed', dueAt: null, version: delivery.version + 1 });
    return deliveries.release(queue, { failingSince });
  }
  const result = await ports.send(endpoint, delivery, signal);
  if (!result) return deliveries.release(queue, { failingSince });
  await settle(ports, { account, endpoint, queue, delivery }, result);
}

interface Turn {
  readonly account: Account;
  readonly endpoint: Endpoint;
  readonly queue: EndpointQueue;
  readonly delivery: Delivery;
}

/** Writes the result of a try. Disables the endpoint if it is gone or has failed for too long. */
async function settle(
  { actors, deliveries, onTry }: Ports,
  { account, endpoint, queue, delivery }: Turn,
  result: TryResult,
): Promise<void> {
  const isDelivered = isSuccess(result);
  onTry(isDelivered ? 'delivered' : 'failed', result.durationMs / SECOND_MS);
  const failingSince = isDelivered ? null : (queue.failingSince ?? result.at);
  const isFailing = failingSince !== null && result.at.getTime() - failingSince.getTime() >= FAILING_MS;
  const reason = result.httpStatus === 410 ? 'gone' : isFailing ? 'failing' : undefined;
  if (reason)
    await actors
      .run(account.id, SYSTEM, (current, at) => disableEndpoint(current, endpoint.id, reason, at))
      .catch((error: unknown) => {
        if (!isCode(error, 'not_found')) throw error;
      });
  await deliveries.save({ ...tried(delivery, result, Math.random()), version: delivery.version + 1 });
  await deliveries.release(queue, { failingSince: reason ? null : failingSince });
}
