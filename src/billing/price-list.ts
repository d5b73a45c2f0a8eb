// Price list: what the plans cost, as the payment provider has it, cached.
import { within, type Timers } from '../platform/concurrency/deadline.js';
import { HOUR_MS, MINUTE_MS } from '../platform/time.js';
import type { Payments, Price } from './payments.js';

export type { Price } from './payments.js';

const KEPT_MS = HOUR_MS;
const RETRY_MS = MINUTE_MS / 2;
/** Less than an answer has, which says then that the prices are not known. */
const WAIT_MS = 500;

interface Ports {
  readonly payments: Pick<Payments, 'prices'>;
  /** ms, of any clock that is not set */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Replaces the system's timers. */
  readonly timers?: Timers;
}

/** The last known ones; none until the provider has answered once. Never waits long. */
export type PriceList = () => Promise<readonly Price[]>;

/** Asked at most once an hour, and by one request at a time. */
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
    // Old prices are answered at once.
    if (!prices && asking) await within(WAIT_MS, asking, timers).catch(() => undefined);
    return prices ?? [];
  };
}
