// The build script, run on a copy with a small source tree.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';

describe('the build', () => {
  const dir = temporaryDir();
  after(() => dir.remove());
  const at = (path: string) => join(dir.path, path);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const build = (...words: string[]) => execFileSync(process.execPath, [at('scripts/build.js'), ...words]);

  before(() => {
    for (const name of ['build.js', 'start.js']) cpSync(join(ROOT, 'scripts', name), at(`scripts/${name}`));
    symlinkSync(join(ROOT, 'node_modules'), at('node_modules'));
    write('package.json', JSON.stringify({ type: 'module' }));
  });

  it('reports in one line that nothing is built', () => {
    const { status, stderr } = spawnSync(process.execPath, [at('scripts/start.js')], { encoding: 'utf8' });
    expect(status).to.equal(1);
    expect(stderr).to.match(/^Nothing is built yet\. Run .*npm run build.*\n$/);
  });

  it('compiles modules, copies other files, and omits the dashboard and declarations', () => {
    write('src/main.ts', 'export const one: number = 1;');
    write('src/store/add-1.lua', 'return 1');
    write('src/client/openapi.d.ts', 'export type A = 1;');
    write('src/dashboard/main.ts', 'export {};');
    build();
    expect(readFileSync(at('dist/src/main.js'), 'utf8')).to.include('const one = 1');
    expect(readFileSync(at('dist/src/store/add-1.lua'), 'utf8')).to.equal('return 1');
    for (const path of ['dist/src/client', 'dist/src/dashboard']) expect(existsSync(at(path)), path).to.equal(false);
  });

  it('removes output of deleted files', () => {
    write('src/old.ts', 'export {};');
    write('test/old.test.ts', 'export {};');
    build('--tests');
    expect(existsSync(at('dist/test/old.test.js'))).to.equal(true);
    for (const path of ['src/old.ts', 'test/old.test.ts']) rmSync(at(path));
    build('--tests');
    for (const path of ['src/old.js', 'src/old.js.map', 'test/old.test.js'])
      expect(existsSync(at(`dist/${path}`)), path).to.equal(false);
    expect(existsSync(at('dist/src/main.js'))).to.equal(true);
  });

  it('fails for invalid TypeScript, and names the file', () => {
    write('src/broken.ts', 'export const = ;');
    const { status, stderr } = spawnSync(process.execPath, [at('scripts/build.js')], { encoding: 'utf8' });
    expect(status).not.to.equal(0);
    expect(stderr).to.include('src/broken.ts');
  });
});
