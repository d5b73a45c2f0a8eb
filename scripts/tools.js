// `npm run lint`, `types`, `test:all`, …: what they need is installed into scripts/tools, when that has changed; then its
// script of the given name is run, if one is given.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { argv, chdir, env, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

const INSTALLED = 'node_modules/.installed-lock.json';

/** @param {readonly string[]} words */
function npm(...words) {
  const { status } = spawnSync('npm', words, { stdio: 'inherit', shell: process.platform === 'win32', env });
  if (status !== 0) exit(status ?? 1);
}

chdir(fileURLToPath(new URL('./tools/', import.meta.url)));
const lock = readFileSync('package-lock.json', 'utf8');
if (!existsSync(INSTALLED) || readFileSync(INSTALLED, 'utf8') !== lock) {
  process.stderr.write('Installing the tools of lint and tests into scripts/tools …\n');
  npm('ci', '--no-audit', '--no-fund', '--loglevel=error');
  writeFileSync(INSTALLED, lock);
}
const [script] = argv.slice(2);
if (script !== undefined) npm('run', '--silent', script);
