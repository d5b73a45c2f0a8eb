// The pages of the dashboard over HTTP: policy, files that never change, and the sizes they may have.
import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { DASHBOARD_PAGES } from '../../src/http/routes/dashboard/pages.js';
import { startServer, type TestServer } from '../support/server.js';

const FIRST_VIEW_KB = 150;
/** What the front page and the overview load, by the names of their chunks. */
const FIRST_VIEWS = { '/': 'front', '/overview': 'overview', '/sign-in': 'sign-in', '/catalog': 'catalog' };

describe('the pages of the dashboard over HTTP', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  const file = async (path: string) => {
    const response = await server.get(path);
    expect(response.status, path).to.equal(200);
    return { headers: response.headers, text: await response.text() };
  };
  const scriptsIn = (html: string) =>
    [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);

  it('allow no inline script or style, no frame and no other origin, and stay on https', async () => {
    for (const path of DASHBOARD_PAGES) {
      const { headers, text } = await file(path.replace('{slug}', 'github'));
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
      expect(policy).to.not.match(/unsafe|https?:|\*/);
      expect(headers.get('strict-transport-security')).to.equal('max-age=31536000');
      expect(headers.get('cache-control')).to.equal('no-cache');
      expect(text).to.not.match(/<script(?![^>]* src=)|<style|style=|\son\w+="|(?:src|href)="(?:https?:)?\/\//);
    }
    const { headers } = await file('/docs');
    expect(headers.get('strict-transport-security')).to.equal('max-age=31536000');
  });

  it('load files whose names change with their content, kept for a year', async () => {
    const { text } = await file('/');
    const paths = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths.length).to.be.above(3);
    for (const path of paths) {
      const { headers } = await file(path);
      expect(path).to.match(/-[\w-]{8}\.\w+$/);
      expect(headers.get('cache-control'), path).to.equal('public, max-age=31536000, immutable');
    }
  });

  for (const [page, chunk] of Object.entries(FIRST_VIEWS))
    it(`load at most ${FIRST_VIEW_KB} KB of scripts: ${page}`, async () => {
      const { text } = await file(page);
      const loaded = new Set<string>();
      const sizes = new Map<string, number>();
      /** Static imports of a chunk, and those that are named for the page's own. */
      async function load(path: string): Promise<void> {
        if (loaded.has(path)) return;
        loaded.add(path);
        const { text: code } = await file(path);
        sizes.set(path, gzipSync(code, { level: 9 }).length);
        for (const [, name = ''] of code.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
          await load(`/assets/${name}`);
        for (const [, name = ''] of code.matchAll(/import\([`"']\.\/([^`"']+\.js)[`"']\)/g))
          if (name.startsWith(`${chunk}-`)) await load(`/assets/${name}`);
      }
      for (const path of scriptsIn(text)) await load(path);
      expect(
        [...loaded].some((path) => path.includes(`/${chunk}-`)),
        'the chunk of the page',
      ).to.equal(true);
      const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      expect(total / 1024, JSON.stringify([...sizes]))
        .to.be.below(FIRST_VIEW_KB)
        .and.above(50);
    });
});
