// Withdraws entries for the operator, and restores them.
import type { Slug } from './entry.js';
import { AppError } from '../platform/errors.js';
import type { CatalogStore } from './catalog-store.js';
import { noSuchEntry } from './nearest-slugs.js';

const MAX_REASON_CHARACTERS = 300;

export type Withdrawals = ReturnType<typeof createWithdrawals>;

interface Ports {
  readonly store: Pick<CatalogStore, 'find' | 'entries' | 'withdraw' | 'restore'>;
  readonly now: () => number;
}

export function createWithdrawals({ store, now }: Ports) {
  return {
    /**
     * Withdraws an entry. Requests then get 410 with the reason, even after later imports. If the entry is already
     * withdrawn, replaces the reason.
     * Rejects with AppError `invalid_request` for an alias, and for a reason that is empty or longer than 300
     * characters. Rejects with `not_found` and the nearest slugs for an unknown slug.
     */
    async withdraw(slug: Slug, reason: string): Promise<void> {
      const text = reason.trim();
      if (text === '' || [...text].length > MAX_REASON_CHARACTERS)
        throw new AppError(
          'invalid_request',
          `Enter a reason with 1 to ${MAX_REASON_CHARACTERS} characters. It is shown to users.`,
        );
      const found = await store.find(slug);
      if (found.kind === 'moved')
        throw new AppError('invalid_request', `${slug} is an alias of ${found.to}. Withdraw ${found.to} instead.`);
      if (await store.withdraw(slug, text, new Date(now()))) return;
      throw found.kind === 'withdrawn'
        ? new AppError('invalid_request', `${slug} is already withdrawn.`)
        : await noSuchEntry(store, slug);
    },

    /** Makes a withdrawn entry available again. Rejects with AppError `not_found` if the entry is not withdrawn. */
    async restore(slug: Slug): Promise<void> {
      if (await store.restore(slug)) return;
      throw (await store.find(slug)).kind === 'missing'
        ? await noSuchEntry(store, slug)
        : new AppError('not_found', `${slug} is not withdrawn.`);
    },
  };
}
