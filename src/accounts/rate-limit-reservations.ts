// Rate limit reservations: consumed before a check and refunded when it went well. A request whose limit is used up
// only by checks under way waits for them: otherwise right passwords that arrive together would reject each other.
import { SECOND_MS } from '../platform/time.js';
import type { RateLimit, RateLimitOutcome, RateLimits } from './rate-limits.js';

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

/** Checks of one owner that are under way, requests that are being decided, and requests that wait for the end of a check. */
interface OwnerQueue {
  reserved: number;
  deciding: number;
  /** Checks that ended and were refunded. */
  refunds: number;
  /** Each call retries one request. */
  readonly retries: (() => void)[];
}

/** `maxWaiting`: requests of one owner that may wait. */
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
          // Wakes one waiter per refund; all of them when no reservation remains.
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
      // There may be room again since this request was rejected.
      if (queue.refunds !== refunds) continue;
      if (!pending) return { ...outcome, pending };
      if (!waited && queue.retries.length >= maxWaiting) return { ...outcome, pending, retryAfterSeconds: 1 };
      // A request that has waited keeps its place at the head.
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
