// Division of the memory of one process.
import { expect } from 'chai';
import { readEnv } from '../../config/env.js';
import { defaultMemoryMb, memoryShares, type MemoryShares } from '../../config/memory.js';
import { MAX_RESULT_SIDE } from '../../src/pictures/picture-request.js';
import { MAX_ACCOUNT_CHARS } from '../../src/own-brands/brand-pages.js';
import { MAX_ARCHIVE_BYTES, MAX_UNPACKED_BYTES } from '../../src/own-brands/archive.js';

const MIB = 2 ** 20;
/** Memory of a process with empty caches, MB. */
const IDLE_MB = 190;

function sharesOf(variables: Readonly<Record<string, string>>): MemoryShares {
  return memoryShares(readEnv(variables, '0'));
}
const sumMb = (shares: MemoryShares): number => Object.values(shares).reduce((sum, bytes) => sum + bytes, 0) / MIB;

describe('shares of memory', () => {
  it('are 700 MB together with an idle process by default, 128 of them for pictures', () => {
    const shares = sharesOf({ MEMORY_MB: '' });
    expect(shares.pictures).to.equal(128 * MIB);
    expect(IDLE_MB + sumMb(shares)).to.be.within(650, 700);
  });

  it('grow and shrink with MEMORY_MB', () => {
    const pictures = { 128: 16, 300: 28, 700: 128, 4096: 128 };
    const searches = { 128: 1.28, 300: 1.64, 700: 7.64, 4096: 75.56 };
    for (const memoryMb of [128, 300, 700, 4096] as const) {
      const shares = sharesOf({ MEMORY_MB: String(memoryMb) });
      expect(shares.pictures, String(memoryMb)).to.equal(pictures[memoryMb] * MIB);
      expect(shares.searches / MIB, String(memoryMb)).to.be.closeTo(searches[memoryMb], 0.01);
    }
    expect(IDLE_MB + sumMb(sharesOf({ MEMORY_MB: '4096' }))).to.be.within(3900, 4096);
  });

  it('leave room for the largest item that is accepted, however small MEMORY_MB is', () => {
    for (const MEMORY_MB of ['128', '300', '700', '4096']) {
      const shares = sharesOf({ MEMORY_MB });
      expect(shares.uploads, 'uploads').to.be.at.least(MAX_ARCHIVE_BYTES);
      expect(shares.unpackedArchives, 'unpacked archives').to.be.at.least(MAX_UNPACKED_BYTES);
      expect(shares.picturesUnderWay, 'pictures').to.be.at.least(4 * MAX_RESULT_SIDE ** 2);
      expect(shares.ownBrands, 'own brands').to.be.at.least(6 * MAX_ACCOUNT_CHARS);
      expect(Math.min(...Object.values(shares)), MEMORY_MB).to.be.at.least(MIB / 2);
    }
  });

  it('give finished pictures RENDER_CACHE_MB, and add what exceeds their share', () => {
    const usual = sharesOf({ MEMORY_MB: '700' });
    for (const RENDER_CACHE_MB of ['340', '512', '4096']) {
      const shares = sharesOf({ MEMORY_MB: '700', RENDER_CACHE_MB });
      expect(shares).to.deep.equal({ ...usual, pictures: Number(RENDER_CACHE_MB) * MIB });
      for (const MEMORY_MB of ['128', '300', '4096'])
        expect(sharesOf({ MEMORY_MB, RENDER_CACHE_MB }).pictures).to.equal(Number(RENDER_CACHE_MB) * MIB);
    }
    expect(sharesOf({ MEMORY_MB: '700', RENDER_CACHE_MB: '28' }).searches).to.be.above(usual.searches);
  });
});

describe('MEMORY_MB', () => {
  it('is 700 unless the container has less', () => {
    expect([0, 2 ** 64, 4096 * MIB, 300.5 * MIB, 64 * MIB].map(defaultMemoryMb)).to.deep.equal([
      700, 700, 700, 300, 128,
    ]);
  });
});
