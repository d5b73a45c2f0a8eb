// Events of the fake, and their deliveries.
import { deliver, type Delivery } from './deliveries.js';
import type { ApiEvent, EventType } from './wire.js';

const MAX_DELIVERIES = 10_000;

export interface Signing {
  /** `whsec_…` */
  readonly secret: string;
  /** Of the signature; what the option `now` says when absent, however far `advanceTo` went. */
  readonly at?: Date;
}

export interface DeliverOptions {
  readonly secret: string;
  /** Of the signatures, as in `Signing`. */
  readonly at?: () => Date;
  readonly onDelivery?: (event: ApiEvent, delivery: Delivery) => void;
}

export interface FakeWebhooks {
  /** Oldest first, the oldest of more than 100,000 left out. */
  readonly events: readonly ApiEvent[];
  eventsOf(type: EventType): ApiEvent[];
  /** Once; resolves with status 0 without an answer. */
  deliver(event: ApiEvent, url: string, signing: Signing): Promise<Delivery>;
  /** From now on all events, in their order, one at a time. Returns the function that ends it. */
  deliverTo(url: string, options: DeliverOptions): () => void;
  /** Those of `deliverTo` that have ended. */
  readonly deliveries: readonly Delivery[];
  /** Resolves when all events that were emitted are delivered. */
  delivered(): Promise<void>;
}

interface Webhooks {
  readonly webhooks: (events: readonly ApiEvent[]) => FakeWebhooks;
  readonly onEvent: (event: ApiEvent) => void;
  /** Webhooks that get every event. */
  readonly pending: () => number;
}

/** `now`: ms since the epoch. */
export function createWebhooks(now: () => number): Webhooks {
  const targets = new Map<symbol, (event: ApiEvent) => Promise<void>>();
  const deliveries: Delivery[] = [];
  let last: Promise<void> = Promise.resolve();

  async function deliverToAll(event: ApiEvent): Promise<void> {
    for (const target of targets.values()) await target(event);
  }

  return {
    pending: () => targets.size,
    onEvent(event) {
      if (targets.size > 0) last = last.then(() => deliverToAll(event));
    },
    webhooks: (events) => ({
      events,
      eventsOf: (type) => events.filter((event) => event.type === type),
      deliver: (event, url, { secret, at = new Date(now()) }) => deliver(event, { url, secret, at }),
      deliverTo(url, { secret, at = () => new Date(now()), onDelivery }) {
        const target = Symbol(url);
        targets.set(target, async (event) => {
          const delivery = await deliver(event, { url, secret, at: at() });
          deliveries.push(delivery);
          if (deliveries.length > MAX_DELIVERIES) deliveries.shift();
          onDelivery?.(event, delivery);
        });
        return () => void targets.delete(target);
      },
      deliveries,
      async delivered() {
        for (let awaited: Promise<void> | undefined; awaited !== last;) {
          awaited = last;
          await awaited;
        }
      },
    }),
  };
}
