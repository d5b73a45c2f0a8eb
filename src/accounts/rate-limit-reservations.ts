// Rate limit reservations: limits are consumed before a check, and partly refunded after it. If running checks use up a
// limit, the next request waits for their refunds. Otherwise simultaneous right passwords would reject each other.
import { SECOND_MS } from '../platform/time.js';
import type { RateLimit, RateLimitOutcome, RateLimits } from './rate-limits.js';

export interface Reservation {
  readonly ok: true;
  /** Ends the reservation and refunds the limits in `refunded`. */
  release(refunded: readonly RateLimit[]): Promise<void>;
}

export type Denial = Extract<RateLimitOutcome, { ok: false }> & {
  /** True if running checks hold uses of the owner's limit. Their refunds may soon make room. */
  readonly pending: boolean;
};

export interface ConsumeRequest {
  readonly owner: RateLimit;
  /** Further limits to consume. If one of them is used up, the request is denied without waiting. */
  readonly others: readonly RateLimit[];
}

/**
 * State of one owner: number of running checks (`reserved`), number of `reserve` calls that are not decided
 * (`deciding`), and waiting requests.
 */
interface OwnerQueue {
  reserved: number;
  deciding: number;
  /** Number of checks that have ended with a refund. */
  refunds: number;
  /** Callbacks of the waiting requests. Each makes its request try again. */
  readonly retries: (() => void)[];
}

/** `maxWaiting`: maximum number of waiting requests per owner. */
export function createRateLimitReservations(rateLimits: Pick<RateLimits, 'consume' | 'refund'>, maxWaiting: number) {
  const queues = new Map<string, OwnerQueue>();

  function queueOf(key: string): OwnerQueue {
    const queue = queues.get(key) ?? { reserved: 0, deciding: 0, refunds: 0, retries: [] };
    queues.set(key, queue);
    return queue;
  }

  function forget(key: string, { reserved, deciding }: OwnerQueue): void {
    if (reserved === 0 && deciding === 0) queues.delete(key);
  }

  function reservation(key: string, queue: OwnerQueue): Reservation {
    queue.reserved++;
    return {
      ok: true,
      async release(refunded) {
        try {
          if (refunded.length > 0) await rateLimits.refund(refunded);
        } finally {
          queue.reserved--;
          if (refunded.length > 0) queue.refunds++;
          // Wakes one waiting request, or all of them if no check is running any more.
          for (const retry of queue.retries.splice(0, queue.reserved === 0 ? Infinity : 1)) retry();
          forget(key, queue);
        }
      },
    };
  }

  async function decide({ owner, others }: ConsumeRequest, queue: OwnerQueue): Promise<Reservation | Denial> {
    for (let waited = false; ;) {
      const { refunds } = queue;
      const outcome = await rateLimits.consume([...others, owner]);
      if (outcome.ok) return reservation(owner.key, queue);
      const pending = queue.reserved > 0;
      if (outcome.keys.some((key) => key !== owner.key)) {
        const retryAfterSeconds = Math.min(outcome.retryAfterSeconds, longestWindowSeconds(others));
        return { ...outcome, pending, ...(pending && { retryAfterSeconds }) };
      }
      // A check was refunded during `consume`, so there may be room now.
      if (queue.refunds !== refunds) continue;
      if (!pending) return { ...outcome, pending };
      if (!waited && queue.retries.length >= maxWaiting) return { ...outcome, pending, retryAfterSeconds: 1 };
      // A request that was woken and rejected again goes back to the head of the queue.
      await new Promise<void>((retry) => (waited ? queue.retries.unshift(retry) : queue.retries.push(retry)));
      waited = true;
    }
  }

  return {
    async reserve(request: ConsumeRequest): Promise<Reservation | Denial> {
      const { key } = request.owner;
      const queue = queueOf(key);
      queue.deciding++;
      try {
        return await decide(request, queue);
      } finally {
        queue.deciding--;
        forget(key, queue);
      }
    },
  };
}

function longestWindowSeconds(rateLimits: readonly RateLimit[]): number {
  return Math.max(...rateLimits.flatMap(({ rules }) => rules.map(({ windowMs }) => Math.ceil(windowMs / SECOND_MS))));
}
