// Shortened client addresses.
import { expect } from 'chai';
import fc from 'fast-check';
import { shortAddress } from '../../src/accounts/audit-event.js';

describe('short addresses', () => {
  const cases = {
    '192.0.2.77': '192.0.2.0/24',
    '255.255.255.255': '255.255.255.0/24',
    '::ffff:192.0.2.77': '192.0.2.0/24',
    '2001:db8:1234:5678:9abc:def0:1234:5678': '2001:db8:1234::/48',
    '2001:DB8:1234::1': '2001:db8:1234::/48',
    '::1': '0:0:0::/48',
    'fe80::1%eth0': 'fe80:0:0::/48',
    '203.0.113.9:5123': '203.0.113.0/24',
    '[2001:db8:1234::1]:443': '2001:db8:1234::/48',
    '[2001:db8:1234::1]': '2001:db8:1234::/48',
    '[192.0.2.77]:443': null,
    '': null,
    unknown: null,
    '192.0.2.77, 10.0.0.1': null,
    '192.0.2.256': null,
    "'; DROP TABLE audit": null,
  };
  for (const [address, short] of Object.entries(cases))
    it(`${address || 'nothing'} is kept as ${String(short)}`, () => expect(shortAddress(address)).to.equal(short));

  it('never contain the last byte of IPv4 or the last 80 bits of IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => shortAddress(address) === `${address.split('.').slice(0, 3).join('.')}.0/24`),
    );
    fc.assert(
      fc.property(fc.ipV6(), (address) =>
        /^([0-9a-f]{1,4}:){2}[0-9a-f]{1,4}::\/48$|\.0\/24$/.test(shortAddress(address) ?? ''),
      ),
    );
  });
});
