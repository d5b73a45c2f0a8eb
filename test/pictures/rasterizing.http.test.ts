// Rasterizing on request: each picture is drawn only once, and HEAD draws none.
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import type { RasterizeJob, RasterizeOutcome, Rasterizer } from '../../src/pictures/rasterizer.js';
import { openPictureServer, type PictureAccount, type PictureServer } from '../support/picture-server.js';
import { countingRasterizer } from '../support/pictures.js';

describe('rasterizing over HTTP', () => {
  const drawn: RasterizeJob[] = [];
  let server: PictureServer;
  let ask: PictureAccount['ask'];

  before(async () => {
    server = await openPictureServer(countingRasterizer(drawn));
    ({ ask } = await server.account('somebody@example.com'));
  });
  after(() => server.close());
  beforeEach(() => {
    drawn.length = 0;
  });

  it('draws identical concurrent requests once and answers all of them the same', async () => {
    const responses = await Promise.all(Array.from({ length: 200 }, () => ask('/v1/png/kubernetes?size=333')));
    const bodies = await Promise.all(
      responses.map(async (response) => Buffer.from(await response.arrayBuffer()).toString('base64')),
    );
    expect(responses.every(({ status }) => status === 200)).to.equal(true);
    expect(new Set(bodies).size).to.equal(1);
    expect(drawn).to.have.length(1);
  });

  it('draws nothing for HEAD, and knows the length once the picture is cached', async () => {
    for (const format of ['png', 'webp']) {
      const path = `/v1/${format}/kubernetes?size=77`;
      const cold = await ask(path, 'HEAD');
      expect(drawn, path).to.deep.equal([]);
      expect(cold.status).to.equal(200);
      expect(cold.headers.get('content-length')).to.equal(null);
      const picture = await ask(path);
      const { byteLength } = await picture.arrayBuffer();
      const warm = await ask(path, 'HEAD');
      expect(drawn.splice(0)).to.have.length(1);
      expect(warm.headers.get('content-length')).to.equal(String(byteLength));
      for (const name of ['content-type', 'etag', 'last-modified', 'cache-control', 'vary']) {
        expect(cold.headers.get(name), name).to.equal(picture.headers.get(name)).and.equal(warm.headers.get(name));
      }
    }
  });
});

describe('drawing for clients that leave, and drawings that take too long', () => {
  const begun: { readonly job: RasterizeJob; readonly end: (outcome: RasterizeOutcome) => void }[] = [];
  const drawn: RasterizeOutcome = { ok: true, bytes: new Uint8Array(10), cpuMs: 1 };
  let server: PictureServer;
  let flooder: PictureAccount;
  let victim: PictureAccount;

  beforeEach(async () => {
    begun.length = 0;
    const rasterizer: Rasterizer = {
      capacity: 2,
      rasterize: (job) => new Promise((end) => begun.push({ job, end })),
      close: () => Promise.resolve(),
    };
    server = await openPictureServer(rasterizer);
    flooder = await server.account('flooder@example.com');
    victim = await server.account('victim@example.com');
  });
  afterEach(() => server.close());

  /** Waits until `holds` returns true, because a request or a disconnection takes effect with a delay. */
  const until = (holds: () => Promise<boolean> | boolean) => eventually(holds, 'state of the queue');
  /** URL of a costly picture. The memory for unfinished pictures suffices for forty of them. */
  const COSTLY = '/v1/webp/vite?size=600&quality=80';

  it('draws nothing for connections that were reset while they waited, and refunds their admissions', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 40 }, (_, radius) => flooder.open(`${COSTLY}&background=fff&radius=${radius}`)),
    );
    await until(async () => begun.length === 1 && (await flooder.used('webp')) === 40);
    for (const socket of sockets) socket.resetAndDestroy();
    await until(async () => (await flooder.used('webp')) === 1);
    begun[0]?.end(drawn);
    const answer = victim.ask(`${COSTLY}&flip=h`);
    await until(() => begun.length === 2);
    begun[1]?.end(drawn);
    expect((await answer).status).to.equal(200);
    expect(begun.map(({ job }) => job.width)).to.deep.equal([600, 600]);
    // A request whose picture was drawn counts, even if the client has disconnected.
    expect(await flooder.used('webp')).to.equal(1);
  });

  it('answers cheap and costly pictures of one account while another floods with costly ones', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, radius) => flooder.open(`${COSTLY}&background=fff&radius=${radius}`)),
    );
    await until(async () => begun.length === 1 && (await flooder.used('webp')) === 40);
    const cheap = victim.ask('/v1/png/github');
    await until(() => begun.length === 2);
    expect(begun[1]?.job.width).to.equal(256);
    begun[1]?.end(drawn);
    expect((await cheap).status).to.equal(200);
    const costly = victim.ask('/v1/png/safari?size=2048&scale=2');
    await until(async () => (await victim.used('png')) === 2);
    // After the first picture of `flooder`, the rasterizer draws one more picture of `flooder`, and then the picture of
    // `victim`.
    begun[0]?.end(drawn);
    await until(() => begun.length === 3);
    begun[2]?.end(drawn);
    await until(() => begun.length === 4);
    expect(begun[3]?.job.width).to.equal(4096);
    begun[3]?.end(drawn);
    expect((await costly).status).to.equal(200);
  });

  it('counts a drawing that exceeded its time limit, and answers 422 from then on without drawing or counting', async () => {
    const first = flooder.ask('/v1/png/vite?size=2030&scale=2');
    await until(() => begun.length === 1);
    begun[0]?.end({
      ok: false,
      failure: 'timeout',
      message: 'Drawing this picture takes more than 2000 ms of processor time.',
    });
    const answer = await first;
    expect(answer.status).to.equal(422);
    expect(await answer.json()).to.include({ error: 'unprocessable' });
    expect(await flooder.used('png')).to.equal(1);
    for (const query of ['size=2030&scale=2&background=red', 'size=2048&scale=2', 'size=2048&scale=2&flip=h']) {
      const again = await victim.ask(`/v1/png/vite?${query}`);
      expect([again.status, await again.text()][1], query).to.include('smaller');
    }
    expect(begun).to.have.length(1);
    expect(await victim.used('png')).to.equal(0);
  });
});
