// Withdrawal of entries by the operator, and its reversal.
import type { Slug } from './entry.js';
import { AppError } from '../platform/errors.js';
import type { CatalogStore } from './catalog-store.js';
import { noSuchEntry } from './nearest-slugs.js';

const MAX_REASON_CHARACTERS = 300;

export type Withdrawals = ReturnType<typeof createWithdrawals>;

interface Ports {
  readonly store: Pick<CatalogStore, 'find' | 'entries' | 'withdraw' | 'restore'>;
  /** ms since the epoch */
  readonly now: () => number;
}

export function createWithdrawals({ store, now }: Ports) {
  return {
    /**
     * From now on the entry is answered with 410 and the reason, after later imports, too; of an entry that is withdrawn
     * already, changes the reason. Rejects with AppError `invalid_request` (no reason, one of more than 300 characters,
     * or an alias, whose message names the slug), or `not_found`, which suggests the nearest slugs.
     */
    async withdraw(slug: Slug, reason: string): Promise<void> {
      const text = reason.trim();
      if (text === '' || [...text].length > MAX_REASON_CHARACTERS)
        throw new AppError(
          'invalid_request',
          `The reason is shown to users: 1 to ${MAX_REASON_CHARACTERS} characters.`,
        );
      const found = await store.find(slug);
      if (found.kind === 'moved')
        throw new AppError('invalid_request', `${slug} is another name of ${found.to}; withdraw that one.`);
      if (await store.withdraw(slug, text, new Date(now()))) return;
      throw found.kind === 'withdrawn'
        ? new AppError('invalid_request', `${slug} is withdrawn already.`)
        : await noSuchEntry(store, slug);
    },

    /** Serves the entry again. Rejects with AppError `not_found` when it is not withdrawn. */
    async restore(slug: Slug): Promise<void> {
      if (await store.restore(slug)) return;
      throw (await store.find(slug)).kind === 'missing'
        ? await noSuchEntry(store, slug)
        : new AppError('not_found', `${slug} is not withdrawn.`);
    },
  };
}
