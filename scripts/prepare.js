// npm runs it after `npm ci` and before `npm pack`: generates the types of the API, and builds the service and the dashboard. An
// installation without development dependencies (`npm ci --omit=dev`) can't build and keeps what is in dist/.
import { execSync } from 'node:child_process';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
if (hasDevelopmentDependencies())
  execSync('npm run --silent api-types && npm run --silent build', { stdio: 'inherit' });
else console.error('The development dependencies are not installed: nothing was built.');

function hasDevelopmentDependencies() {
  try {
    return require.resolve('vite/package.json') !== '';
  } catch {
    return false;
  }
}
