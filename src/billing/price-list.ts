// Price list: what the plans cost according to the payment provider, cached.
import { within, type Timers } from '../platform/concurrency/deadline.js';
import { HOUR_MS, MINUTE_MS } from '../platform/time.js';
import type { Payments, Price } from './payments.js';

export type { Price } from './payments.js';

const KEPT_MS = HOUR_MS;
const RETRY_MS = MINUTE_MS / 2;
/** Maximum wait for prices. It is shorter than the limit of a response, which then says that the prices are unknown. */
const WAIT_MS = 500;

interface Ports {
  readonly payments: Pick<Payments, 'prices'>;
  /** Time in ms of a monotonic clock. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Replaces the system's timers. */
  readonly timers?: Timers;
}

/** Returns the last known prices. The list is empty until the provider has answered once. Never waits long. */
export type PriceList = () => Promise<readonly Price[]>;

/** Creates a price list that asks the provider at most once an hour, with one request at a time. */
export function createPriceList({ payments, now, onError, timers }: Ports): PriceList {
  let prices: readonly Price[] | undefined;
  let refreshAtMs = -Infinity;
  let asking: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    try {
      prices = await payments.prices();
      refreshAtMs = now() + KEPT_MS;
    } catch (error) {
      refreshAtMs = now() + RETRY_MS;
      onError(error);
    } finally {
      asking = undefined;
    }
  }

  return async () => {
    if (now() >= refreshAtMs) asking ??= refresh();
    // Outdated prices are returned without waiting.
    if (!prices && asking) await within(WAIT_MS, asking, timers).catch(() => undefined);
    return prices ?? [];
  };
}
