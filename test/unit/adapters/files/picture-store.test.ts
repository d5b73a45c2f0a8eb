// The picture store in files: bounded, shared, safe against damage and a full disk.
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createPictureFiles } from '../../../../src/adapters/files/picture-store.js';
import type { PictureStore } from '../../../../src/ports/picture-store.js';
import { temporaryDir } from '../../../support/temporary.js';

const MEGABYTE = 2 ** 20;

describe('PictureFiles', () => {
  let path: string;
  let remove: () => void;
  let errors: unknown[];
  beforeEach(() => {
    ({ path, remove } = temporaryDir());
    errors = [];
  });
  afterEach(() => remove());

  function open(maxBytes = MEGABYTE, now: () => number = Date.now): PictureStore {
    return createPictureFiles({
      folder: join(path, 'pictures'),
      maxBytes,
      now,
      onError: (error) => errors.push(error),
    });
  }
  const files = () =>
    existsSync(join(path, 'pictures'))
      ? readdirSync(join(path, 'pictures'), { withFileTypes: true })
          .flatMap((folder) =>
            readdirSync(join(path, 'pictures', folder.name)).map((name) => join(path, 'pictures', folder.name, name)),
          )
          .sort()
      : [];
  const bytesOf = (seed: number, length = 1000) => Buffer.alloc(length, seed);
  const first = () => files()[0] ?? '';

  it('returns what was put, also to another process', async () => {
    await open().put('a', bytesOf(1));
    expect(await open().get('a')).to.deep.equal(bytesOf(1));
    expect(await open().get('b')).to.equal(undefined);
  });

  it('returns nothing for a damaged file, removes it, and stores the picture again', async () => {
    const damages: ((file: string) => void)[] = [
      (file) => truncateSync(file, 500),
      (file) => truncateSync(file, 0),
      (file) => {
        const content = readFileSync(file);
        content[600] = 99;
        writeFileSync(file, content);
      },
      (file) => writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.of(0)])),
      (file) => writeFileSync(file, 'something else altogether'),
    ];
    for (const damage of damages) {
      const store = open();
      await store.put('a', bytesOf(1));
      damage(first());
      expect(await store.get('a')).to.equal(undefined);
      expect(files()).to.deep.equal([]);
      await store.put('a', bytesOf(1));
      expect(await store.get('a')).to.deep.equal(bytesOf(1));
    }
  });

  it('stays below its limit, and keeps what was put or read last', async () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const store = open(MEGABYTE, () => nowMs);
    for (let at = 0; at < 300; at++) {
      nowMs += 1000;
      await store.put(`${at}`, bytesOf(at % 250, 10_000));
      for (const file of files()) if (statSync(file).mtimeMs > nowMs) utimesSync(file, nowMs / 1000, nowMs / 1000);
    }
    const total = files().reduce((sum, file) => sum + statSync(file).size, 0);
    expect(total).to.be.at.most(MEGABYTE);
    expect(total).to.be.above(MEGABYTE / 2);
    expect(await store.get('299')).to.deep.equal(bytesOf(299 % 250, 10_000));
    expect(await store.get('0')).to.equal(undefined);
  });

  it('removes at its first write what earlier processes have left above the limit', async () => {
    const large = open(10 * MEGABYTE);
    for (let at = 0; at < 50; at++) await large.put(`${at}`, bytesOf(at, 40_000));
    await open(MEGABYTE).put('new', bytesOf(1));
    expect(files().reduce((sum, file) => sum + statSync(file).size, 0)).to.be.at.most(MEGABYTE);
  });

  it('removes what a killed process has left half written, when it is old', async () => {
    await open().put('a', bytesOf(1));
    const [young, old] = [`${first()}.young.part`, `${first()}.old.part`];
    writeFileSync(young, 'x');
    writeFileSync(old, 'x');
    utimesSync(old, 1, 1);
    await open().put('b', bytesOf(2));
    expect([existsSync(young), existsSync(old)]).to.deep.equal([true, false]);
  });

  it('stores no picture larger than a twentieth of its limit', async () => {
    const store = open();
    await store.put('a', bytesOf(1, MEGABYTE / 10));
    expect(await store.get('a')).to.equal(undefined);
    expect(errors).to.deep.equal([]);
  });

  it('rejects nothing where it cannot write, reports it once, and tries again after a minute', async () => {
    let nowMs = 0;
    // A file in the place of the folder: a folder without permission is none for root.
    writeFileSync(join(path, 'pictures'), '');
    const store = open(MEGABYTE, () => nowMs);
    for (let at = 0; at < 20; at++) await store.put(`${at}`, bytesOf(at));
    expect(errors).to.have.length(1);
    expect(await store.get('1')).to.equal(undefined);
    chmodSync(join(path, 'pictures'), 0o600);
    nowMs += 60_001;
    await store.put('a', bytesOf(1));
    expect(errors).to.have.length(2);
  });

  it('takes writes and reads of one picture by many at once', async () => {
    const stores = Array.from({ length: 4 }, () => open());
    const read = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const store = stores[at % 4] ?? open();
        await store.put('a', bytesOf(7));
        return store.get('a');
      }),
    );
    for (const bytes of read) expect(bytes).to.deep.equal(bytesOf(7));
    expect(files()).to.have.length(1);
  });
});
