// Publishable keys of a signed-in customer: lists them with today's number of requests, creates, changes and revokes
// them.
import type { Account } from './account.js';
import { tierAt } from './tier.js';
import { addPublishableKey, editPublishableKey, revokePublishableKey } from './changes/publishable-keys.js';
import type { PublishableKey, PublishableKeySettings } from './publishable-key.js';
import { defaultKeyLimit } from './plan.js';
import type { AccountUsage } from './account-usage.js';
import { withinDailyLimit } from './rate-limiting.js';
import type { Caller } from './sessions.js';
import type { AccountContext } from './context.js';
import type { SignedInClient } from './signed-in-change.js';

/**
 * Maximum number of new keys per day. The number is limited because each new key gets a usage counter, which is kept
 * until the day ends.
 */
const MADE_A_DAY = 100;
/** Maximum number of changes per day. The number is limited because each change adds an audit event. */
const CHANGED_A_DAY = 1000;

export interface PublishableKeyView {
  readonly key: PublishableKey;
  /** Requests of the current UTC day. */
  readonly usedToday: number;
}

/** Settings of a new key. `dailyLimit` defaults to half of the daily picture requests of the account's tier. */
export type NewPublishableKey = Omit<PublishableKeySettings, 'dailyLimit'> & Partial<PublishableKeySettings>;

export type PublishableKeys = ReturnType<typeof createPublishableKeys>;

/**
 * All methods except `list` throw AppError `invalid_token`, `account_suspended`, `rate_limited`, `busy`, `conflict`.
 */
export function createPublishableKeys({
  actors,
  rateLimits,
  usage,
  plans,
}: Pick<AccountContext, 'actors' | 'rateLimits' | 'plans'> & { readonly usage: Pick<AccountUsage, 'byKey'> }) {
  const limited = <Result>({ id }: Account, what: 'made' | 'changed', run: () => Promise<Result>): Promise<Result> => {
    const limit = what === 'made' ? MADE_A_DAY : CHANGED_A_DAY;
    const message = `At most ${limit} publishable keys can be ${what} per day.`;
    return withinDailyLimit(rateLimits, { accountId: id, what: `publishable-keys-${what}`, limit, message }, run);
  };

  return {
    /** Returns the keys, oldest first. Throws AppError `internal_error` if the usage counters cannot be read. */
    async list({ account: { id, publishableKeys } }: Caller): Promise<readonly PublishableKeyView[]> {
      if (publishableKeys.length === 0) return [];
      const used = await usage.byKey(id);
      return publishableKeys.map((key) => ({ key, usedToday: used[key.id] ?? 0 }));
    },

    /** Creates a key. Throws AppError `conflict` if the account already has ten keys. */
    async create({ caller, client }: SignedInClient, settings: NewPublishableKey): Promise<PublishableKeyView> {
      const { account, session } = caller;
      const key = await limited(account, 'made', () =>
        actors.run(account.id, client.actor, (current, at) => {
          const dailyLimit = defaultKeyLimit(plans[tierAt(current, at)]);
          return addPublishableKey(current, { session: session.id, settings: { dailyLimit, ...settings } }, at);
        }),
      );
      return { key, usedToday: 0 };
    },

    /** Returns undefined if no key has this id. */
    async edit(
      { caller, client }: SignedInClient,
      id: string,
      settings: Partial<PublishableKeySettings>,
    ): Promise<PublishableKeyView | undefined> {
      const { account, session } = caller;
      // Reads the counters before the change, so that nothing changes if the read fails.
      const used = await usage.byKey(account.id);
      const key = await limited(account, 'changed', () =>
        actors.run(account.id, client.actor, (current, at) =>
          editPublishableKey(current, { session: session.id, id, settings }, at),
        ),
      );
      return key && { key, usedToday: used[key.id] ?? 0 };
    },

    /**
     * Revokes a key. When the call resolves, the key is invalid in every process. Returns false if no key has this id.
     */
    revoke: ({ caller: { account, session }, client }: SignedInClient, id: string): Promise<boolean> =>
      actors.run(account.id, client.actor, (current, at) =>
        revokePublishableKey(current, { session: session.id, id }, at),
      ),
  };
}
