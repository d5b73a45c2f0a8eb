// Measures how fast API keys can be replaced. HTTP and password hashing are not included.
import { readEnv } from '../../config/env.js';
import { FEATURES } from '../../src/features.js';
import { openServices } from '../../src/platform/open-services.js';
import type { AccountId } from '../../src/accounts/account.js';
import { regenerateKey } from '../../src/accounts/changes/credentials.js';
import { newAccount } from '../../src/accounts/changes/lifecycle.js';
import { withStores, type Variables } from './service.js';
import { perSecond, type Row } from './table.js';

const ACCOUNTS = 1000;
const REGENERATIONS = 5000;
/** Number of simultaneous changes. It is lower than the number of changes that may wait for one account. */
const AT_ONCE = 16;
const OPERATOR = { kind: 'operator', address: null } as const;

export async function measureRegenerations(
  variables: Variables,
  { name, goal }: Pick<Row, 'goal'> & { readonly name: string },
): Promise<Row> {
  const rate = await withStores(variables, async (stores) => {
    const opened = await openServices({
      ...{ env: readEnv(variables, '0.0.0'), features: FEATURES, stores, metrics: undefined },
      ...{ now: Date.now, onError: console.error, mails: 'by the job' },
    });
    const { actors } = opened.services;
    const ids: AccountId[] = [];
    for (let count = 0; count < ACCOUNTS; count++) {
      const email = `bench-regeneration-${count}@example.com`;
      const { account } = newAccount({ email, passwordHash: 'none', tier: 'free', at: new Date() });
      await stores.accounts.insert(account);
      ids.push(account.id);
    }
    const startedMs = performance.now();
    const rest = Array.from({ length: REGENERATIONS }, (_, at) => ids[at % ACCOUNTS] ?? ('' as AccountId)).values();
    const worker = async (): Promise<void> => {
      for (const id of rest) await actors.run(id, OPERATOR, (account, at) => regenerateKey(account, undefined, at));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const seconds = (performance.now() - startedMs) / 1000;
    await opened.close();
    return REGENERATIONS / seconds;
  });
  return {
    what: `${name}regenerations, ${ACCOUNTS} accounts, ${AT_ONCE} at once`,
    measured: perSecond(rate),
    peer: '–',
    figure: rate,
    unit: '/s',
    ...(goal && { goal }),
  };
}
