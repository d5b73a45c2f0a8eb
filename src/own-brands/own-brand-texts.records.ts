// Store of own brands' texts, on the tables of SQLite or MongoDB.
import { z } from 'zod';
import type { AccountId } from '../accounts/account.js';
import { branded } from '../platform/stores/stored-record.js';
import type { OwnBrandTexts } from './own-brand-texts.js';
import type { Tables } from '../platform/stores/tables.js';

export const OWN_BRAND_TEXTS = {
  name: 'ownBrandTexts',
  schema: z.object({ id: z.string(), accountId: branded<AccountId>(), text: z.string(), version: z.literal(1) }),
};

/**
 * Number of texts to write or copy at once. They have at most 20 MB together, because a drawing has at most a megabyte.
 * Most drawings have a few kilobytes.
 */
export const TEXTS_AT_ONCE = 20;

export function createOwnBrandTexts(table: Tables) {
  const texts = table(OWN_BRAND_TEXTS);
  const rowId = (accountId: AccountId, id: string): string => `${accountId}:${id}`;
  const textId = (accountId: AccountId, id: string): string => id.slice(accountId.length + 1);

  return {
    async get(accountId, ids) {
      const found = await texts.find({ where: { id: { in: ids.map((id) => rowId(accountId, id)) } } });
      return new Map(found.map(({ id, text }) => [textId(accountId, id), text]));
    },

    async add(accountId, added) {
      for (let at = 0; at < added.length; at += TEXTS_AT_ONCE)
        await texts.putAll(
          added
            .slice(at, at + TEXTS_AT_ONCE)
            .map(({ id, text }) => ({ id: rowId(accountId, id), accountId, text, version: 1 as const })),
        );
    },

    async remove(accountId, ids) {
      if (ids.length > 0) await texts.remove({ id: { in: ids.map((id) => rowId(accountId, id)) } });
    },

    ids: async (accountId) => (await texts.ids({ where: { accountId } })).map((id) => textId(accountId, id)),

    removeAll: async (accountId: AccountId): Promise<void> => {
      await texts.remove({ accountId });
    },
  } satisfies OwnBrandTexts;
}
