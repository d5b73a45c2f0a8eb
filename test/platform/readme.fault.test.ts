// Runs the commands in README.md in order, in a separate folder.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { untilAnswers } from '../../scripts/processes.js';
import { freePort } from '../../scripts/server-process.js';
import { importedCatalog } from '../support/catalog.js';
import { ROOT } from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';

/** Commands that this test skips. They install, start or test the clone of the repository. */
const OF_THE_CLONE = /^npm ci && npm (?:start|test)$/;

/** Returns the code blocks without a language, which contain commands. */
function commandBlocks(): readonly string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
    .filter(([, language]) => language === '')
    .map(([, , block = '']) => block.trim());
}

describe('the README', () => {
  const dir = temporaryDir();
  after(() => dir.remove());

  it('has commands that work from top to bottom', async () => {
    const blocks = commandBlocks();
    expect(blocks.filter((block) => OF_THE_CLONE.test(block))).to.deep.equal([
      'npm ci && npm start',
      'npm ci && npm test',
    ]);
    for (const path of execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0'))
      if (/^config\/.*\.(?:json|txt)$|^scripts\/\w+\.js$|^package\.json$/.test(path)) {
        mkdirSync(join(dir.path, dirname(path)), { recursive: true });
        cpSync(join(ROOT, path), join(dir.path, path));
      }
    for (const name of ['node_modules', 'dist']) symlinkSync(join(ROOT, name), join(dir.path, name));
    cpSync(await importedCatalog(), join(dir.path, 'data'), { recursive: true });
    const port = await freePort();
    const env = { PATH: process.env.PATH, HOME: dir.path, PORT: String(port) };
    const service = spawn('npm', ['start'], { cwd: dir.path, env, stdio: 'ignore', detached: true });
    try {
      await untilAnswers(`http://127.0.0.1:${port}/readyz`, service);
      const commands = blocks.filter((block) => !OF_THE_CLONE.test(block)).join('\n');
      expect(commands.match(/^curl /gm)).to.have.length.above(12);
      writeFileSync(
        join(dir.path, 'readme.sh'),
        [
          'set -euo pipefail',
          'curl() { command curl --silent --show-error --fail-with-body "$@"; }',
          commands.replaceAll('localhost:3000', `localhost:${port}`),
        ].join('\n'),
      );
      await run('bash', ['readme.sh'], dir.path, env);
    } finally {
      const ended = once(service, 'exit');
      process.kill(-(service.pid ?? 0), 'SIGTERM');
      await ended;
    }
    for (const name of ['github.png', 'logo.png', 'intranet.png'])
      expect(readFileSync(join(dir.path, name)).toString('latin1', 1, 4), name).to.equal('PNG');
    expect(readFileSync(join(dir.path, 'strip.svg'), 'utf8')).to.match(/^<svg/);
    expect(readFileSync(join(dir.path, 'my-app/src/icons/LICENSES.md'), 'utf8'))
      .to.include('GitHub')
      .and.include('Stripe');
  });
});

async function run(program: string, words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const code = await promisify((done: (error: null, code: number | null) => void) =>
    child.once('close', (ended) => done(null, ended)),
  )();
  expect(code, errors).to.equal(0);
}
