// RFC 9110, section 13.
import { expect } from 'chai';
import { isFresh } from '../../../../src/http/response/conditional.js';
import { parseHttpDate } from '../../../../src/http/response/http-date.js';

describe('conditional request', () => {
  const changed = new Date('2026-03-01T10:00:00.500Z');
  const fresh = (headers: Record<string, string>) => isFresh(headers, '"a"', changed);

  it('compares If-None-Match weakly, in a list, and with *', () => {
    for (const value of ['"a"', 'W/"a"', '"x", "a"', '"x",W/"a" ', '*'])
      expect(fresh({ 'if-none-match': value }), value).to.equal(true);
    for (const value of ['"x"', 'a', '""', 'W/a', '"A"'])
      expect(fresh({ 'if-none-match': value }), value).to.equal(false);
  });

  it('looks at If-Modified-Since only without If-None-Match', () => {
    expect(fresh({ 'if-modified-since': 'Sun, 01 Mar 2026 10:00:00 GMT' })).to.equal(true);
    expect(fresh({ 'if-modified-since': 'Sun, 01 Mar 2026 09:59:59 GMT' })).to.equal(false);
    expect(fresh({ 'if-modified-since': 'not a date' })).to.equal(false);
    expect(fresh({ 'if-none-match': '"x"', 'if-modified-since': 'Sun, 01 Mar 2026 10:00:00 GMT' })).to.equal(false);
    expect(fresh({})).to.equal(false);
  });

  it('takes If-Modified-Since in all three formats, and ignores what is no date', () => {
    for (const value of [
      'Sun, 01 Mar 2026 10:00:00 GMT',
      'Sunday, 01-Mar-26 10:00:00 GMT',
      'Sun Mar  1 10:00:00 2026',
      'Sun Mar 01 10:00:01 2026',
    ]) {
      expect(fresh({ 'if-modified-since': value }), value).to.equal(true);
    }
    for (const value of [
      '9999',
      '2099-01-01',
      '2099-01-01T00:00:00Z',
      '4102444800',
      'Sun, 01 Mar 2099 10:00:00',
      'Sun, 01 Mar 2099 10:00:00 +0000',
      'Sun, 31 Apr 2099 10:00:00 GMT',
      'Sun, 00 Apr 2099 10:00:00 GMT',
      'Sun, 01 Mar 2099 24:00:00 GMT',
      'Sun, 1 Mar 2099 10:00:00 GMT',
      'sun, 01 mar 2099 10:00:00 gmt',
      'Sun, 01 Mar 2099 10:00:00 GMT, Sun, 01 Mar 2099 10:00:00 GMT',
    ]) {
      expect(fresh({ 'if-modified-since': value }), value).to.equal(false);
    }
  });

  it('reads the two digits of a year as at most 50 years ahead (RFC 9110, section 5.6.7)', () => {
    const now = new Date('2026-03-01T00:00:00Z');
    const yearOf = (digits: string) =>
      new Date(parseHttpDate(`Sunday, 06-Nov-${digits} 08:49:37 GMT`, now)!).getUTCFullYear();
    expect(['94', '00', '26', '76', '77'].map(yearOf)).to.deep.equal([1994, 2000, 2026, 2076, 1977]);
    expect(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT')).to.equal(784111777000);
  });
});
