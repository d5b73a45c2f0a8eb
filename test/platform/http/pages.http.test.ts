// Dashboard pages over HTTP: content security policy, files that may be cached forever, and size limits.
import { expect } from 'chai';
import { parse } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DASHBOARD_PAGES } from '../../../src/platform/http/pages/pages.routes.js';
import { suiteServer } from '../../support/server.js';

const FIRST_VIEW_KB = 150;
const PAGES: [string, string | undefined][] = [...Object.entries(DASHBOARD_PAGES), ['/docs', undefined]];

describe('the pages of the dashboard over HTTP', () => {
  const server = suiteServer();

  const file = async (path: string) => {
    const response = await server.get(path);
    expect(response.status, path).to.equal(200);
    return { headers: response.headers, text: await response.text() };
  };
  const scriptsIn = (html: string) =>
    [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);

  it('allow no inline script or style, no frame and no other origin, and stay on https', async () => {
    for (const [path] of PAGES) {
      const { headers, text } = await file(path.replace('{slug}', 'github'));
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
      expect(policy).to.not.match(/unsafe|https?:|\*/);
      expect(headers.get('strict-transport-security')).to.equal('max-age=31536000');
      expect(headers.get('cross-origin-opener-policy')).to.equal('same-origin');
      expect(headers.get('permissions-policy')).to.include('camera=()').and.include('geolocation=()');
      expect(headers.get('cache-control')).to.equal('no-cache');
      expect(text).to.not.match(/<script(?![^>]* src=)|<style|style=|\son\w+="|(?:src|href)="(?:https?:)?\/\//);
    }
  });

  it('load files that have hashed names and are cached for a year', async () => {
    const { text } = await file('/');
    const paths = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths.length).to.be.above(3);
    for (const path of paths) {
      const { headers } = await file(path);
      expect(path).to.match(/-[\w-]{8}\.\w+$/);
      expect(headers.get('cache-control'), path).to.equal('public, max-age=31536000, immutable');
    }
  });

  for (const [path, lazyModule] of PAGES)
    it(`name at most ${FIRST_VIEW_KB} KB of scripts, so that none waits for another: ${path}`, async () => {
      const { text } = await file(path.replace('{slug}', 'github'));
      const scripts = scriptsIn(text);
      if (lazyModule !== undefined) expect(scripts.join(), 'its own chunk').to.include(`/${parse(lazyModule).name}-`);
      expect(scripts).to.have.length.below(12);
      let total = 0;
      for (const script of scripts) {
        const { text: code } = await file(script);
        total += gzipSync(code, { level: 9 }).length;
        for (const [, name = ''] of code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
          expect(scripts, `imports of ${script}`).to.include(`/assets/${name}`);
      }
      expect(total / 1024)
        .to.be.below(FIRST_VIEW_KB)
        .and.above(50);
    });
});
