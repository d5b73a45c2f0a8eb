// The picture store in files: limited in size, shared by several processes, and safe against damaged files and a full
// disk.
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openPictureFiles, type OpenedPictureStore } from '../../src/pictures/picture-store.files.js';
import { eventually } from '../support/auth.js';
import { HOUR_MS } from '../support/clock.js';
import { temporaryDir } from '../support/temporary.js';

const MEGABYTE = 2 ** 20;

describe('PictureFiles', () => {
  let path: string;
  let remove: () => void;
  let errors: unknown[];
  beforeEach(() => {
    ({ path, remove } = temporaryDir());
    errors = [];
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    remove();
  });

  const opened: OpenedPictureStore[] = [];
  function open(maxBytes = MEGABYTE, now: () => number = Date.now, isAlone = false): OpenedPictureStore {
    const store = openPictureFiles({
      folder: join(path, 'pictures'),
      maxBytes,
      maxWaitingBytes: 16 * MEGABYTE,
      isAlone,
      now,
      onError: (error) => errors.push(error),
    });
    opened.push(store);
    return store;
  }
  const files = () =>
    existsSync(join(path, 'pictures'))
      ? readdirSync(join(path, 'pictures'), { withFileTypes: true })
          .flatMap((folder) =>
            readdirSync(join(path, 'pictures', folder.name)).map((name) => join(path, 'pictures', folder.name, name)),
          )
          .sort()
      : [];
  /**
   * Returns bytes with values of at least 0x80. Secrets are ASCII, so a search for secrets cannot find one in these
   * files by chance.
   */
  const bytesOf = (seed: number, length = 1000) => Buffer.alloc(length, 0x80 + (seed % 100));
  const first = () => files()[0] ?? '';

  it('returns stored pictures, also to another process', async () => {
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

  for (const isAlone of [false, true])
    it(`stays below its limit, and keeps the most recently written or read, ${isAlone ? 'alone' : 'one of several'}`, async () => {
      let nowMs = Date.UTC(2026, 0, 1);
      const store = open(MEGABYTE, () => nowMs, isAlone);
      for (let at = 0; at < 30; at++) {
        nowMs += 1000;
        await store.put(`${at}`, bytesOf(at, 50_000));
        for (const file of files()) if (statSync(file).mtimeMs > nowMs) utimesSync(file, nowMs / 1000, nowMs / 1000);
      }
      const total = files().reduce((sum, file) => sum + statSync(file).size, 0);
      expect(total).to.be.at.most(MEGABYTE);
      expect(total).to.be.above(MEGABYTE / 2);
      expect(await store.get('29')).to.deep.equal(bytesOf(29, 50_000));
      expect(await store.get('0')).to.equal(undefined);
    });

  it('dates a picture by its last use, if its date is more than an hour old', async () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const store = open(MEGABYTE, () => nowMs);
    await store.put('a', bytesOf(1));
    utimesSync(first(), nowMs / 1000, nowMs / 1000);
    nowMs += HOUR_MS + 1000;
    expect(await store.get('a')).to.deep.equal(bytesOf(1));
    await eventually(() => statSync(first()).mtimeMs !== nowMs - HOUR_MS - 1000, 'another date');
    expect(statSync(first()).mtimeMs).to.equal(nowMs);
  });

  for (const isAlone of [false, true])
    it(`stays below its limit on the disk with small pictures, ${isAlone ? 'alone' : 'one of several'}`, async () => {
      const store = open(2 * MEGABYTE, Date.now, isAlone);
      for (let at = 0; at < 30; at++)
        await Promise.all(Array.from({ length: 40 }, (_, more) => store.put(`${at} ${more}`, bytesOf(at, 200))));
      const found = readdirSync(join(path, 'pictures'), { recursive: true }).map((name) =>
        statSync(join(path, 'pictures', String(name))),
      );
      const onDisk = found.reduce((sum, { blocks }) => sum + blocks * 512, 0);
      expect(onDisk).to.be.at.most(2 * MEGABYTE);
      expect(onDisk).to.be.above(MEGABYTE / 2);
      // No empty subfolder may be left.
      const empty = readdirSync(join(path, 'pictures')).filter(
        (name) => readdirSync(join(path, 'pictures', name)).length === 0,
      );
      expect(empty).to.deep.equal([]);
      expect(errors).to.deep.equal([]);
    });

  it('removes at its first write what earlier processes have stored above the limit', async () => {
    const large = open(10 * MEGABYTE);
    await Promise.all(Array.from({ length: 50 }, (_, at) => large.put(`${at}`, bytesOf(at, 40_000))));
    // Creates a file that does not belong to the store.
    writeFileSync(join(path, 'pictures', '.DS_Store'), '');
    await open(MEGABYTE).put('new', bytesOf(1));
    rmSync(join(path, 'pictures', '.DS_Store'));
    expect(files().reduce((sum, file) => sum + statSync(file).size, 0)).to.be.at.most(MEGABYTE);
    expect(errors).to.deep.equal([]);
  });

  it('removes old incomplete files of a killed process', async () => {
    await open().put('a', bytesOf(1));
    const [young, old] = [`${first()}.young.part`, `${first()}.old.part`];
    writeFileSync(young, 'x');
    writeFileSync(old, 'x');
    utimesSync(old, 1, 1);
    await open().put('b', bytesOf(2));
    expect([existsSync(young), existsSync(old)]).to.deep.equal([true, false]);
  });

  it('has stored all pictures before it is closed', async () => {
    const store = open();
    void store.put('a', bytesOf(1));
    await store.close();
    expect(await open().get('a')).to.deep.equal(bytesOf(1));
  });

  it('stores pictures that arrive during writes, up to its memory limit', async () => {
    const store = open(1024 * MEGABYTE);
    const put = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => store.put(`${from + at}`, bytesOf(from + at, 100_000)));
    const puts = put(0, 100);
    await puts[0];
    await Promise.all([...puts, ...put(100, 100)]);
    expect(files()).to.have.length(200);
    await Promise.all(put(200, 500));
    expect(files()).to.have.length.within(300, 400);
    await Promise.all(put(700, 1));
    expect(await store.get('700')).to.deep.equal(bytesOf(700, 100_000));
    expect(errors).to.deep.equal([]);
  });

  it('stores no picture larger than a twentieth of its limit', async () => {
    const store = open();
    await store.put('a', bytesOf(1, MEGABYTE / 10));
    expect(await store.get('a')).to.equal(undefined);
    expect(errors).to.deep.equal([]);
  });

  it('never rejects if it cannot write, reports it once, and tries again after a minute', async () => {
    let nowMs = 0;
    // Creates a file in place of the folder, so that writing fails. Removing permissions would not work, because root
    // ignores them.
    writeFileSync(join(path, 'pictures'), '');
    const store = open(MEGABYTE, () => nowMs);
    await Promise.all(Array.from({ length: 20 }, (_, at) => store.put(`${at}`, bytesOf(at))));
    expect(errors).to.have.length(1);
    expect(await store.get('1')).to.equal(undefined);
    chmodSync(join(path, 'pictures'), 0o600);
    nowMs += 59_999;
    await store.put('a', bytesOf(1));
    expect(errors, 'before a minute is over').to.have.length(1);
    nowMs += 1;
    await store.put('a', bytesOf(1));
    expect(errors).to.have.length(2);
  });

  it('accepts concurrent writes and reads of one picture', async () => {
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
