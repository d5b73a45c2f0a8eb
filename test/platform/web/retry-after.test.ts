// `Retry-After` in responses that this service receives from other servers.
import { expect } from 'chai';
import { retryAfterMs } from '../../../src/platform/web/retry-after.js';

const AT_MS = Date.UTC(2026, 4, 1, 12);

describe('Retry-After', () => {
  it('is read in responses with 429 and 503 only, as seconds or as a date', () => {
    expect(retryAfterMs(429, '120', AT_MS)).to.equal(120_000);
    expect(retryAfterMs(503, new Date(AT_MS + 60_000).toUTCString(), AT_MS)).to.equal(60_000);
    expect(retryAfterMs(503, new Date(AT_MS - 60_000).toUTCString(), AT_MS)).to.equal(0);
    expect(retryAfterMs(500, '120', AT_MS)).to.equal(undefined);
    expect(retryAfterMs(429, 'soon', AT_MS)).to.equal(undefined);
    expect(retryAfterMs(429, undefined, AT_MS)).to.equal(undefined);
  });
});
