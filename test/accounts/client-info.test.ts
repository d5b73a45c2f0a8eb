// Rate limit keys and queue keys of clients, derived from the client's address.
import { expect } from 'chai';
import { rateLimitKey, fairnessKey } from '../../src/accounts/client-info.js';

describe('the key of a client in rate limits', () => {
  it('is IPv4 itself, mapped or not, and the /64 of IPv6', () => {
    expect(rateLimitKey('192.0.2.7')).to.equal('192.0.2.7');
    expect(rateLimitKey('::ffff:192.0.2.7')).to.equal('192.0.2.7');
    expect(rateLimitKey('2001:db8:1:2:3:4:5:6')).to.equal(rateLimitKey('2001:db8:1:2::'));
    expect(rateLimitKey('2001:db8:1:2::1')).to.not.equal(rateLimitKey('2001:db8:1:3::1'));
    expect(rateLimitKey('nonsense')).to.equal('unknown');
  });

  it('is unknown for text longer than any address, which is not parsed', () => {
    expect(rateLimitKey(`fe80::1%${'a'.repeat(40)}`)).to.equal('fe80:0:0:0::/64');
    expect(rateLimitKey(`fe80::1%${'a'.repeat(100)}`)).to.equal('unknown');
  });

  it('ignores the port', () => {
    expect(rateLimitKey('203.0.113.9:5123')).to.equal('203.0.113.9');
    expect(rateLimitKey('[2001:db8::1]:443')).to.equal(rateLimitKey('2001:db8::1'));
    expect(rateLimitKey('[2001:db8::1]')).to.equal(rateLimitKey('2001:db8::1'));
    expect(rateLimitKey('203.0.113.9:5123:1')).to.equal('unknown');
  });

  it('groups a whole site for queues: IPv4 itself, and the /48 of IPv6', () => {
    expect(fairnessKey('192.0.2.7')).to.equal('192.0.2.7');
    expect(fairnessKey('2001:db8:1:2::1')).to.equal(fairnessKey('2001:db8:1:ffff::1'));
    expect(fairnessKey('2001:db8:1::1')).to.not.equal(fairnessKey('2001:db8:2::1'));
  });
});
