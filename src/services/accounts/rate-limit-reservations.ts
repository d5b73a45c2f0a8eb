// Rate limit reservations: consumed before a check and refunded when it went well. A request whose limit is used up
// only by checks under way waits for them: otherwise right passwords that arrive together would reject each other.
import { SECOND_MS } from '../../domain/time.js';
import type { RateLimit, RateLimitOutcome, RateLimits } from '../../ports/rate-limits.js';

export interface Reservation {
  readonly ok: true;
  /** The check has ended; refunds these of the reserved limits. */
  release(refunded: readonly RateLimit[]): Promise<void>;
}

export type Denial = Extract<RateLimitOutcome, { ok: false }> & {
  /** The owner's limit is used up by checks under way, so it may have room again in a moment. */
  readonly pending: boolean;
};

export interface ConsumeRequest {
  readonly owner: RateLimit;
  /** Consumed too; when one of these is used up, the request is denied at once. */
  readonly others: readonly RateLimit[];
}

export interface RateLimitReservations {
  reserve(request: ConsumeRequest): Promise<Reservation | Denial>;
}

/** Checks under way of one owner, and the requests that wait for their end. */
interface OwnerQueue {
  reserved: number;
  /** Each call retries one request. */
  readonly retries: (() => void)[];
}

/** `maxWaiting`: requests of one owner that may wait. */
export function createRateLimitReservations(
  rateLimits: Pick<RateLimits, 'consume' | 'refund'>,
  maxWaiting: number,
): RateLimitReservations {
  const queues = new Map<string, OwnerQueue>();

  function reservation(key: string): Reservation {
    const queue = queues.get(key) ?? { reserved: 0, retries: [] };
    queue.reserved++;
    queues.set(key, queue);
    return {
      ok: true,
      async release(refunded) {
        try {
          if (refunded.length > 0) await rateLimits.refund(refunded);
        } finally {
          queue.reserved--;
          if (queue.reserved === 0) queues.delete(key);
          // Wakes one waiter per refund; all of them when no reservation remains.
          for (const retry of queue.retries.splice(0, queue.reserved === 0 ? Infinity : 1)) retry();
        }
      },
    };
  }

  return {
    async reserve({ owner, others }) {
      const limits = [...others, owner];
      for (let waited = false; ; waited = true) {
        const before = queues.get(owner.key);
        const outcome = await rateLimits.consume(limits);
        if (outcome.ok) return reservation(owner.key);
        const queue = queues.get(owner.key);
        if (outcome.keys.some((key) => key !== owner.key)) {
          return {
            ...outcome,
            pending: queue !== undefined,
            ...(queue && { retryAfterSeconds: Math.min(outcome.retryAfterSeconds, longestWindowSeconds(others)) }),
          };
        }
        // The last reservation was released while this request was being rejected.
        if (!queue && before) continue;
        if (!queue) return { ...outcome, pending: false };
        if (!waited && queue.retries.length >= maxWaiting) return { ...outcome, pending: true, retryAfterSeconds: 1 };
        // A request that has waited keeps its place at the head.
        await new Promise<void>((retry) => (waited ? queue.retries.unshift(retry) : queue.retries.push(retry)));
      }
    },
  };
}

function longestWindowSeconds(rateLimits: readonly RateLimit[]): number {
  return Math.max(...rateLimits.flatMap(({ rules }) => rules.map(({ windowMs }) => Math.ceil(windowMs / SECOND_MS))));
}
