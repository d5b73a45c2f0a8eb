// Publishable keys. Each one belongs to a new account.
import { newPublishableKey, type PublishableKeySettings } from '../../src/accounts/publishable-key.js';
import type { Tier } from '../../src/accounts/plan.js';
import { someAccount } from './accounts.js';
import type { TestServer } from './server.js';

export interface PageKey {
  /** Publishable key, `blzp_…`. */
  readonly raw: string;
  readonly apiKey: string;
}

export async function pageKey(
  { stores }: Pick<TestServer, 'stores'>,
  { tier = 'internal', ...settings }: Partial<PublishableKeySettings> & { readonly tier?: Tier } = {},
): Promise<PageKey> {
  const { account, apiKey } = someAccount({ tier });
  const key = newPublishableKey(account.id, { name: 'page', origins: [], dailyLimit: null, ...settings }, new Date());
  await stores.accounts.insert({ ...account, publishableKeys: [key] });
  return { raw: key.raw, apiKey };
}
