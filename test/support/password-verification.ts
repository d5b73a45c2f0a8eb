// Password verification with a hasher that the test provides.
import { expect } from 'chai';
import type { Account } from '../../src/accounts/account.js';
import { renewedDevice } from '../../src/accounts/trusted-device.js';
import type { PasswordHasher } from '../../src/accounts/password-hasher.js';
import { createBackgroundTasks } from '../../src/platform/jobs/background-tasks.js';
import { createPasswordVerification, type PasswordClaim } from '../../src/accounts/password-verification.js';
import { PASSWORD, rejection, someClient, type TestAccounts } from './account-services.js';
import type { Clock } from './clock.js';

const DEVICE_SECRET = 'signs devices';

export type TestVerification = ReturnType<typeof testVerification>;

export function testVerification(parts: TestAccounts, clock: Clock, hasher: PasswordHasher) {
  const background = createBackgroundTasks((error) => expect.fail(String(error)));
  const deviceSecrets = [DEVICE_SECRET] as const;
  const check = createPasswordVerification({ ...parts, hasher, background, now: clock.now, deviceSecrets });
  return {
    settle: () => background.settle(),
    /** Verifies a password and returns the result. By default, the password is right and the client address is new. */
    outcome: (account: Account, claim: Partial<PasswordClaim> = {}) =>
      rejection(
        check.verify({
          email: account.email,
          account,
          password: PASSWORD,
          purpose: 'sign-in',
          client: someClient(),
          ...claim,
        }),
      ),
    /** Verifies a password for an e-mail address without an account. Returns the result. */
    guess: (name: string, client = someClient()) =>
      rejection(
        check.verify({
          email: `${name}@example.com`,
          account: undefined,
          password: 'a guess or two',
          purpose: 'sign-in',
          client,
        }),
      ),
    /** Returns the device token of a browser in which the user has signed in. */
    device: (account: Account, secret = DEVICE_SECRET) =>
      renewedDevice(undefined, { account, at: clock.date() }, [secret]),
  };
}
