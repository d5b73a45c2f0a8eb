// Clients of the preview routes: accounts with a session, and client addresses. HEAD draws nothing.
import { expect } from 'chai';
import { MIN_CODED_BYTES } from '../../src/platform/http/response/content-coding.js';
import { galleryRoutes } from '../../src/pictures/gallery.routes.js';
import { AppError } from '../../src/platform/errors.js';
import { createPreviewLimits } from '../../src/accounts/preview-limits.js';
import type { Caller } from '../../src/accounts/sessions.js';
import type { Pictures, PlannedPicture } from '../../src/pictures/pictures.js';
import type { PictureClient } from '../../src/pictures/rasterize-request.js';
import { someAccount } from '../support/accounts.js';
import { eventually, from } from '../support/auth.js';
import { startRoutes, type RouteServer } from '../support/route-server.js';

describe('previews', () => {
  const { account } = someAccount();
  const drawnFor: PictureClient[] = [];
  const encodedFor: string[] = [];
  let answered = 0;
  let server: RouteServer;

  const picture: PlannedPicture = {
    kind: 'picture',
    etag: '"a"',
    lastModified: undefined,
    immutable: false,
    fallback: null,
    filename: 'a.png',
    contentType: 'image/png',
    codings: {
      known: () => undefined,
      encode: async (_coding, _body, caller) => void encodedFor.push(caller),
    },
    source: {} as PlannedPicture['source'],
  };
  const pictures: Pick<Pictures, 'plan' | 'render' | 'peek'> = {
    plan: async () => picture,
    peek: () => undefined,
    async render(_, client) {
      drawnFor.push(client);
      client.onceAnswered(() => answered++);
      return { ok: true, body: Buffer.alloc(MIN_CODED_BYTES) };
    },
  };

  before(async () => {
    const byCookie = async (token: string): Promise<Caller> => {
      if (token !== 'right') throw new AppError('session_ended');
      return { account } as Caller;
    };
    server = await startRoutes({
      routes: galleryRoutes,
      services: {
        pictures,
        accountCatalogs: { of: async () => undefined },
        previewLimits: createPreviewLimits(Date.now, 100),
        deployment: { gallery: 'on' },
      },
      sessions: { byCookie },
      trustedProxies: 1,
    });
  });
  after(() => server.close());
  beforeEach(() => {
    drawnFor.length = 0;
    encodedFor.length = 0;
    answered = 0;
  });

  async function ask(headers: Record<string, string>, method = 'GET'): Promise<number> {
    const own = { 'Sec-Fetch-Site': 'same-origin', ...headers };
    const answer = await fetch(`${server.base}/dashboard/png/github`, { method, headers: own });
    await answer.arrayBuffer();
    return answer.status;
  }

  const keys = (): (readonly [string, boolean])[] =>
    drawnFor.map(({ fairnessKey, isStranger }) => [fairnessKey, isStranger]);

  it('are drawn for the account of their session, from any address', async () => {
    for (const address of ['192.0.2.1', '2001:db8::1']) await ask({ ...from(address), Cookie: 'blazon_session=right' });
    expect(keys()).to.deep.equal([
      [account.id, false],
      [account.id, false],
    ]);
    expect(encodedFor).to.deep.equal([account.id, account.id]);
  });

  it('are drawn for the address as a stranger without a live session, for IPv6 the /48', async () => {
    await ask({ ...from('192.0.2.1'), Cookie: 'blazon_session=wrong' });
    for (const address of ['192.0.2.2', '2001:db8:1:2::3', '2001:db8:1:4::5', '2001:db8:2::1'])
      await ask(from(address));
    expect(keys()).to.deep.equal([
      ['192.0.2.1', true],
      ['192.0.2.2', true],
      ['2001:db8:1::/48', true],
      ['2001:db8:1::/48', true],
      ['2001:db8:2::/48', true],
    ]);
    expect(encodedFor).to.deep.equal(drawnFor.map(({ fairnessKey }) => fairnessKey));
    await eventually(() => answered === 5, 'end of each answer');
  });

  it('are not drawn for HEAD', async () => {
    expect(await ask(from('192.0.2.1'), 'HEAD')).to.equal(200);
    expect(drawnFor).to.deep.equal([]);
  });
});
