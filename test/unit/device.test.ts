// Device cookies: made here, for one e-mail identity.
import { expect } from 'chai';
import fc from 'fast-check';
import { deviceOf, newDevice } from '../../src/domain/device.js';

describe('device tokens', () => {
  const token = newDevice('ada@example.com', 'secret');

  it('name a device to the one they were made for', () => {
    expect(deviceOf(token, 'ada@example.com', ['secret'])).to.equal(token.slice(0, 16));
    expect(deviceOf(token, 'ada@example.com', ['newer', 'secret'])).to.equal(token.slice(0, 16));
    expect(newDevice('ada@example.com', 'secret')).to.not.equal(token);
  });

  it('say nothing to anybody else', () => {
    expect(deviceOf(token, 'eve@example.com', ['secret'])).to.equal(undefined);
    expect(deviceOf(token, 'ada@example.com', ['other'])).to.equal(undefined);
    expect(deviceOf(token, 'ada@example.com', [])).to.equal(undefined);
  });

  it('cannot be made up or changed', () => {
    fc.assert(fc.property(fc.string({ maxLength: 100 }), (text) => deviceOf(text, 'ada@example.com', ['secret']) === undefined));
    fc.assert(fc.property(fc.string({ minLength: 59, maxLength: 59, unit: fc.constantFrom(...'aZ0_-\u00e9\u{1F511}') }), (text) => deviceOf(text, 'ada@example.com', ['secret']) === undefined));
    fc.assert(fc.property(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (place, letter) => {
      const changed = token.slice(0, place) + letter + token.slice(place + 1);
      return changed === token || deviceOf(changed, 'ada@example.com', ['secret']) === undefined;
    }));
    for (const wrong of [`${token}\n`, ` ${token}`, `${token}A`]) expect(deviceOf(wrong, 'ada@example.com', ['secret'])).to.equal(undefined);
  });
});
