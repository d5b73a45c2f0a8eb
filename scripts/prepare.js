// npm runs it after `npm ci` and before `npm pack`: builds the service and the dashboard. An installation without development
// dependencies (`npm ci --omit=dev`) can't build and keeps what is in dist/.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
try {
  require.resolve('vite/package.json');
} catch {
  console.error('The development dependencies are not installed: nothing was built.');
  process.exit();
}
const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
