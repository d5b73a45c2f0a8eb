// Conditional requests: RFC 9110, section 13.
import { expect } from 'chai';
import { isFresh } from '../../../../src/platform/http/response/conditional.js';

describe('conditional request', () => {
  const changed = new Date('2026-03-01T10:00:00.500Z');
  const fresh = (headers: Record<string, string>) => isFresh(headers, '"a"', changed);

  it('compares If-None-Match weakly, in a list, and with *', () => {
    for (const value of ['"a"', 'W/"a"', '"x", "a"', '"x",W/"a" ', '*'])
      expect(fresh({ 'if-none-match': value }), value).to.equal(true);
    for (const value of ['"x"', 'a', '""', 'W/a', '"A"'])
      expect(fresh({ 'if-none-match': value }), value).to.equal(false);
  });

  it('reads If-Modified-Since only without If-None-Match', () => {
    expect(fresh({ 'if-modified-since': 'Sun, 01 Mar 2026 10:00:00 GMT' })).to.equal(true);
    expect(fresh({ 'if-modified-since': 'Sun, 01 Mar 2026 09:59:59 GMT' })).to.equal(false);
    expect(fresh({ 'if-modified-since': 'not a date' })).to.equal(false);
    expect(fresh({ 'if-none-match': '"x"', 'if-modified-since': 'Sun, 01 Mar 2026 10:00:00 GMT' })).to.equal(false);
    expect(fresh({})).to.equal(false);
  });
});
