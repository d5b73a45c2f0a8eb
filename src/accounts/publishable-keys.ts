// Publishable keys of a signed-in customer: listed with today's use, made, changed, revoked.
import type { Account } from './account.js';
import { tierAt } from './tier.js';
import { addPublishableKey, editPublishableKey, revokePublishableKey } from './changes/publishable-keys.js';
import type { PublishableKey, PublishableKeySettings } from './publishable-key.js';
import { defaultKeyLimit } from './plan.js';
import type { AccountUsage } from './account-usage.js';
import type { Client } from './client-info.js';
import { withinDailyLimit } from './rate-limiting.js';
import type { Caller } from './sessions.js';
import type { AccountContext } from './context.js';

/** Each has a counter of its own for the rest of the day. */
const MADE_A_DAY = 100;
/** Each is a security event. */
const CHANGED_A_DAY = 1000;

export interface PublishableKeyView {
  readonly key: PublishableKey;
  /** Requests of the current UTC day. */
  readonly usedToday: number;
}

export interface SignedInClient {
  readonly caller: Caller;
  readonly client: Client;
}

/** Without `dailyLimit`: half of the daily pictures of the account's tier. */
export type NewPublishableKey = Omit<PublishableKeySettings, 'dailyLimit'> & Partial<PublishableKeySettings>;

export type PublishableKeys = ReturnType<typeof createPublishableKeys>;

/** All but `list` throw AppError `invalid_token`, `account_suspended`, `rate_limited`, `busy`, `conflict`. */
export function createPublishableKeys({
  actors,
  rateLimits,
  usage,
  plans,
}: Pick<AccountContext, 'actors' | 'rateLimits' | 'plans'> & { readonly usage: Pick<AccountUsage, 'byKey'> }) {
  const limited = <Result>({ id }: Account, what: 'made' | 'changed', run: () => Promise<Result>): Promise<Result> => {
    const limit = what === 'made' ? MADE_A_DAY : CHANGED_A_DAY;
    const message = `At most ${limit} publishable keys are ${what} in a day.`;
    return withinDailyLimit(rateLimits, { accountId: id, what: `publishable-keys-${what}`, limit, message }, run);
  };

  return {
    /** Oldest first. Throws AppError `internal_error` when the counters cannot be read. */
    async list({ account: { id, publishableKeys } }: Caller): Promise<readonly PublishableKeyView[]> {
      if (publishableKeys.length === 0) return [];
      const used = await usage.byKey(id);
      return publishableKeys.map((key) => ({ key, usedToday: used[key.id] ?? 0 }));
    },

    /** Also throws AppError `conflict` when there are ten already. */
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

    /** Undefined: there is none with this id. */
    async edit(
      { caller, client }: SignedInClient,
      id: string,
      settings: Partial<PublishableKeySettings>,
    ): Promise<PublishableKeyView | undefined> {
      const { account, session } = caller;
      // Before the change, so that what fails has changed nothing.
      const used = await usage.byKey(account.id);
      const key = await limited(account, 'changed', () =>
        actors.run(account.id, client.actor, (current, at) =>
          editPublishableKey(current, { session: session.id, id, settings }, at),
        ),
      );
      return key && { key, usedToday: used[key.id] ?? 0 };
    },

    /** When it resolves, the key is invalid everywhere. False: there is none with this id. */
    revoke: ({ caller: { account, session }, client }: SignedInClient, id: string): Promise<boolean> =>
      actors.run(account.id, client.actor, (current, at) =>
        revokePublishableKey(current, { session: session.id, id }, at),
      ),
  };
}
