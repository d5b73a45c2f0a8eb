// Budgets that are spent before a check and given back when it went well: an owner whose budget is used up only by
// checks that are not over yet waits for them. Else the right passwords of one moment would refuse each other.
import { SECOND_MS } from '../../domain/time.js';
import type { Budget, BudgetOutcome, Budgets } from '../../ports/rate-limits.js';

export interface Hold {
  readonly ok: true;
  /** The check is over: these of what was spent are given back. */
  end(givenBack: readonly Budget[]): Promise<void>;
}

export type Refusal = Extract<BudgetOutcome, { ok: false }> & {
  /** As far as the owner is concerned, by checks that are not over yet: the budget may be free again in a moment. */
  readonly provisional: boolean;
};

export interface Spending {
  readonly owner: Budget;
  /** Spent too; nobody waits for these. */
  readonly others: readonly Budget[];
}

export interface HeldBudgets {
  spend(spending: Spending): Promise<Hold | Refusal>;
}

/** Checks under way that came out of one budget, and those who wait for their end. */
interface Line {
  held: number;
  readonly waiting: (() => void)[];
}

export function heldBudgets(budgets: Pick<Budgets, 'spend' | 'giveBack'>, maxWaiting: number): HeldBudgets {
  const lines = new Map<string, Line>();

  function hold(subject: string): Hold {
    const line = lines.get(subject) ?? { held: 0, waiting: [] };
    line.held++;
    lines.set(subject, line);
    return {
      ok: true,
      async end(givenBack) {
        try {
          if (givenBack.length > 0) await budgets.giveBack(givenBack);
        } finally {
          line.held--;
          if (line.held === 0) lines.delete(subject);
          // One gives back one; but nobody waits for what nobody holds.
          for (const tryAgain of line.waiting.splice(0, line.held === 0 ? Infinity : 1)) tryAgain();
        }
      },
    };
  }

  return {
    async spend({ owner, others }) {
      const asked = [...others, owner];
      for (let waited = false; ; waited = true) {
        const before = lines.get(owner.subject);
        const outcome = await budgets.spend(asked);
        if (outcome.ok) return hold(owner.subject);
        const line = lines.get(owner.subject);
        if (outcome.subjects.some((subject) => subject !== owner.subject)) {
          return {
            ...outcome,
            provisional: line !== undefined,
            ...(line && { retryAfterSeconds: Math.min(outcome.retryAfterSeconds, longest(others)) }),
          };
        }
        // The last of them ended while this was being refused.
        if (!line && before) continue;
        if (!line) return { ...outcome, provisional: false };
        if (!waited && line.waiting.length >= maxWaiting)
          return { ...outcome, provisional: true, retryAfterSeconds: 1 };
        await new Promise<void>((tryAgain) => (waited ? line.waiting.unshift(tryAgain) : line.waiting.push(tryAgain)));
      }
    },
  };
}

/** Seconds of the longest window. */
function longest(budgets: readonly Budget[]): number {
  return Math.max(...budgets.flatMap(({ rules }) => rules.map(({ windowMs }) => Math.ceil(windowMs / SECOND_MS))));
}
