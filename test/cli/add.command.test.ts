// `blazon add --url` with a malicious server, and with symbolic links in the target folder.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { rejected, runCli, type CommandResult } from '../support/cli.js';
import { temporaryDir } from '../support/temporary.js';

const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#f00" d="M0 0h8v8z"/></svg>';
const VARIANT = { name: 'default', width: 8, height: 8, recolorable: true };
const ENTRY = {
  slug: 'acme',
  title: 'Acme',
  license: { type: 'MIT', url: 'https://spdx.org/licenses/MIT.html', redistributable: true },
  source: 'https://acme.example',
  provenance: [{ package: 'simple-icons', version: '1.0.0' }],
  variants: [VARIANT],
};
/**
 * Control characters that move the cursor, set the window title, start a C1 control sequence, and reverse the writing
 * direction.
 */
const STEERING = '\u001b[2J\u001b]0;owned\u0007\u009b1A\r\u202e';

describe('blazon add --url', () => {
  let server: Server;
  let answer: RequestListener;
  let root: string;
  let remove: () => void;

  before(async () => {
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    ({ path: root, remove } = temporaryDir());
    mkdirSync(join(root, 'icons'));
  });
  afterEach(() => remove());

  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const add = (...words: string[]): Promise<CommandResult> =>
    runCli('add', [...words, '--dir', join(root, 'icons'), '--url', address(), '--key', 'secret'], {});
  const inFolder = (): string[] => readdirSync(root, { recursive: true }).map(String).sort();
  const read = (name: string): string => readFileSync(join(root, 'icons', name), 'utf8');
  const lineOf = (result: CommandResult): string => {
    const text = rejected(result);
    expect(text, 'one line').to.match(/^[^\n]+\n$/);
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(text).not.to.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    return text;
  };

  /** Serves this entry, and this drawing for each of the entry's pictures. */
  function serve(entry: object, svg = DRAWING): void {
    answer = (request, response) =>
      response.end(request.method === 'POST' ? JSON.stringify({ results: [{ entry }] }) : svg);
  }

  function serveText(text: string | Buffer, status = 200, headers: Record<string, string> = {}): void {
    answer = (_, response) => response.writeHead(status, headers).end(text);
  }

  it('writes the drawing and its license', async () => {
    serve(ENTRY);
    expect(await add('acme')).to.include({ status: 0, stderr: '' });
    expect(read('acme.svg')).to.match(/^<svg [^>]*><path [^>]*fill="#ff0000/);
    expect(read('LICENSES.md')).to.include(
      '| `acme.svg` | Acme | [MIT](https://spdx.org/licenses/MIT.html) | https://acme.example | simple-icons 1.0.0 |',
    );
    expect((await add('acme', '--format', 'react')).status).to.equal(0);
    expect(read('Acme.jsx')).to.include('currentColor');
  });

  it('suggests domains and names if a slug is unknown', async () => {
    const asked: string[] = [];
    answer = (request, response) => {
      asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
      const results = [{ entry: ENTRY }, { error: { message: 'There is no entry "hooli.com".' } }];
      const hooli = { ...ENTRY, slug: 'hooli', title: 'Hooli' };
      if (request.method === 'POST') response.end(JSON.stringify({ results }));
      else if (request.url?.startsWith('/v1/brand') === true) response.end(JSON.stringify({ brand: hooli }));
      else response.end(DRAWING);
    };
    expect(await add('acme', 'hooli.com', 'https://www.hooli.com/x', 'Hooli XYZ')).to.include({
      status: 0,
      stderr: '',
    });
    expect(inFolder()).to.include.members(['icons/acme.svg', 'icons/hooli.svg']);
    expect(asked.filter((path) => path.includes('/v1/brand?'))).to.deep.equal([
      'GET /v1/brand?domain=hooli.com',
      'GET /v1/brand?domain=https%3A%2F%2Fwww.hooli.com%2Fx',
      'GET /v1/brand?name=Hooli+XYZ',
    ]);
  });

  it('rejects slugs that are no slugs before they become file names', async () => {
    for (const slug of [
      '../../owned',
      '/tmp/owned',
      '..',
      'a/b',
      'a\\b',
      'a\0b',
      'A',
      '',
      'é',
      'a'.repeat(101),
      5,
      null,
    ]) {
      serve({ ...ENTRY, slug });
      expect(lineOf(await add('acme', '--force')), String(slug)).to.include('results.0.entry.slug: not a slug');
    }
    expect(inFolder()).to.deep.equal(['icons']);
  });

  it('rejects variants that are no variants before they become file names', async () => {
    for (const name of ['/../../owned', 'x/y', '..', 'Mono', '', 'a\nb']) {
      serve({ ...ENTRY, variants: [VARIANT, { ...VARIANT, name }] });
      const words = name === '' ? [] : ['--variant', name];
      expect(lineOf(await add('acme', ...words)), name).to.include('entry.variants.1.name: not the name of a variant');
    }
    expect(inFolder()).to.deep.equal(['icons']);
  });

  it('rejects control characters in its output', async () => {
    const bad: Readonly<Record<string, object>> = {
      title: { title: `Acme${STEERING}` },
      'license.type': { license: { ...ENTRY.license, type: 'MIT\n| `x.svg` | forged |' } },
      'license.url': { license: { ...ENTRY.license, url: 'https://x.example/\n' } },
      source: { source: 'a\u0085b' },
      'provenance.0.version': { provenance: [{ package: 'a', version: '\u001b[0m' }] },
    };
    for (const [field, part] of Object.entries(bad)) {
      serve({ ...ENTRY, ...part });
      expect(lineOf(await add('acme')), field).to.include(`results.0.entry.${field}: has control characters`);
    }
    expect(inFolder()).to.deep.equal(['icons']);
  });

  it('shows messages of the service on one line, shortened and without control characters', async () => {
    serveText(JSON.stringify({ message: `No.\n${STEERING}${'x'.repeat(10_000)}` }), 403);
    const text = lineOf(await add('acme'));
    expect(text).to.include('responded with 403: No.').and.include('\\u001b[2J');
    expect(text.length).to.be.below(700);
    serveText(JSON.stringify({ results: [{ error: { message: `gone\n${STEERING}` } }] }));
    expect(lineOf(await add('acme'))).to.include('gone\\u000a\\u001b');
  });

  it('writes sanitized drawings', async () => {
    const hostile =
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" viewBox="0 0 8 8" onload="a()">' +
      '<script>a()</script><style>@import "//x.example"</style><foreignObject><b onclick="a()"/></foreignObject>' +
      '<a x:href="javascript:a()"><path fill="#f00" d="M0 0h8v8z" onclick="a()" style="background:url(//x.example)"/></a></svg>';
    serve(ENTRY, hostile);
    for (const format of ['svg', 'react']) expect((await add('acme', '--format', format)).status, format).to.equal(0);
    for (const name of ['acme.svg', 'Acme.jsx'])
      expect(read(name), name)
        .to.match(/path/)
        .and.not.match(/a\(\)|x\.example|foreignObject|javascript|onload|@import/);
    serve(ENTRY, DRAWING.replace('/></svg>', ' class="{(() =&gt; a())()}"/>{a()}</svg>'));
    expect((await add('acme', '--format', 'react', '--force')).status).to.equal(0);
    expect(read('Acme.jsx')).not.to.include('a()');
  });

  it('writes nothing when a drawing is not safe', async () => {
    for (const svg of ['no svg', DRAWING.replace('path', 'text')]) {
      serve(ENTRY, svg);
      expect(lineOf(await add('acme')), svg).to.include('an unsafe drawing of acme');
    }
    expect(inFolder()).to.deep.equal(['icons']);
  });

  it('rejects malformed and huge answers with one line', async () => {
    const nested = '['.repeat(200_000) + ']'.repeat(200_000);
    for (const body of ['', 'null', '[]', '{"results":5}', '<html>', '{"results":[5]}', '{"results', nested]) {
      serveText(body);
      expect(lineOf(await add('acme')), body.slice(0, 20)).to.include('did not respond like a Blazon service');
    }
    serveText('{"results":[]}');
    expect(lineOf(await add('acme'))).to.include('returned 0 brands instead of 1');
    serveText('{"results":[{}]}');
    expect(lineOf(await add('acme'))).to.include('did not return the brand acme');
    serveText(gzipSync(Buffer.alloc(17 * 2 ** 20, ' ')), 200, { 'Content-Encoding': 'gzip' });
    expect(lineOf(await add('acme'))).to.include('sent more than 16777216 bytes');
    answer = (_, response) => void response.write('{"results"', () => response.destroy());
    expect(lineOf(await add('acme'))).to.include('does not respond (');
    serveText('', 302, { Location: '/elsewhere' });
    expect(lineOf(await add('acme'))).to.include('does not respond (');
  });

  it('never shows the key', async () => {
    serve(ENTRY);
    const key = 'blz_\nInjected: 1';
    const result = await runCli('add', ['acme', '--dir', root, '--url', address(), '--key', key], {});
    expect(lineOf(result))
      .to.include('--key: the value has characters that no key contains')
      .and.not.include('Injected');
  });

  it('escapes Markdown in the list of licenses', async () => {
    serve({
      ...ENTRY,
      title: '[Acme](javascript:a) ![x](//x.example) <img src=x> `a` **b** | c',
      license: { type: 'MIT](//x.example)', url: 'javascript:alert(1)', redistributable: true },
      source: '<script>a</script>',
    });
    expect((await add('acme')).status).to.equal(0);
    const row = read('LICENSES.md').split('\n').at(-2);
    expect(row).to.equal(
      String.raw`| ${'`acme.svg`'} | \[Acme\](javascript:a) \!\[x\](//x.example) \<img src=x\> \`a\` \*\*b\*\* \| c | MIT\](//x.example) | \<script\>a\</script\> | simple-icons 1.0.0 |`,
    );
    serve({ ...ENTRY, license: { ...ENTRY.license, url: 'https://x.example/a) [b](c|d' } });
    expect((await add('acme', '--force')).status).to.equal(0);
    expect(read('LICENSES.md')).to.include('[MIT](https://x.example/a%29%20%5Bb%5D%28c%7Cd)');
    expect((await add('acme', '--force')).status).to.equal(0);
    expect(read('LICENSES.md').match(/^\| `/gm)).to.have.length(1);
  });

  it('never writes or reads through a link', async () => {
    serve(ENTRY);
    const [victim, missing] = [join(root, 'victim'), join(root, 'missing')];
    const [file, list] = [join(root, 'icons', 'acme.svg'), join(root, 'icons', 'LICENSES.md')];
    writeFileSync(victim, 'mine');
    symlinkSync(missing, file);
    expect((await add('acme')).stdout).to.include('acme.svg already exists and was kept');
    rmSync(file);
    symlinkSync(victim, file);
    expect((await add('acme', '--force')).status).to.equal(0);
    expect(lstatSync(file).isFile()).to.equal(true);
    for (const target of [victim, missing]) {
      rmSync(list);
      symlinkSync(target, list);
      expect(lineOf(await add('acme', '--force')), target).to.include('LICENSES.md was not generated by this command');
    }
    rmSync(list);
    execFileSync('mkfifo', [list]);
    expect(lineOf(await add('acme'))).to.include('LICENSES.md was not generated by this command');
    expect([readFileSync(victim, 'utf8'), existsSync(missing)]).to.deep.equal(['mine', false]);
    expect(inFolder()).to.deep.equal(['icons', 'icons/LICENSES.md', 'icons/acme.svg', 'victim']);
  });

  it('writes no file for two brands', async () => {
    const entries = ['foo-bar', 'foo.bar', 'foo-bar'].map((slug) => ({ entry: { ...ENTRY, slug } }));
    answer = (request, response) =>
      response.end(request.method === 'POST' ? JSON.stringify({ results: entries }) : DRAWING);
    const words = ['foo-bar', 'foo.bar', 'foo-bar'];
    expect(lineOf(await add(...words, '--format', 'react'))).to.include(
      'foo-bar and foo.bar would both be named FooBar.jsx',
    );
    expect(await add(...words)).to.include({ status: 0, stderr: '' });
    expect(inFolder()).to.deep.equal(['icons', 'icons/LICENSES.md', 'icons/foo-bar.svg', 'icons/foo.bar.svg']);
  });

  it('brands push rejects malformed and huge answers with one line, too', async () => {
    writeFileSync(join(root, 'icons', 'acme.svg'), DRAWING);
    const push = (): Promise<CommandResult> =>
      runCli('brands', ['push', join(root, 'icons'), '--url', address(), '--key', 'secret'], {});
    for (const body of ['', '[]', '{"results":5}', '{"applied":true,"results":[{}]}']) {
      serveText(body);
      expect(lineOf(await push()), body).to.include('did not respond like a Blazon service');
    }
    serveText(JSON.stringify({ message: `No.\n${STEERING}` }), 422);
    expect(lineOf(await push())).to.include('responded with 422: No.');
    serveText(' '.repeat(17 * 2 ** 20));
    expect(lineOf(await push())).to.include('sent more than 16777216 bytes');
  });
});
