// What is drawn for whom: each picture once, and nothing for HEAD.
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { readPlans } from '../../config/plans.js';
import { embeddedAccountStore } from '../../src/adapters/embedded/account-store.js';
import { embeddedAdmissions } from '../../src/adapters/embedded/admissions.js';
import { httpApp } from '../../src/http/app.js';
import type { Identification } from '../../src/http/identification.js';
import { imageRoutes } from '../../src/http/routes/images.js';
import type { RasterJob } from '../../src/ports/rasterizer.js';
import { metering } from '../../src/services/metering.js';
import { someAccount } from '../support/accounts.js';
import { openPictures, testRasterizer } from '../support/pictures.js';
import { temporaryDatabase } from '../support/temporary.js';

const SILENT = { error: () => undefined, debug: () => undefined, isLevelEnabled: () => false };

describe('drawing over HTTP', function () {
  this.timeout(90_000);
  const drawn: RasterJob[] = [];
  let ask: (path: string, method?: 'GET' | 'HEAD') => Promise<Response>;
  let close: () => Promise<void>;

  before(async () => {
    const inner = testRasterizer();
    const pictures = await openPictures({
      rasterize(job) {
        drawn.push(job);
        return inner.rasterize(job);
      },
      close: () => inner.close(),
    });
    const { db, close: closeDatabase } = temporaryDatabase();
    const { account, apiKey } = someAccount({ tier: 'internal' });
    await embeddedAccountStore(db).insert(account);
    const plans = readPlans();
    const app = httpApp({
      routes: imageRoutes(pictures),
      metering: metering({ admissions: embeddedAdmissions({ db, plans, now: Date.now }), plans }),
      // Nobody signs in here.
      identify: {} as Identification,
      log: SILENT,
      trustedProxies: 0,
      isDraining: () => false,
    });
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    ask = (path, method = 'GET') => fetch(base + path, { method, headers: { 'X-API-Key': apiKey } });
    close = async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await pictures.close();
      closeDatabase();
    };
  });
  after(() => close());
  beforeEach(() => {
    drawn.length = 0;
  });

  it('draws identical concurrent requests once and answers all of them the same', async () => {
    const responses = await Promise.all(Array.from({ length: 200 }, () => ask('/v1/png/kubernetes?size=333')));
    const bodies = await Promise.all(responses.map(async (response) => Buffer.from(await response.arrayBuffer()).toString('base64')));
    expect(responses.every(({ status }) => status === 200)).to.equal(true);
    expect(new Set(bodies).size).to.equal(1);
    expect(drawn).to.have.length(1);
  });

  it('draws nothing for HEAD, and knows the length once somebody has the picture', async () => {
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
