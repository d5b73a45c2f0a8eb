// Timing of failed sign-ins: equal for e-mail addresses with and without an account.
import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import type { Account } from '../../src/accounts/account.js';
import { MAX_SESSIONS, newSession } from '../../src/accounts/session.js';
import {
  backgroundSettled,
  openTestAccounts,
  PASSWORD_HASH,
  rejection,
  someClient,
  type TestAccounts,
} from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { mannWhitney } from '../support/mann-whitney.js';

/** Number of sign-ins per address. More sign-ins detect a smaller difference in time. */
const TRIES = process.env.BLAZON_LONG_TESTS === '1' ? 1000 : 60;
const LEAST_P = 0.01;

/** Account with the maximum number of sessions, so that reading it takes as long as possible. */
function busyAccount(email: string): Account {
  const { account } = someAccount({ email, passwordHash: PASSWORD_HASH });
  const at = new Date();
  const origin = { userAgent: 'a browser '.repeat(20), address: '192.0.2.0/24' };
  const sessions = Array.from({ length: MAX_SESSIONS }, () => newSession(account.id, origin, at).session);
  return { ...account, sessions, mails: [] };
}

async function measure(parts: TestAccounts, round: number): Promise<number> {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let index = 0; index < TRIES; index++) {
    const known = `known-${round}-${index}@example.com`;
    await parts.accounts.insert(busyAccount(known));
    const pair = [
      ['known', known],
      ['unknown', `nobody-${round}-${index}@example.com`],
    ] as const;
    for (const [which, email] of Math.random() < 0.5 ? pair : [...pair].reverse()) {
      await backgroundSettled();
      const client = someClient();
      const beganMs = performance.now();
      // Uses a new password in each round, because argon2id needs slightly different times for different passwords.
      const outcome = await rejection(parts.signIn.signIn({ email, password: `wrong pass phrase ${index}`, client }));
      times[which].push(performance.now() - beganMs);
      expect(outcome).to.equal('invalid_credentials');
    }
  }
  return mannWhitney(times.known, times.unknown);
}

describe('the time of a failed sign-in', () => {
  it('is the same for known and unknown e-mail addresses', async () => {
    const parts = await openTestAccounts();
    // Measures again if the first result is below LEAST_P. By chance, this happens in one of a hundred correct runs,
    // but rarely twice in succession.
    const first = await measure(parts, 1);
    const p = first > LEAST_P ? first : await measure(parts, 2);
    expect(p).to.be.above(LEAST_P);
    await parts.close();
  });
});
