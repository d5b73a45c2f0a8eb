// Cookies of trusted devices: valid for a year, for one account and its current password.
import { expect } from 'chai';
import fc from 'fast-check';
import { deviceOf, renewedDevice } from '../../src/accounts/trusted-device.js';
import { someAccount } from '../support/accounts.js';
import { clockAt, DAY_MS } from '../support/clock.js';

describe('device tokens', () => {
  const at = clockAt().date();
  const later = (ms: number) => new Date(at.getTime() + ms);
  const { account } = someAccount({ at });
  const ada = { account, at };
  const token = renewedDevice(undefined, ada, ['secret']);
  const id = token.slice(0, 16);

  it('identify the device of the account they were issued for', () => {
    expect(deviceOf(token, ada, ['secret'])).to.equal(id);
    expect(deviceOf(token, ada, ['newer', 'secret'])).to.equal(id);
    expect(renewedDevice(undefined, ada, ['secret']).slice(0, 16)).to.not.equal(id);
  });

  it('are rejected for any other account, password or secret', () => {
    const others = [
      { ...ada, account: undefined },
      { ...ada, account: someAccount().account },
      { ...ada, account: { ...account, password: { ...account.password, version: 2 } } },
    ];
    for (const other of others) expect(deviceOf(token, other, ['secret'])).to.equal(undefined);
    expect(deviceOf(token, ada, ['other'])).to.equal(undefined);
    expect(deviceOf(token, ada, [])).to.equal(undefined);
  });

  it('stay valid when the e-mail address of the account changes', () => {
    const moved = { ...account, email: 'ada.lovelace@example.com' };
    expect(deviceOf(token, { ...ada, account: moved }, ['secret'])).to.equal(id);
  });

  it('expire after 365 days unless renewed, which keeps the device id', () => {
    expect(deviceOf(token, { ...ada, at: later(365 * DAY_MS - 1) }, ['secret'])).to.equal(id);
    expect(deviceOf(token, { ...ada, at: later(365 * DAY_MS) }, ['secret'])).to.equal(undefined);
    const renewed = renewedDevice(token, { ...ada, at: later(300 * DAY_MS) }, ['newer', 'secret']);
    expect(deviceOf(renewed, { ...ada, at: later(600 * DAY_MS) }, ['newer'])).to.equal(id);
    expect(renewedDevice(token, { ...ada, at: later(365 * DAY_MS) }, ['secret']).slice(0, 16), 'too late').to.not.equal(
      id,
    );
  });

  it('cannot be forged or changed', () => {
    const letters = fc.string({ minLength: 68, maxLength: 68, unit: fc.constantFrom(...'aZ0_-.\u00e9\u{1F511}') });
    fc.assert(fc.property(fc.string({ maxLength: 100 }), (text) => deviceOf(text, ada, ['secret']) === undefined));
    fc.assert(fc.property(letters, (text) => deviceOf(text, ada, ['secret']) === undefined));
    fc.assert(
      fc.property(
        fc.base64String({ minLength: 44, maxLength: 44 }),
        (text) => deviceOf(`${token.slice(0, 25)}${text.slice(0, 43)}`, ada, ['secret']) === undefined,
      ),
    );
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (place, letter) => {
        const changed = token.slice(0, place) + letter + token.slice(place + 1);
        return changed === token || deviceOf(changed, ada, ['secret']) === undefined;
      }),
    );
    for (const wrong of [`${token}\n`, ` ${token}`, `${token}A`])
      expect(deviceOf(wrong, ada, ['secret'])).to.equal(undefined);
  });
});
