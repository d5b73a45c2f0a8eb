// `blazon brands push`: uploads a folder of SVG files as own brands.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { VARIABLES } from '../../config/env.js';
import { similarNames } from '../../config/similar-names.js';
import { runCli, runCliProcess } from '../support/cli.js';
import { suiteServer } from '../support/server.js';
import { temporaryDir } from '../support/temporary.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#f00" d="M0 0h8v8z"/></svg>';

describe('blazon brands push', () => {
  const server = suiteServer();

  it('uploads a folder, and exits with 1 if a file is rejected', async () => {
    const { path, remove } = temporaryDir();
    const { apiKey } = await server.customer('pro');
    mkdirSync(join(path, 'tools'));
    writeFileSync(join(path, 'acme.svg'), SVG);
    writeFileSync(join(path, 'acme.json'), '{"title":"Acme Corp"}');
    writeFileSync(join(path, 'tools', 'bolt.svg'), SVG);
    writeFileSync(join(path, 'tools', 'zipped.SVGZ'), gzipSync(SVG));
    const push = (...more: string[]) =>
      runCli('brands', ['push', path, '--url', server.base, '--key', apiKey, ...more], {});
    const first = await push('--json');
    expect(first.status, first.stderr).to.equal(0);
    const { results } = JSON.parse(first.stdout) as { results: { slug: string; status: number }[] };
    expect(results.map(({ slug, status }) => [slug, status])).to.have.deep.members([
      ['acme', 201],
      ['bolt', 201],
      ['zipped', 201],
    ]);
    const entry = await fetch(`${server.base}/v1/catalog/acme`, { headers: { 'X-API-Key': apiKey } });
    expect(((await entry.json()) as { title: string }).title).to.equal('Acme Corp');
    writeFileSync(join(path, 'broken.svg'), SVG.replace('<path', '\n<text>Acme</text><path'));
    const second = await push('--atomic');
    expect(second.status).to.equal(1);
    expect(second.stdout).to.contain('Nothing was changed.').and.contain('(<text>, line 2). Convert text to outlines');
    expect(second.stdout).to.contain(`${server.base}/docs/guides/drawings`);
    const { results: rejected } = JSON.parse((await push('--json')).stdout) as { results: { details?: object[] }[] };
    expect(rejected.flatMap(({ details = [] }) => details)).to.have.length(1);
    expect(rejected.flatMap(({ details = [] }) => details)[0]).to.include({ code: 'text', element: 'text', line: 2 });
    const environment = { BLAZON_URL: server.base, BLAZON_API_KEY: apiKey };
    const third = await runCliProcess('brands', ['push', join(path, 'tools'), '--json'], environment);
    expect(third.status, third.stderr).to.equal(0);
    remove();
  });

  it('names the variables of its options in the help', async () => {
    const { stdout } = await runCli('brands', ['push', '--help'], {});
    expect(stdout).to.contain('(env: BLAZON_URL)').and.contain('(env: BLAZON_API_KEY)');
    expect(similarNames(['BLAZON_URL', 'BLAZON_API_KEY'], Object.keys(VARIABLES))).to.deep.equal([]);
  });
});
