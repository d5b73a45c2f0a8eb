// Price list: cached prices of the plans, from the payment provider.
import { within, type Timers } from '../platform/concurrency/deadline.js';
import { HOUR_MS, MINUTE_MS } from '../platform/time.js';
import type { Payments, Price } from './payments.js';

export type { Price } from './payments.js';

const KEPT_MS = HOUR_MS;
const RETRY_MS = MINUTE_MS / 2;
/**
 * Maximum wait for prices in ms, shorter than the time limit of a response. After this wait, the response contains no
 * prices.
 */
const WAIT_MS = 500;

interface Ports {
  readonly payments: Pick<Payments, 'prices'>;
  /** Time in ms of a monotonic clock. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Timers for tests; by default, the timers of the system. */
  readonly timers?: Timers;
}

/**
 * Returns the last known prices. If no prices are known yet, waits at most `WAIT_MS` for the provider, and then returns
 * an empty list.
 */
export type PriceList = () => Promise<readonly Price[]>;

/** Returns a function that asks the provider at most once an hour, with one request at a time. */
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
    // Waits only if no prices are known. Old prices are returned immediately.
    if (!prices && asking) await within(WAIT_MS, asking, timers).catch(() => undefined);
    return prices ?? [];
  };
}
