// Budgets that are spent before a check and given back when it went well: an owner whose budget is used up only by checks
// that are not over yet waits for them. Else the right passwords of one moment would refuse each other.
import type { Budget, BudgetOutcome, Budgets } from '../ports/budgets.js';

export interface Hold {
  readonly ok: true;
  /** The check is over: it cost what was spent, or nothing. */
  end(how: 'spent' | 'given back'): Promise<void>;
}

type Refusal = Extract<BudgetOutcome, { ok: false }> & {
  /** By checks that are not over yet, for which too many wait already: it may be free again in a moment. */
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

  function hold({ owner: { subject } }: Spending, asked: readonly Budget[]): Hold {
    const line = lines.get(subject) ?? { held: 0, waiting: [] };
    line.held++;
    lines.set(subject, line);
    return {
      ok: true,
      async end(how) {
        try {
          if (how === 'given back') await budgets.giveBack(asked);
        } finally {
          line.held--;
          if (line.held === 0) lines.delete(subject);
          // All try again, in their order; who finds nothing waits for the next end.
          for (const tryAgain of line.waiting.splice(0)) tryAgain();
        }
      },
    };
  }

  return {
    async spend(spending) {
      const { owner, others } = spending;
      const asked = [...others, owner];
      for (;;) {
        const outcome = await budgets.spend(asked);
        if (outcome.ok) return hold(spending, asked);
        const line = outcome.subjects.every((subject) => subject === owner.subject) ? lines.get(owner.subject) : undefined;
        if (!line) return { ...outcome, provisional: false };
        if (line.waiting.length >= maxWaiting) return { ...outcome, provisional: true };
        await new Promise<void>((tryAgain) => line.waiting.push(tryAgain));
      }
    },
  };
}
