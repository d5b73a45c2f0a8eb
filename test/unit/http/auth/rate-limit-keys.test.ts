// Which address a budget belongs to.
import { expect } from 'chai';
import { budgetAddress, turnAddress } from '../../../../src/http/auth/rate-limit-keys.js';

describe('budget address', () => {
  it('is IPv4 itself, mapped or not, and the /64 of IPv6', () => {
    expect(budgetAddress('192.0.2.7')).to.equal('192.0.2.7');
    expect(budgetAddress('::ffff:192.0.2.7')).to.equal('192.0.2.7');
    expect(budgetAddress('2001:db8:1:2:3:4:5:6')).to.equal(budgetAddress('2001:db8:1:2::'));
    expect(budgetAddress('2001:db8:1:2::1')).to.not.equal(budgetAddress('2001:db8:1:3::1'));
    expect(budgetAddress('nonsense')).to.equal('unknown');
  });

  it('is unknown when it is longer than any address, and not searched', () => {
    expect(budgetAddress(`fe80::1%${'a'.repeat(40)}`)).to.equal('fe80:0:0:0::/64');
    expect(budgetAddress(`fe80::1%${'a'.repeat(100)}`)).to.equal('unknown');
  });

  it('is the same with a port', () => {
    expect(budgetAddress('203.0.113.9:5123')).to.equal('203.0.113.9');
    expect(budgetAddress('[2001:db8::1]:443')).to.equal(budgetAddress('2001:db8::1'));
    expect(budgetAddress('[2001:db8::1]')).to.equal(budgetAddress('2001:db8::1'));
    expect(budgetAddress('203.0.113.9:5123:1')).to.equal('unknown');
  });

  it('has turns of a whole site: IPv4 itself, and the /48 of IPv6', () => {
    expect(turnAddress('192.0.2.7')).to.equal('192.0.2.7');
    expect(turnAddress('2001:db8:1:2::1')).to.equal(turnAddress('2001:db8:1:ffff::1'));
    expect(turnAddress('2001:db8:1::1')).to.not.equal(turnAddress('2001:db8:2::1'));
  });
});
