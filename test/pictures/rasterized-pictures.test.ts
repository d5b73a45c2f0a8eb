// Rasterized pictures: a fair order of accounts, pictures that several requests share, and rejection of costly
// pictures.
import { expect } from 'chai';
import { memoryShares } from '../../config/memory.js';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../src/platform/errors.js';
import type { PictureStore } from '../../src/pictures/picture-store.js';
import type { RasterizeJob, RasterizeOutcome, Rasterizer } from '../../src/pictures/rasterizer.js';
import type { PictureBody, PictureOutcome, RasterizeRequest } from '../../src/pictures/rasterize-request.js';
import { createPictureMemory } from '../../src/pictures/picture-memory.js';
import { createRasterizeQueue } from '../../src/pictures/rasterize-queue.js';
import { RasterizedPictures } from '../../src/pictures/rasterized-pictures.js';
import { someClient } from '../support/pictures.js';

interface Begun {
  readonly picture: string;
  readonly end: (outcome?: RasterizeOutcome) => void;
}

const DRAWN: RasterizeOutcome = { ok: true, bytes: new Uint8Array(4), cpuMs: 1 };
const LEFT = new AppError('busy', 'left');

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Returns a request for a square picture. If the drawing has filters, the picture is costly from 300 px on. */
function request(picture: string, { side = 64, svg = '<svg/>', drawing = picture } = {}): RasterizeRequest {
  const job: RasterizeJob = { svg: picture, width: side, height: side, format: 'png', quality: null };
  return {
    key: `${picture}@${side}`,
    isPrivate: false,
    drawing,
    size: { pixels: side ** 2, drawingPixels: side ** 2 },
    encoding: job,
    read: () => svg,
    job: () => job,
  };
}

const costly = (picture: string, side = 2000): RasterizeRequest =>
  request(picture, { side, svg: '<svg><filter/></svg>' });

interface Stage {
  readonly capacity: number;
  readonly maxQueue: number;
  readonly pictureStore: PictureStore;
  readonly maxBytes: number;
}

/** Creates `RasterizedPictures` with a rasterizer whose jobs run until the test calls `end`. */
function stage({ capacity = 1, maxQueue = 100, maxBytes = 2 ** 30, pictureStore }: Partial<Stage> = {}) {
  const begun: Begun[] = [];
  const unsent: (() => void)[] = [];
  const rasterizer: Rasterizer = {
    capacity,
    rasterize: ({ svg }) =>
      new Promise((resolve) => begun.push({ picture: svg, end: (outcome = DRAWN) => resolve(outcome) })),
    close: () => Promise.resolve(),
  };
  const cache = new LRUCache<string, PictureBody>({ maxSize: 1e6, sizeCalculation: (body) => body.length + 1 });
  const memory = createPictureMemory(maxBytes);
  const origins: string[] = [];
  const onPicture = (origin: string) => void origins.push(origin);
  const rasterized = new RasterizedPictures({ rasterizer, cache, memory, maxQueue, pictureStore, onPicture });
  const answers = new Map<string, PictureOutcome | 'left'>();

  async function ask(account: string, wanted: RasterizeRequest, signal?: AbortSignal): Promise<void> {
    // An `account` with a dot is the address of a client without an account.
    const client = { ...someClient(account, signal), isStranger: account.includes('.') };
    void rasterized.get(wanted, { ...client, onceAnswered: (act) => void unsent.push(act) }).then(
      (outcome) => answers.set(`${account} ${wanted.key}`, outcome),
      () => answers.set(`${account} ${wanted.key}`, 'left'),
    );
    await settled();
  }

  async function end(picture: string, outcome?: RasterizeOutcome): Promise<void> {
    begun.find((one) => one.picture === picture)?.end(outcome);
    await settled();
  }

  /** Marks all responses as sent. */
  const send = (): void => unsent.splice(0).forEach((act) => act());

  return {
    rasterized,
    memory,
    begun,
    answers,
    origins,
    ask,
    end,
    send,
    pictures: () => begun.map(({ picture }) => picture),
  };
}

