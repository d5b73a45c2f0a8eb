// Rate limit reservations. A password check is counted against its limits before it runs. When it ends, its count is
// undone in some of these limits. If the owner's limit is used up, but counted checks are still running, the next check
// waits, because the limit may soon be free again. Otherwise, simultaneous checks of right passwords would reject each
// other.
import { SECOND_MS } from '../platform/time.js';
import type { RateLimit, RateLimitOutcome, RateLimits } from './rate-limits.js';

export interface Reservation {
  readonly ok: true;
  /** Ends the reservation of a password check. The limits in `refunded` then no longer count this check. */
  release(refunded: readonly RateLimit[]): Promise<void>;
}

export type Denial = Extract<RateLimitOutcome, { ok: false }> & {
  /**
   * True if password checks that have been counted against the owner's limit are still running. The limit may soon
   * admit more checks, because the count of a check may be undone when the check ends.
   */
  readonly pending: boolean;
};

export interface ConsumeRequest {
  readonly owner: RateLimit;
  /** Further limits that count the request. If one of them is used up, the request is denied without waiting. */
  readonly others: readonly RateLimit[];
}

/**
 * State of one owner. `reserved`: number of running password checks. `deciding`: number of `reserve` calls without a
 * result yet.
 */
interface OwnerQueue {
  reserved: number;
  deciding: number;
  /** Number of ended password checks whose count was undone. */
  refunds: number;
  /** Number of requests that have waited or are waiting. */
  arrivals: number;
  /** Waiting requests, in the order in which they first waited. */
  readonly waiting: Waiting[];
}

interface Waiting {
  /** Value of `arrivals` when the request waited for the first time. */
  readonly arrival: number;
  /** Makes the request try again. */
  readonly retry: () => void;
}

/** Adds a request to the waiting ones. Resolves when it is woken. */
function wait({ waiting }: OwnerQueue, arrival: number): Promise<void> {
  return new Promise((retry) => {
    waiting.push({ arrival, retry });
    waiting.sort((one, other) => one.arrival - other.arrival);
  });
}

/** `maxWaiting`: maximum number of waiting requests per owner. */
export function createRateLimitReservations(rateLimits: Pick<RateLimits, 'consume' | 'refund'>, maxWaiting: number) {
  const queues = new Map<string, OwnerQueue>();

  function queueOf(key: string): OwnerQueue {
    const queue = queues.get(key) ?? { reserved: 0, deciding: 0, refunds: 0, arrivals: 0, waiting: [] };
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
          // Wakes one waiting request. Wakes all if no password check is running, because no other check would wake
          // them later.
          for (const { retry } of queue.waiting.splice(0, queue.reserved === 0 ? Infinity : 1)) retry();
          forget(key, queue);
        }
      },
    };
  }

  async function decide({ owner, others }: ConsumeRequest, queue: OwnerQueue): Promise<Reservation | Denial> {
    for (let arrival: number | undefined; ;) {
      const { refunds } = queue;
      const outcome = await rateLimits.consume([...others, owner]);
      if (outcome.ok) return reservation(owner.key, queue);
      const pending = queue.reserved > 0;
      if (outcome.keys.some((key) => key !== owner.key)) {
        const retryAfterSeconds = Math.min(outcome.retryAfterSeconds, longestWindowSeconds(others));
        return { ...outcome, pending, ...(pending && { retryAfterSeconds }) };
      }
      // Tries again, because the count of another password check was undone during `consume`. The limit may now admit
      // this request.
      if (queue.refunds !== refunds) continue;
      if (!pending) return { ...outcome, pending };
      if (arrival === undefined && queue.waiting.length >= maxWaiting)
        return { ...outcome, pending, retryAfterSeconds: 1 };
      // A request that was woken and rejected again keeps its place.
      arrival ??= ++queue.arrivals;
      await wait(queue, arrival);
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
