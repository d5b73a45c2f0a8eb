// Takes screenshots of the dashboard for docs/. Runs the test that opens every page.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}docs/screenshots`;
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/mocha/bin/mocha.js',
    '--exit',
    'dist/test/dashboard/dashboard-looks.browser.test.js',
    '-g',
    'are accessible',
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, SCREENSHOTS: folder } },
);
process.exit(status ?? 1);
