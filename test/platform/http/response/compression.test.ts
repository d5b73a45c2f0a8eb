// Compression: the content does not change, results are cached, and the work is limited.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import {
  codingsPerAnswer,
  createCompression,
  createCachedCodings,
  createTaggedCodings,
  type Compression,
} from '../../../../src/platform/http/response/compression.js';

const TEXT = '<path d="M1 2 3 4"/>'.repeat(500);

describe('compression', () => {
  it('returns the original after decompression', async () => {
    const { encode, known } = codingsPerAnswer(createCompression());
    const br = (await encode('br', TEXT, 'a'))!;
    const gzip = (await encode('gzip', Buffer.from(TEXT), 'a'))!;
    expect(brotliDecompressSync(br).toString()).to.equal(TEXT);
    expect(gunzipSync(gzip).toString()).to.equal(TEXT);
    expect(Math.max(br.length, gzip.length)).to.be.below(TEXT.length / 10);
    expect(known('br')).to.equal(undefined);
  });

  it('runs a few at once, queues a bounded number, and gives up on the rest', async () => {
    const { compress } = createCompression({ atOnce: 1, maxWaiting: 3 });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => compress('gzip', TEXT, 'a')));
    const done = outcomes.filter((bytes) => bytes !== undefined);
    expect(done.length).to.be.within(3, 5);
    for (const bytes of done) expect(gunzipSync(bytes).toString()).to.equal(TEXT);
    expect(await compress('br', TEXT, 'a')).to.not.equal(undefined);
  });

  it('serves bodies of callers in turn: a backlog of one delays no other', async () => {
    const { compress } = createCompression({ atOnce: 1, maxWaiting: 20 });
    const done: string[] = [];
    const one = (caller: string) => compress('gzip', TEXT, caller).then(() => done.push(caller));
    await Promise.all([...Array.from({ length: 10 }, () => one('many')), one('few')]);
    expect(done.indexOf('few')).to.be.at.most(2);
    expect(done).to.have.length(11);
  });

  describe('of what is kept', () => {
    function counting(outcome: () => Promise<Uint8Array | undefined> = () => Promise.resolve(Buffer.from('coded'))) {
      const calls: string[] = [];
      const compression: Compression = {
        compress: (coding) => {
          calls.push(coding);
          return outcome();
        },
      };
      const kept = new Map<string, Uint8Array>();
      return { calls, kept, compression, codingsOf: createCachedCodings(compression, kept) };
    }

    it('runs once per coding, even for concurrent requests of another kind', async () => {
      const { calls, kept, codingsOf } = counting();
      await Promise.all(Array.from({ length: 50 }, () => codingsOf('a').encode('br', TEXT, 'a')));
      expect(calls).to.deep.equal(['br']);
      await codingsOf('a').encode('gzip', TEXT, 'a');
      await codingsOf('b').encode('br', TEXT, 'a');
      await codingsOf('a').encode('br', TEXT, 'a');
      expect(calls).to.deep.equal(['br', 'gzip', 'br']);
      expect(codingsOf('a').known('br')).to.be.instanceOf(Uint8Array);
      expect(codingsOf('c').known('br')).to.equal(undefined);
      kept.clear();
      await codingsOf('a').encode('br', TEXT, 'a');
      expect(calls).to.have.length(4);
    });

    it('is bounded if it is cached by tag', async () => {
      const { calls, compression } = counting(() => Promise.resolve(new Uint8Array(1000)));
      const codingsOf = createTaggedCodings(compression, 4000);
      for (const tag of ['"a"', '"a"', '"b"', '"c"', '"d"']) await codingsOf(tag).encode('br', TEXT, 'a');
      expect(calls).to.have.length(4);
      expect(codingsOf('"a"').known('br')).to.equal(undefined);
      expect(codingsOf('"d"').known('br')).to.have.length(1000);
    });

    it('is retried after the queue was full, or after an error', async () => {
      const outcomes = [
        Promise.resolve(undefined),
        Promise.reject(new Error('no memory')),
        Promise.resolve(Buffer.from('x')),
      ];
      outcomes[1]!.catch(() => undefined);
      const { codingsOf } = counting(() => outcomes.shift()!);
      const { encode, known } = codingsOf('a');
      expect(await encode('br', TEXT, 'a')).to.equal(undefined);
      expect(await encode('br', TEXT, 'a').catch((error: unknown) => String(error))).to.equal('Error: no memory');
      expect(String(await encode('br', TEXT, 'a'))).to.equal('x');
      expect(String(known('br'))).to.equal('x');
    });
  });
});
