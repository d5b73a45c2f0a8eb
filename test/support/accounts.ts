// Accounts for tests, without waiting for argon2.
import { newAccount, type Registered } from '../../src/services/registration.js';
import type { Tier } from '../../src/domain/plan.js';

let made = 0;

export function someAccount({ tier = 'free', suspended = false, email }: { tier?: Tier; suspended?: boolean; email?: string } = {}): Registered {
  made += 1;
  const created = newAccount({ email: email ?? `user${made}@example.com`, passwordHash: '$argon2id$none', tier, at: new Date() });
  return { ...created, account: { ...created.account, suspended } };
}
