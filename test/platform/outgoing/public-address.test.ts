// Public addresses. All special addresses are rejected, in every notation.
import { expect } from 'chai';
import fc from 'fast-check';
import { isPublicAddress } from '../../../src/platform/outgoing/public-address.js';

const SPECIAL_IPV4 = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
  ...['127.0.0.1', '127.255.255.254', '169.254.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '192.168.255.255', '198.18.0.1'],
  ...['198.19.255.255', '198.51.100.1', '203.0.113.9', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  '168.63.129.16',
];
const SPECIAL_IPV6 = [
  ...['::', '::1', '::7f00:1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:0:808:808'],
  ...['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '100::1', '2001::1', '2001:2::1', '2001:10::1'],
  ...[
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
  ],
  ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '4000::1', '2606:4700::1111%eth0'],
];
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '100.63.255.255',
  '172.32.0.1',
  '192.167.1.1',
  '2606:4700::1111',
];

describe('public addresses', () => {
  it('include global unicast addresses', () => {
    for (const address of PUBLIC) expect(isPublicAddress(address), address).to.equal(true);
  });

  it('exclude every special address', () => {
    for (const address of [...SPECIAL_IPV4, ...SPECIAL_IPV6]) expect(isPublicAddress(address), address).to.equal(false);
  });

  it('exclude text that is no address, and spellings that only some programs read as one', () => {
    for (const text of ['', 'localhost', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '8.8.8', '[::1]', '8.8.8.8 '])
      expect(isPublicAddress(text), text).to.equal(false);
  });

  it('exclude every IPv4 address that is embedded in IPv6', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
        const [high, low] = [0, 2].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
        const forms = [`::ffff:${bytes.join('.')}`, `::${bytes.join('.')}`, `64:ff9b::${high}:${low}`];
        for (const form of [...forms, `2002:${high}:${low}::1`, `2001:0:${high}:${low}::1`])
          expect(isPublicAddress(form), form).to.equal(false);
      }),
    );
  });

  it('exclude every address of the private networks', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const networks = fc.constantFrom([10], [127], [192, 168], [169, 254], [172, 20], [100, 80], [0], [230], [250]);
    fc.assert(
      fc.property(networks, fc.array(byte, { minLength: 4, maxLength: 4 }), (network, rest) => {
        const address = [...network, ...rest].slice(0, 4).join('.');
        expect(isPublicAddress(address), address).to.equal(false);
      }),
    );
  });
});