describe('rasterized pictures', () => {
  for (const isPrivate of [false, true])
    it(`are ${isPrivate ? 'not read from the disk or stored there if they are private' : 'read from the disk and stored there'}`, async () => {
      const stored: string[] = [];
      const pictureStore: PictureStore = {
        get: async (key) => void stored.push(`get ${key}`),
        put: async (key) => void stored.push(`put ${key}`),
      };
      const { ask, end, answers } = stage({ pictureStore });
      await ask('a', { ...request('one'), isPrivate });
      await end('one');
      expect(answers.get('a one@64')).to.include({ ok: true });
      expect(stored).to.deep.equal(isPrivate ? [] : ['get one@64', 'put one@64']);
      await ask('b', { ...request('one'), isPrivate });
      expect(answers.get('b one@64'), 'from memory').to.include({ ok: true });
    });

  it('serve accounts in rotation for any backlog of one', async () => {
    const { ask, end, pictures } = stage();
    for (const picture of ['a1', 'a2', 'a3', 'a4']) await ask('a', request(picture));
    await ask('b', request('b1'));
    for (const picture of ['a1', 'a2']) await end(picture);
    expect(pictures()).to.deep.equal(['a1', 'a2', 'b1']);
  });

  it('leave one process to cheap pictures for any number of costly ones', async () => {
    const { ask, end, pictures } = stage({ capacity: 3 });
    for (let n = 1; n <= 5; n++) await ask('a', costly(`costly${n}`));
    expect(pictures()).to.deep.equal(['costly1', 'costly2']);
    await ask('b', request('cheap'));
    expect(pictures()).to.deep.equal(['costly1', 'costly2', 'cheap']);
    await end('costly1');
    expect(pictures().at(-1)).to.equal('costly3');
  });

  it('does not hold up another account behind the cheap pictures of one that also waits for costly ones', async () => {
    const { ask, end, pictures } = stage({ capacity: 2 });
    for (let n = 1; n <= 9; n++) await ask('a', request(`cheap${n}`));
    await ask('a', costly('costly'));
    await ask('b', costly('other'));
    for (const picture of ['cheap1', 'cheap2', 'cheap3']) await end(picture);
    expect(pictures()).to.include('costly');
    for (const picture of ['costly', 'cheap4', 'cheap5']) await end(picture);
    expect(pictures()).to.include('other');
  });

  it('free the place of a client that waits for the drawing of another account', async () => {
    const { ask, end, pictures } = stage({ capacity: 2 });
    for (const account of ['x', 'y']) await ask(account, request(`first of ${account}`));
    for (const account of ['a', 'b']) await ask(account, request('shared'));
    await ask('c', request('c1'));
    for (const account of ['x', 'y']) await end(`first of ${account}`);
    expect(pictures().slice(2)).to.deep.equal(['shared', 'c1']);
  });

  it('counts a failure for the account that began the drawing only', async () => {
    const { ask, end, answers } = stage();
    for (const account of ['a', 'b']) await ask(account, costly('slow'));
    await end('slow', { ok: false, failure: 'timeout', message: 'too slow' });
    expect(
      [answers.get('a slow@2000'), answers.get('b slow@2000')].map(
        (answer) => answer !== 'left' && answer?.ok === false && answer.counts,
      ),
    ).to.deep.equal([true, false]);
  });

  it('does not reject a drawing because it took too long in a picture with much padding', async () => {
    const { ask, end, rasterized } = stage();
    const padded = { ...costly('slow'), key: 'padded', size: { pixels: 4000 ** 2, drawingPixels: 800 ** 2 } };
    await ask('a', padded);
    await end('slow', { ok: false, failure: 'timeout', message: 'too slow' });
    expect(rasterized.known(costly('slow', 2000))).to.equal(undefined);
    expect(rasterized.known(padded)).to.include({ ok: false, counts: false });
  });

  it('report where each picture comes from', async () => {
    const pictureStore: PictureStore = {
      get: async (key) => (key === 'stored@64' ? Buffer.from('stored') : undefined),
      put: async () => undefined,
    };
    const { ask, end, origins } = stage({ pictureStore });
    for (const time of ['new', 'again']) {
      await ask('a', request('stored'));
      await ask('a', request('drawn'));
      await end('drawn');
      await ask('a', request('bad'));
      await end('bad', { ok: false, failure: 'rejected', message: 'no' });
      expect(origins.splice(0), time).to.deep.equal(
        time === 'new' ? ['disk', 'drawn', 'failed'] : ['memory', 'memory', 'memory'],
      );
    }
  });

  it('measure a drawing only where it covers at least half of the picture', async () => {
    for (const [share, isMeasured] of [
      [0.49, false],
      [0.5, true],
    ] as const) {
      const { ask, end, pictures } = stage({ capacity: 2 });
      const svg = '<svg><filter/></svg>';
      const wanted = request('first', { side: 500, svg, drawing: 'd' });
      await ask('a', { ...wanted, size: { pixels: 500 ** 2, drawingPixels: share * 500 ** 2 } });
      await end('first', { ...DRAWN, cpuMs: 7 });
      for (const n of [2, 3]) await ask('a', request(`${n}`, { side: 500 + n, svg, drawing: 'd' }));
      // Only one costly picture is drawn at a time. If the drawing is known to be cheap, both are.
      expect(pictures().slice(1), String(share)).to.deep.equal(isMeasured ? ['2', '3'] : ['2']);
    }
  });

  it('replaces the estimate by the measured cost: a fast drawing with filters is cheap from then on', async () => {
    const { ask, end, pictures } = stage({ capacity: 2 });
    await ask('a', request('quick@1', { side: 500, svg: '<svg><filter/></svg>', drawing: 'quick' }));
    await end('quick@1', { ...DRAWN, cpuMs: 2 });
    for (const n of [2, 3])
      await ask('a', request(`quick@${n}`, { side: 500 + n, svg: '<svg><filter/></svg>', drawing: 'quick' }));
    expect(pictures()).to.have.length(3);
  });

  it('are not drawn if all their clients have left', async () => {
    const { ask, end, pictures, answers } = stage();
    await ask('a', request('a1'));
    const leaving = new AbortController();
    await ask('a', request('a2'), leaving.signal);
    await ask('a', costly('a3'), leaving.signal);
    leaving.abort(LEFT);
    await settled();
    await end('a1');
    expect(pictures()).to.deep.equal(['a1']);
    expect([answers.get('a a2@64'), answers.get('a a3@2000')]).to.deep.equal(['left', 'left']);
  });

  it('are drawn if one client still waits when another has left', async () => {
    const { ask, end, pictures } = stage();
    await ask('a', request('a1'));
    const leaving = new AbortController();
    await ask('a', request('a2'), leaving.signal);
    await ask('a', request('a2'));
    leaving.abort(LEFT);
    await end('a1');
    expect(pictures()).to.deep.equal(['a1', 'a2']);
  });

  describe('with stored pictures', () => {
    /** Picture store whose reads stay pending until the test resolves them. */
    function slowStore() {
      const reads: ((bytes: Buffer | undefined) => void)[] = [];
      const pictureStore: PictureStore = {
        get: () => new Promise((resolve) => reads.push(resolve)),
        put: () => Promise.resolve(),
      };
      return { reads, pictureStore };
    }

    it('reads one once for all who request it, and draws nothing', async () => {
      const { reads, pictureStore } = slowStore();
      const { ask, pictures, answers } = stage({ pictureStore });
      await ask('a', request('p'));
      await ask('b', request('p'));
      expect(reads).to.have.length(1);
      reads[0]?.(Buffer.from('stored'));
      await settled();
      await ask('c', request('p'));
      expect(reads).to.have.length(1);
      expect(pictures()).to.deep.equal([]);
      expect(['a', 'b', 'c'].map((name) => answers.get(`${name} p@64`))).to.deep.equal(
        Array.from({ length: 3 }, () => ({ ok: true, body: Buffer.from('stored') })),
      );
    });

    it('use no memory for drawing if they are read', async () => {
      const { reads, pictureStore } = slowStore();
      const { ask, memory, answers } = stage({ pictureStore, maxBytes: 1000 });
      for (const picture of ['p1', 'p2', 'p3']) await ask('a', request(picture));
      for (const answer of reads) answer(Buffer.from('stored'));
      await settled();
      expect(memory.taken()).to.equal(0);
      expect([...answers.values()]).to.deep.equal(
        Array.from({ length: 3 }, () => ({ ok: true, body: Buffer.from('stored') })),
      );
    });

    it('draw a missing one once for all, but not for a client that left meanwhile', async () => {
      const { reads, pictureStore } = slowStore();
      const { ask, end, pictures, answers } = stage({ pictureStore });
      const leaving = new AbortController();
      await ask('a', request('left'), leaving.signal);
      await ask('a', request('p'));
      await ask('b', request('p'));
      leaving.abort(LEFT);
      for (const answer of reads) answer(undefined);
      await settled();
      await end('p');
      expect(pictures()).to.deep.equal(['p']);
      expect(answers.get('a left@64')).to.equal('left');
      expect(
        [answers.get('a p@64'), answers.get('b p@64')].map((outcome) => outcome !== 'left' && outcome?.ok),
      ).to.deep.equal([true, true]);
    });
  });

  it('are finished and cached once they have started, even if their client left', async () => {
    const { ask, end, rasterized, answers } = stage();
    const leaving = new AbortController();
    await ask('a', request('a1'), leaving.signal);
    leaving.abort(LEFT);
    await end('a1');
    expect(answers.get('a a1@64')).to.include({ ok: true });
    expect(rasterized.known(request('a1'))).to.include({ ok: true });
  });

  it("draws a picture of two accounts once, at the first one's place in the queue", async () => {
    const { ask, end, pictures, answers } = stage();
    for (const picture of ['a1', 'a2', 'a3', 'shared']) await ask('a', request(picture));
    await ask('b', request('shared'));
    for (const picture of ['a1', 'a2']) await end(picture);
    expect(pictures()).to.deep.equal(['a1', 'a2', 'shared']);
    for (const picture of ['shared', 'a3']) await end(picture);
    expect(pictures()).to.deep.equal(['a1', 'a2', 'shared', 'a3']);
    expect(
      [answers.get('a shared@64'), answers.get('b shared@64')].map((answer) => answer !== 'left' && answer?.ok),
    ).to.deep.equal([true, true]);
  });

  it('draws a picture for one account after another one that requested it has left', async () => {
    const { ask, end, pictures } = stage();
    const leaving = new AbortController();
    await ask('a', request('a1'));
    await ask('a', request('shared'), leaving.signal);
    await ask('b', request('shared'));
    leaving.abort(LEFT);
    await end('a1');
    expect(pictures()).to.deep.equal(['a1', 'shared']);
  });

  it('counts a picture that exceeded its time limit, and then rejects its drawing at that size and above', async () => {
    const { ask, end, rasterized, answers, pictures } = stage();
    await ask('a', costly('slow', 1000));
    await end('slow', { ok: false, failure: 'timeout', message: 'too slow' });
    expect(answers.get('a slow@1000')).to.deep.equal({
      ok: false,
      code: 'unprocessable',
      message: 'too slow',
      counts: true,
    });
    for (const side of [1000, 1001, 2000]) {
      expect(rasterized.known({ ...costly('slow', side), key: `other${side}` }), String(side)).to.include({
        ok: false,
        code: 'unprocessable',
        counts: false,
      });
    }
    expect(rasterized.known(costly('slow', 999))).to.equal(undefined);
    await ask('a', costly('slow', 1500));
    expect(answers.get('a slow@1500')).to.include({ ok: false, counts: false });
    expect(pictures()).to.deep.equal(['slow']);
  });

  it('counts a picture that crashed the rasterizer, and does not try it again', async () => {
    const { ask, end, rasterized, answers } = stage();
    await ask('a', request('bad'));
    await end('bad', { ok: false, failure: 'crash', message: 'crashed' });
    expect(answers.get('a bad@64')).to.include({ code: 'unprocessable', counts: true });
    expect(rasterized.known(request('bad'))).to.include({ code: 'unprocessable', counts: false });
    expect(rasterized.known(request('bad', { side: 65 }))).to.equal(undefined);
  });

  describe('after crashes of the same drawing', () => {
    const CRASH: RasterizeOutcome = { ok: false, failure: 'crash', message: 'crashed' };
    const padded = (key: string, side: number, drawingSide = side): RasterizeRequest => ({
      ...request(key, { side, drawing: 'bad' }),
      size: { pixels: side ** 2, drawingPixels: drawingSide ** 2 },
    });

    async function crashed(...requests: readonly RasterizeRequest[]) {
      const stand = stage();
      for (const wanted of requests) {
        await stand.ask('a', wanted);
        await stand.end(wanted.key.split('@')[0] ?? '', CRASH);
      }
      return stand;
    }

    it('rejects it at the smallest of those sizes and above, with any padding and background', async () => {
      const { rasterized, ask, answers, pictures } = await crashed(padded('first', 400), padded('second', 300, 290));
      for (const other of [padded('third', 300), padded('fourth', 300, 100), padded('fifth', 2000)]) {
        expect(rasterized.known(other), other.key).to.deep.equal({
          ok: false,
          code: 'unprocessable',
          message: 'Drawing this picture failed more than once at this size. Request a smaller one.',
          counts: false,
        });
      }
      await ask('b', padded('third', 300));
      expect(answers.get('b third@300')).to.include({ ok: false, counts: false });
      expect(pictures()).to.deep.equal(['first', 'second']);
      expect(rasterized.known(padded('smaller', 299))).to.equal(undefined);
      expect(rasterized.known(request('another', { side: 300 }))).to.equal(undefined);
    });

    it('still draws it after the first crash, which may have another cause', async () => {
      const { rasterized } = await crashed(padded('first', 300));
      expect(rasterized.known(padded('second', 300))).to.equal(undefined);
    });

    it('does not reject it at the size that it had inside much padding', async () => {
      const { rasterized } = await crashed(padded('first', 2000, 200), padded('second', 1900, 190));
      expect(rasterized.known(padded('plain', 1000))).to.equal(undefined);
      expect(rasterized.known(padded('plain', 1900))).to.include({ ok: false, counts: false });
    });

    it('does not count crashes of another drawing or rejected pictures', async () => {
      const { rasterized, ask, end } = await crashed(padded('first', 300), request('another', { side: 300 }));
      await ask('a', padded('second', 300));
      await end('second', { ok: false, failure: 'rejected', message: 'no' });
      expect(rasterized.known(padded('third', 300))).to.equal(undefined);
    });
  });

  it('does not count immediately rejected or unstarted pictures, and retries unstarted ones', async () => {
    const { ask, end, answers, rasterized } = stage();
    await ask('a', request('rejected'));
    await end('rejected', { ok: false, failure: 'rejected', message: 'no' });
    await ask('a', request('closed'));
    await end('closed', { ok: false, failure: 'busy', message: 'closed' });
    expect(answers.get('a rejected@64')).to.include({ code: 'unprocessable', counts: false });
    expect(answers.get('a closed@64')).to.include({ code: 'busy', counts: false });
    expect(rasterized.known(request('rejected'))).to.include({ code: 'unprocessable' });
    expect(rasterized.known(request('closed'))).to.equal(undefined);
  });

  it('say in seconds how long each waited', async () => {
    const waits: number[] = [];
    const queue = createRasterizeQueue({ capacity: 1, maxQueue: 9, onWait: (seconds) => waits.push(seconds) });
    const client = { fairnessKey: 'a', isStranger: false, signal: new AbortController().signal };
    let end = (): void => undefined;
    const first = queue.run({ ...client, lane: 'cheap' }, () => new Promise<void>((resolve) => (end = resolve)));
    const beganMs = performance.now();
    const second = queue.run({ ...client, lane: 'cheap' }, async () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 2));
    const leastMs = performance.now() - beganMs - 1;
    end();
    await Promise.all([first, second]);
    expect(waits[1]).to.be.within(leastMs / 1000, (performance.now() - beganMs + 1) / 1000);
  });

  it('rejects pictures beyond its queue as busy, first for the account that fills it', async () => {
    const { ask, answers, pictures, end } = stage({ maxQueue: 3 });
    for (let n = 1; n <= 5; n++) await ask('a', request(`a${n}`));
    expect(answers.get('a a5@64')).to.include({ ok: false, code: 'busy' });
    await ask('b', request('b1'));
    expect(answers.get('a a4@64')).to.include({ ok: false, code: 'busy' });
    for (const picture of ['a1', 'a2']) await end(picture);
    expect(pictures()).to.deep.equal(['a1', 'a2', 'b1']);
  });

  describe('for strangers', () => {
    it('are drawn one at a time, in rotation by address, while accounts use all other places', async () => {
      const { ask, end, pictures } = stage({ capacity: 4 });
      for (const picture of ['s1', 's2', 's3']) await ask('192.0.2.1', request(picture));
      await ask('192.0.2.2', request('t1'));
      expect(pictures()).to.deep.equal(['s1']);
      for (const picture of ['a1', 'a2', 'a3', 'a4']) await ask('a', request(picture));
      expect(pictures()).to.deep.equal(['s1', 'a1', 'a2', 'a3']);
      await end('s1');
      expect(pictures().slice(4)).to.deep.equal(['a4']);
      await end('a1');
      await end('a2');
      expect(pictures().slice(5)).to.deep.equal(['s2']);
      await end('s2');
      await end('t1');
      expect(pictures().slice(6)).to.deep.equal(['t1', 's3']);
    });

    it('share the place of one account in the rotation, with any number of addresses', async () => {
      const { ask, end, pictures } = stage();
      for (let n = 1; n <= 9; n++) await ask(`192.0.2.${n}`, request(`s${n}`));
      for (const picture of ['a1', 'a2', 'a3']) await ask('a', request(picture));
      for (const picture of ['s1', 'a1', 'a2', 's2', 'a3']) await end(picture);
      expect(pictures()).to.deep.equal(['s1', 'a1', 'a2', 's2', 'a3', 's3']);
    });

    it('use an eighth of the queue', async () => {
      const { ask, answers, pictures } = stage({ maxQueue: 16 });
      for (let n = 1; n <= 4; n++) await ask(`192.0.2.${n}`, request(`s${n}`));
      expect(pictures()).to.deep.equal(['s1']);
      expect([...answers.keys()]).to.deep.equal(['192.0.2.4 s4@64']);
      expect(answers.get('192.0.2.4 s4@64')).to.include({ ok: false, code: 'busy' });
      for (let n = 1; n <= 14; n++) await ask('a', request(`a${n}`));
      expect(answers.size).to.equal(1);
    });

    it('free their place when they leave', async () => {
      const { ask, end, pictures, answers } = stage();
      const leaving = new AbortController();
      await ask('192.0.2.1', request('s1'));
      await ask('192.0.2.1', request('s2'), leaving.signal);
      await ask('192.0.2.1', request('s3'));
      leaving.abort(LEFT);
      await end('s1');
      expect(pictures()).to.deep.equal(['s1', 's3']);
      expect(answers.get('192.0.2.1 s2@64')).to.equal('left');
    });
  });

  describe('with little memory', () => {
    const LARGE: RasterizeOutcome = { ok: true, bytes: new Uint8Array(200_000), cpuMs: 1 };
    const bytesOf = (side: number): number => side ** 2;

    it('are busy beyond the share of an account, but not for another account', async () => {
      const { ask, answers, pictures } = stage({ capacity: 9, maxBytes: 4 * bytesOf(256) });
      for (const picture of ['a1', 'a2', 'a3']) await ask('a', request(picture, { side: 256 }));
      await ask('b', request('b1', { side: 256 }));
      expect(pictures()).to.deep.equal(['a1', 'a2', 'b1']);
      expect(answers.get('a a3@256')).to.deep.equal({
        ok: false,
        code: 'busy',
        message: 'Too many large pictures are being drawn or sent.',
        counts: false,
      });
    });

    it('is enough for 24 concurrent pictures of 1024 px for one account by default', async () => {
      const { picturesUnderWay: maxBytes } = memoryShares({ MEMORY_MB: 700, RENDER_CACHE_MB: 128 });
      const { ask, answers } = stage({ capacity: 3, maxBytes });
      for (let n = 1; n <= 24; n++) await ask('a', request(`a${n}`, { side: 1024 }));
      expect([...answers]).to.deep.equal([]);
    });

    it('use it while they wait and are drawn, then as much as they send, and return it', async () => {
      const { ask, end, send, memory } = stage({ maxBytes: 2 ** 22 });
      await ask('a', request('a1', { side: 256 }));
      await ask('a', request('a1', { side: 256 }));
      await ask('a', request('a2', { side: 256 }));
      expect(memory.taken()).to.equal(2 * bytesOf(256));
      await end('a1', LARGE);
      expect(memory.taken()).to.equal(bytesOf(256) + 200_000);
      await end('a2', { ok: false, failure: 'rejected', message: 'no' });
      expect(memory.taken()).to.equal(200_000);
      send();
      expect(memory.taken()).to.equal(0);
      await ask('b', request('a1', { side: 256 }));
      expect(memory.taken(), 'from the cache').to.equal(200_000);
    });

    it('return it when their clients leave', async () => {
      const { ask, end, memory } = stage({ maxBytes: 2 ** 22 });
      const leaving = new AbortController();
      for (const picture of ['a1', 'a2']) await ask('a', request(picture), leaving.signal);
      leaving.abort(LEFT);
      await settled();
      expect(memory.taken(), 'the one that is drawn').to.equal(bytesOf(64));
      await end('a1');
      expect(memory.taken()).to.equal(0);
    });
  });

  it('rejects when the drawing cannot be read, and tries again', async () => {
    const { rasterized, ask, pictures } = stage();
    const gone = new AppError('unavailable');
    const unreadable = { ...request('a1'), read: () => Promise.reject(gone) };
    const error: unknown = await rasterized.get(unreadable, someClient()).catch((thrown: unknown) => thrown);
    expect(error).to.equal(gone);
    await ask('a', request('a1'));
    expect(pictures()).to.deep.equal(['a1']);
  });
});
