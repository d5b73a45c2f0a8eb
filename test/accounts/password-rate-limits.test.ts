// Rate limits of password checks: what each of them counts, and what the operator's unlock resets.
import { expect } from 'chai';
import { passwordRateLimits, rightPasswordRateLimit } from '../../src/accounts/password-rate-limits.js';
import { someClient } from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { DAY_MS, MINUTE_MS } from '../support/clock.js';

describe('the rate limits of a password check', () => {
  const client = someClient({ budgetAddress: '192.0.2.7' });
  const { account } = someAccount({ email: 'ada@example.com' });
  const PER_OWNER = [
    { limit: 10, windowMs: 15 * MINUTE_MS },
    { limit: 100, windowMs: DAY_MS },
  ];
  const OF_ADDRESS = {
    wrong: { key: 'password-address:192.0.2.7', rules: [{ limit: 50, windowMs: 5 * MINUTE_MS }] },
    right: { key: 'right-password-address:192.0.2.7', rules: [{ limit: 300, windowMs: 15 * MINUTE_MS }] },
  };

  it('count an unknown device by e-mail address, with or without an account', () => {
    const owner = { key: 'password:ada@example.com', rules: PER_OWNER };
    const expected = {
      owner,
      others: [OF_ADDRESS.wrong, OF_ADDRESS.right],
      wrong: [owner, OF_ADDRESS.wrong],
      right: [OF_ADDRESS.right],
    };
    for (const [known, device] of [
      [undefined, undefined],
      [undefined, 'a device'],
      [account, undefined],
    ] as const)
      expect(passwordRateLimits({ email: 'Ada@Example.com', account: known, device, client })).to.deep.equal(expected);
  });

  it('count a trusted device separately, and all devices of an account together', () => {
    const { owner, others, wrong } = passwordRateLimits({ email: 'ada@example.com', account, device: 'phone', client });
    const all = {
      key: `devices:${account.id}:0`,
      rules: [
        { limit: 50, windowMs: 15 * MINUTE_MS },
        { limit: 500, windowMs: DAY_MS },
      ],
    };
    expect(owner).to.deep.equal({ key: 'device:phone:0', rules: PER_OWNER });
    expect(others).to.deep.equal([OF_ADDRESS.wrong, all, OF_ADDRESS.right]);
    expect(wrong).to.deep.equal([owner, OF_ADDRESS.wrong, all]);
  });

  it('start again for all trusted devices after the operator has unlocked the account', () => {
    const keysOf = (unlocks: number) => {
      const checked = { email: 'ada@example.com', account: { ...account, unlocks }, device: 'phone', client };
      const { owner, others } = passwordRateLimits(checked);
      return [owner, ...others].map(({ key }) => key);
    };
    const before = keysOf(0);
    expect(keysOf(1).filter((key) => before.includes(key))).to.deep.equal([OF_ADDRESS.wrong.key, OF_ADDRESS.right.key]);
  });

  it('count right passwords per account and purpose', () => {
    expect(rightPasswordRateLimit(account.id, 'confirmation')).to.deep.equal({
      key: `confirmation:${account.id}`,
      rules: [
        { limit: 200, windowMs: 15 * MINUTE_MS },
        { limit: 2000, windowMs: DAY_MS },
      ],
    });
  });
});
