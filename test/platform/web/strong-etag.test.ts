// Strong entity tags.
import { expect } from 'chai';
import { strongEtag } from '../../../src/platform/web/strong-etag.js';

describe('strong ETag', () => {
  it('is 128 bits of SHA-256 in quotes, without the mark of a weak one', () => {
    expect(strongEtag('abc')).to.equal('"ba7816bf8f01cfea414140de5dae2223"');
  });

  it('is equal for a text and its UTF-8 bytes, and different for other content', () => {
    expect(strongEtag(Buffer.from('Füchse'))).to.equal(strongEtag('Füchse'));
    expect(strongEtag('abd')).to.not.equal(strongEtag('abc'));
  });
});
