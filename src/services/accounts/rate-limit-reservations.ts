// Budgets that are spent before a check and given back when it went well: an owner whose rateLimit is used up only by
// checks that are not over yet waits for them. Else the right passwords of one moment would refuse each other.
import { SECOND_MS } from '../../domain/time.js';
import type { RateLimit, RateLimitOutcome, RateLimits } from '../../ports/rate-limits.js';

export interface Reservation {
  readonly ok: true;
  /** The check is over: these of what was spent are given back. */
  release(givenBack: readonly RateLimit[]): Promise<void>;
}

export type Denial = Extract<RateLimitOutcome, { ok: false }> & {
  /** As far as the owner is concerned, by checks that are not over yet: the rateLimit may be free again in a moment. */
  readonly pending: boolean;
};

export interface ConsumeRequest {
  readonly owner: RateLimit;
  /** Spent too; nobody waits for these. */
  readonly others: readonly RateLimit[];
}

export interface RateLimitReservations {
  reserve(spending: ConsumeRequest): Promise<Reservation | Denial>;
}

/** Checks under way that came out of one rateLimit, and those who wait for their end. */
interface Line {
  held: number;
  readonly waiting: (() => void)[];
}

export function createRateLimitReservations(
  rateLimits: Pick<RateLimits, 'consume' | 'refund'>,
  maxWaiting: number,
): RateLimitReservations {
  const lines = new Map<string, Line>();

  function hold(key: string): Reservation {
    const line = lines.get(key) ?? { held: 0, waiting: [] };
    line.held++;
    lines.set(key, line);
    return {
      ok: true,
      async release(givenBack) {
        try {
          if (givenBack.length > 0) await rateLimits.refund(givenBack);
        } finally {
          line.held--;
          if (line.held === 0) lines.delete(key);
          // One gives back one; but nobody waits for what nobody holds.
          for (const tryAgain of line.waiting.splice(0, line.held === 0 ? Infinity : 1)) tryAgain();
        }
      },
    };
  }

  return {
    async reserve({ owner, others }) {
      const asked = [...others, owner];
      for (let waited = false; ; waited = true) {
        const before = lines.get(owner.key);
        const outcome = await rateLimits.consume(asked);
        if (outcome.ok) return hold(owner.key);
        const line = lines.get(owner.key);
        if (outcome.keys.some((key) => key !== owner.key)) {
          return {
            ...outcome,
            pending: line !== undefined,
            ...(line && { retryAfterSeconds: Math.min(outcome.retryAfterSeconds, longest(others)) }),
          };
        }
        // The last of them ended while this was being refused.
        if (!line && before) continue;
        if (!line) return { ...outcome, pending: false };
        if (!waited && line.waiting.length >= maxWaiting) return { ...outcome, pending: true, retryAfterSeconds: 1 };
        await new Promise<void>((tryAgain) => (waited ? line.waiting.unshift(tryAgain) : line.waiting.push(tryAgain)));
      }
    },
  };
}

/** Seconds of the longest window. */
function longest(rateLimits: readonly RateLimit[]): number {
  return Math.max(...rateLimits.flatMap(({ rules }) => rules.map(({ windowMs }) => Math.ceil(windowMs / SECOND_MS))));
}
