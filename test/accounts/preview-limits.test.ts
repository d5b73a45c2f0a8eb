// Rate limits of previews, separate for each client and each kind of preview. The number of clients is limited.
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import { AppError } from '../../src/platform/errors.js';
import { createPreviewLimits, type PreviewClient, type PreviewKind } from '../../src/accounts/preview-limits.js';

describe('limits of previews', () => {
  let nowMs = 1_000_000;
  const limits = createPreviewLimits(() => nowMs, 100);
  const taken = (client: PreviewClient, kind: PreviewKind): number => {
    for (let count = 0; ; count++) {
      try {
        limits.take(client, kind);
      } catch (error) {
        expect(error).to.be.instanceOf(AppError).with.property('code', 'rate_limited');
        return count;
      }
    }
  };

  it('give each client a separate burst, and then a fixed rate', () => {
    const stranger = { rateLimitKey: '192.0.2.1' };
    expect(taken(stranger, 'lookup')).to.equal(400);
    expect(taken(stranger, 'rasterize')).to.equal(30);
    nowMs += 1000;
    expect(taken(stranger, 'lookup')).to.equal(20);
    expect(taken(stranger, 'rasterize')).to.equal(2);
    nowMs += 3_600_000;
    expect(taken(stranger, 'lookup'), 'never more than the burst').to.equal(400);
    expect(taken({ rateLimitKey: '192.0.2.2' }, 'lookup')).to.equal(400);
  });

  it('distinguish an account from an address with the same name', () => {
    expect(taken({ accountId: '192.0.2.1' as AccountId }, 'lookup')).to.equal(1000);
  });
});
