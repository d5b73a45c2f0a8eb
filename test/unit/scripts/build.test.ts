// The build in a small project of its own: what has changed is built, and whatever happened before, the result is right.
import { spawn, type ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { temporaryDir } from '../../support/temporary.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const STATE = 'dist/.build.json';
const LOCK = 'node_modules/.package-lock.json';
/** Source → its text, which its output contains, too. */
type Sources = Readonly<Record<string, string>>;

const SOURCES: Sources = {
  'config/env.ts': 'the environment',
  'src/main.ts': 'the process',
  'src/domain/color.ts': 'a color',
  'src/domain/deep/er.ts': 'a folder in a folder',
  'workers/host.ts': 'a process of its own',
  'src/http/pages/assets/page.css': 'a picture of a page',
};

interface Build {
  readonly code: number | null;
  readonly output: string;
}

describe('the build', () => {
  let root: string;
  let remove: () => void;
  beforeEach(() => {
    ({ path: root, remove } = temporaryDir());
    const scripts = ['scripts/build.js', 'scripts/build-dashboard.js', 'scripts/tools/package.json'];
    for (const file of [...scripts, 'tsconfig.json', 'package.json']) fs.cpSync(join(ROOT, file), join(root, file));
    for (const name of ['esbuild', '@photostructure/sqlite']) {
      fs.mkdirSync(dirname(join(root, 'node_modules', name)), { recursive: true });
      fs.symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name));
    }
    write(LOCK, '{}');
    for (const [path, text] of Object.entries(SOURCES)) writeSource(path, text);
  });
  afterEach(() => remove());

  function write(path: string, content: string): void {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), content);
  }
  function writeSource(path: string, text: string): void {
    write(path, path.endsWith('.ts') ? `export const text: string = '${text}';\n` : `/* ${text} */\n`);
  }

  function start(...words: readonly string[]): ChildProcess {
    return spawn(process.execPath, [join(root, 'scripts/build.js'), '--no-pages', ...words]);
  }
  function ended(child: ChildProcess): Promise<Build> {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
  }
  async function build(...words: readonly string[]): Promise<Build> {
    const done = await ended(start(...words));
    expect(done.code, done.output).to.equal(0);
    return done;
  }

  const outputsOf = (path: string): string[] =>
    path.endsWith('.ts') ? [path.replace(/ts$/, 'js'), path.replace(/ts$/, 'js.map')] : [path];
  /** Without those of the build itself. */
  const built = (): string[] =>
    fs
      .readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.build.'))
      .map((entry) => join(entry.parentPath, entry.name).slice(join(root, 'dist').length + 1))
      .sort();
  const content = (path: string): string => fs.readFileSync(join(root, path), 'utf8');
  /** When each output was written, by name. */
  const times = (): Record<string, number> =>
    Object.fromEntries(built().map((path) => [path, fs.statSync(join(root, 'dist', path)).mtimeMs]));

  /** Exactly the outputs of these sources, each of its text. */
  function expectBuilt(sources: Sources): void {
    expect(built()).to.deep.equal(Object.keys(sources).flatMap(outputsOf).sort());
    for (const [path, text] of Object.entries(sources)) {
      const [output = ''] = outputsOf(path);
      expect(content(join('dist', output)), output).to.include(text);
    }
  }

  /** The outputs that `change` and the next build wrote. */
  async function rewrittenBy(change: () => void, ...words: readonly string[]): Promise<string[]> {
    for (const path of built()) fs.utimesSync(join(root, 'dist', path), 1, 1);
    change();
    await build(...words);
    return Object.entries(times())
      .filter(([, time]) => time !== 1000)
      .map(([path]) => path);
  }

  const withText = (path: string, text: string): Sources => ({ ...SOURCES, [path]: text });
  const without = (path: string): Sources =>
    Object.fromEntries(Object.entries(SOURCES).filter(([name]) => name !== path));

  it('makes an output of each source, and writes nothing when nothing has changed', async () => {
    expect((await build()).output).to.include('Building: 6 modules');
    expectBuilt(SOURCES);
    const touched = () => fs.utimesSync(join(root, 'src/main.ts'), 9e8, 9e8);
    expect(await rewrittenBy(touched), 'another time').to.deep.equal([]);
    expect((await build()).output).to.equal('');
  });

  it('builds only what was changed, added, moved or deleted', async () => {
    await build();
    const changed = await rewrittenBy(() => writeSource('src/main.ts', 'another text'));
    expect(changed).to.deep.equal(['src/main.js', 'src/main.js.map']);
    expectBuilt(withText('src/main.ts', 'another text'));
    const picture = 'src/http/pages/assets/page.css';
    expect(await rewrittenBy(() => writeSource(picture, 'another picture'))).to.deep.equal([picture]);
    writeSource('src/main.ts', SOURCES['src/main.ts']!);
    writeSource(picture, SOURCES[picture]!);
    await build();
    expect(await rewrittenBy(() => fs.rmSync(join(root, 'src/domain/color.ts')))).to.deep.equal([]);
    expectBuilt(without('src/domain/color.ts'));
    const added = await rewrittenBy(() => writeSource('src/services/color.ts', 'a color'));
    expect(added).to.deep.equal(['src/services/color.js', 'src/services/color.js.map']);
    expectBuilt({ ...without('src/domain/color.ts'), 'src/services/color.ts': 'a color' });
  });

  it('restores outputs that are missing or cut off, and removes what it has not made', async () => {
    await build();
    const [gone, short, empty] = ['workers/host.js', 'src/main.js', 'config/env.js.map'];
    const damage = () => {
      fs.rmSync(join(root, 'dist', gone));
      fs.truncateSync(join(root, 'dist', short), 10);
      fs.truncateSync(join(root, 'dist', empty), 0);
      write('dist/src/left-over.js', '');
      write('dist/src/main.js.99999.tmp', 'half a fi');
    };
    expect(await rewrittenBy(damage))
      .to.include.members([gone, short, empty])
      .and.have.length(6);
    expectBuilt(SOURCES);
  });

  it('builds everything for other dependencies, another Node, other options or another build', async () => {
    await build();
    const everything = Object.keys(SOURCES).flatMap(outputsOf).sort();
    const append = (path: string, text: string) => () => write(path, content(path) + text);
    const changes = {
      dependencies: () => write(LOCK, '{ "packages": {} }'),
      // The hash of Node's version, dependencies and options, as another Node has it.
      node: () => write(STATE, content(STATE).replace(/"tools":"\w+"/, `"tools":"${'0'.repeat(40)}"`)),
      options: append('tsconfig.json', '\n'),
      build: append('scripts/build.js', '\n// another release\n'),
    };
    for (const [name, change] of Object.entries(changes))
      expect(await rewrittenBy(change), name).to.deep.equal(everything);
  });

  it('keeps scripts and tests, which only some builds need, and builds them when they do', async () => {
    writeSource('test/some.test.ts', 'a test');
    await build('--all');
    writeSource('test/some.test.ts', 'another test');
    fs.truncateSync(join(root, 'dist/test/some.test.js.map'), 3);
    expect(await rewrittenBy(() => undefined)).to.deep.equal([]);
    await build('--all');
    expectBuilt({ ...SOURCES, 'test/some.test.ts': 'another test' });
    expect(content('dist/test/some.test.js.map')).to.have.length.above(3);
  });

  it('names the file of a syntax error, fails, and is right after it is mended', async () => {
    await build();
    write('src/main.ts', 'export const text: = 1;\n');
    writeSource('workers/host.ts', 'changed as well');
    const failed = await ended(start());
    expect(failed.code).to.equal(1);
    expect(failed.output)
      .to.include('src/main.ts:1:')
      .and.not.match(/^ +at /m);
    expect((await ended(start())).code, 'a second time').to.equal(1);
    writeSource('src/main.ts', 'mended');
    await build();
    expectBuilt({ ...SOURCES, 'src/main.ts': 'mended', 'workers/host.ts': 'changed as well' });
  });

  it('is right after a state that is cut off, empty or of another release', async () => {
    await build();
    const whole = content(STATE);
    for (const state of [whole.slice(0, 100), '', 'null', '{}', '{"tools":"x"}']) {
      writeSource('src/main.ts', `after ${state.length} characters`);
      write(STATE, state);
      await build();
      expectBuilt(withText('src/main.ts', `after ${state.length} characters`));
    }
  });

  describe('of many modules', () => {
    const names = Array.from({ length: 60 }, (_, index) => `src/many/module-${index}.ts`);
    const version = (text: string): Sources => Object.fromEntries(names.map((name) => [name, text]));
    function writeVersion(text: string): void {
      for (const name of names) writeSource(name, text);
    }
    beforeEach(() => writeVersion('first'));

    /** Calls `act` when the build has written some of its outputs. */
    function afterOutputs(count: number, act: () => void): () => void {
      fs.mkdirSync(join(root, 'dist/src/many'), { recursive: true });
      let seen = 0;
      const watcher = fs.watch(join(root, 'dist/src/many'), () => {
        seen += 1;
        if (seen === count) act();
      });
      return () => watcher.close();
    }

    it('is right after it was killed at any point', async () => {
      await build();
      for (const [round, when] of (['start', 'said', 1, 40, 150] as const).entries()) {
        writeVersion(`round ${round}`);
        if (round > 2) fs.rmSync(join(root, names[round]!));
        const child = start();
        const done = ended(child);
        const kill = () => child.kill('SIGKILL');
        const stopWatching = typeof when === 'number' ? afterOutputs(when, kill) : () => undefined;
        if (when === 'start') child.once('spawn', kill);
        if (when === 'said') child.stderr?.once('data', kill);
        await done;
        stopWatching();
        // Another branch now, of which some files are those of the build before.
        writeSource(names[0]!, 'first');
        await build();
        const present = names.filter((name) => fs.existsSync(join(root, name)));
        expectBuilt({
          ...SOURCES,
          ...Object.fromEntries(present.map((name) => [name, `round ${round}`])),
          [names[0]!]: 'first',
        });
      }
    });

    it('is right for two at once, and the later one waits', async () => {
      const [one, two] = await Promise.all([ended(start()), ended(start('--all'))]);
      expect([one.code, two.code], one.output + two.output).to.deep.equal([0, 0]);
      expectBuilt({ ...SOURCES, ...version('first') });
      writeVersion('second');
      const all = await Promise.all([ended(start()), ended(start()), ended(start())]);
      expect(all.filter(({ output }) => output.includes('Building:'))).to.have.length(1);
      expectBuilt({ ...SOURCES, ...version('second') });
    });

    it('is right after sources have changed under it', async () => {
      writeVersion('second');
      const child = start();
      const done = ended(child);
      child.stderr?.once('data', () => writeVersion('third'));
      expect((await done).code).to.equal(0);
      // The same content as when the build began.
      writeVersion('second');
      await build();
      expectBuilt({ ...SOURCES, ...version('second') });
    });
  });
});
