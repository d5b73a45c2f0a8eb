// Compiles TypeScript to JavaScript in dist/, file by file. `npm run types` checks the types; Vite builds the dashboard.
//
//   node scripts/build.js            the service
//   node scripts/build.js --tests    the service, scripts and tests
//   node scripts/build.js --watch    the service, again after each change
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argv, chdir } from 'node:process';
import { fileURLToPath } from 'node:url';
import { context } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
chdir(root);
const folders = ['config', 'src', 'workers', ...(argv.includes('--tests') ? ['scripts', 'test'] : [])];
const sources = folders.flatMap(filesIn).filter((path) => !path.startsWith('src/dashboard/') && !/\.d\.ts$/.test(path));
const modules = sources.filter((path) => path.endsWith('.ts'));
/** Files that the service reads: Lua scripts, pages, pictures and guides. */
const assets = [
  ...sources.filter((path) => path.startsWith('src/') && !/\.ts$|tsconfig\.json$/.test(path)),
  ...filesIn('docs').filter((path) => /^docs\/(?:[\w-]+\.md|pictures\/.*)$/.test(path)),
];

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const build = await context({
  absWorkingDir: root,
  entryPoints: modules,
  outbase: '.',
  outdir: 'dist',
  format: 'esm',
  platform: 'node',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
});
await build.rebuild();
for (const path of assets) {
  mkdirSync(join('dist', dirname(path)), { recursive: true });
  copyFileSync(path, join('dist', path));
}
// Removes old output, so that a removed or renamed module or test cannot run.
const built = new Set([
  ...modules.flatMap((path) => [path.replace(/ts$/, 'js'), path.replace(/ts$/, 'js.map')]),
  ...assets,
]);
for (const folder of folders)
  for (const path of filesIn(join('dist', folder))) if (!built.has(path.slice('dist/'.length))) rmSync(path);

if (argv.includes('--watch')) await build.watch();
else await build.dispose();
