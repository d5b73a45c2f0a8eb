// Rate limit keys and queue keys of clients, derived from the client's address.
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import { createClient, fairnessKey, ownersTurn, rateLimitKey, strangersTurn } from '../../src/accounts/client-info.js';

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

describe('a client', () => {
  const keys = { rateLimitKey: 'one', fairnessKey: 'site', deviceToken: undefined };

  it('is stored with its network, and the first 256 characters of its browser, or null', () => {
    const client = createClient({ ...keys, address: '203.0.113.77', userAgent: `${'x'.repeat(256)}y` });
    expect(client.origin).to.deep.equal({ userAgent: 'x'.repeat(256), address: '203.0.113.0/24' });
    expect(client.actor).to.deep.equal({ kind: 'customer', address: '203.0.113.0/24' });
    const unknown = createClient({ ...keys, address: 'unix', userAgent: undefined });
    expect(unknown.origin).to.deep.equal({ userAgent: null, address: null });
  });

  it('that is unknown waits for a hash with its site, and a known one with its account', () => {
    const client = createClient({ ...keys, address: '203.0.113.77', userAgent: undefined });
    expect(strangersTurn(client)).to.deep.equal({ lane: 'stranger', fairnessKey: 'site' });
    expect(ownersTurn({ id: 'account' as AccountId })).to.deep.equal({ lane: 'known', fairnessKey: 'account' });
  });
});
