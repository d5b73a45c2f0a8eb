// Files in content codings beside them, and the folder that is served with them.
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { encodeFiles } from '../../../scripts/encode-files.js';
import { hashedFiles } from '../../../src/http/pages/page-files.js';
import { temporaryDir } from '../../support/temporary.js';

const SCRIPT = 'export const answer = 42;\n'.repeat(200);

describe('encoded files', () => {
  let folder: string;
  let remove: () => void;
  beforeEach(async () => {
    ({ path: folder, remove } = temporaryDir());
    mkdirSync(join(folder, 'deep'));
    writeFileSync(join(folder, 'index-BcZl3k2A.js'), SCRIPT);
    writeFileSync(join(folder, 'deep', 'style.css'), SCRIPT);
    writeFileSync(join(folder, 'small.css'), 'a{}');
    writeFileSync(join(folder, 'picture.png'), SCRIPT);
    await encodeFiles(folder);
  });
  afterEach(() => remove());

  const has = (name: string) => existsSync(join(folder, name));

  it('hold the same as the file, and are made for long text only', () => {
    for (const name of ['index-BcZl3k2A.js', 'deep/style.css']) {
      expect(brotliDecompressSync(readFileSync(join(folder, `${name}.br`))).toString()).to.equal(SCRIPT);
      expect(gunzipSync(readFileSync(join(folder, `${name}.gz`))).toString()).to.equal(SCRIPT);
    }
    for (const name of ['small.css', 'picture.png']) {
      expect(has(`${name}.br`), name).to.equal(false);
      expect(has(`${name}.gz`), name).to.equal(false);
    }
  });

  it('are made again when the file has changed, and only then', async () => {
    const file = join(folder, 'index-BcZl3k2A.js');
    const past = new Date(Date.now() - 60_000);
    utimesSync(file, past, past);
    const before = statSync(`${file}.br`).mtimeMs;
    await encodeFiles(folder);
    expect(statSync(`${file}.br`).mtimeMs).to.equal(before);
    writeFileSync(file, SCRIPT + SCRIPT);
    utimesSync(`${file}.br`, past, past);
    await encodeFiles(folder);
    expect(brotliDecompressSync(readFileSync(`${file}.br`)).toString()).to.equal(SCRIPT + SCRIPT);
  });

  it('are served from a folder of hashed names, which are cached for ever', async () => {
    const files = hashedFiles(pathToFileURL(`${folder}/`));
    expect(Object.keys(files).sort()).to.deep.equal(['index-BcZl3k2A.js', 'picture.png', 'small.css']);
    const script = files['index-BcZl3k2A.js']!;
    expect(script.headers).to.include({
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
    });
    expect(brotliDecompressSync((await script.codings!.encode('br', ''))!).toString()).to.equal(SCRIPT);
    expect(gunzipSync(script.codings!.known('gzip')!).toString()).to.equal(SCRIPT);
    for (const name of ['picture.png', 'small.css']) {
      expect(files[name]!.codings, name).to.equal(undefined);
      expect(files[name]!.headers, name).to.not.have.property('Vary');
    }
  });
});
