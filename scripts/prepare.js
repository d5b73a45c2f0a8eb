// npm runs this script after `npm ci` and before `npm pack`. It generates the types of the API, and builds the service
// and the dashboard. An installation without development dependencies (`npm ci --omit=dev`) can't build and keeps the
// content of dist/.
import { execSync } from 'node:child_process';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
if (hasDevelopmentDependencies())
  execSync('npm run --silent api-types && npm run --silent build', { stdio: 'inherit' });
else console.error('Nothing was built, because the development dependencies are not installed.');

function hasDevelopmentDependencies() {
  try {
    return require.resolve('vite/package.json') !== '';
  } catch {
    return false;
  }
}
