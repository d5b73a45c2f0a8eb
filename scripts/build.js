// The build: TypeScript to JavaScript, file by file, then the bundle of the dashboard. Builds only what has changed since
// the last one. Types are checked by `npm run types`. JavaScript itself, since Node 20 runs no TypeScript.
//
//   node scripts/build.js               what `npm start` needs: the service and the dashboard
//   node scripts/build.js --no-pages    what a command needs: the service
//   node scripts/build.js --all         what a test needs: scripts and tests, too
import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { argv, chdir, exit, pid, stderr, version } from 'node:process';
import { fileURLToPath } from 'node:url';

/** State of the last complete build. */
const STATE_FILE = 'dist/.build.json';
const LOCK_FILE = 'dist/.build.lock';
/** Waiting for another build; one takes seconds. */
const LOCK_TIMEOUT_MS = 120_000;
/** CommonJS that is built into a module asks for modules of Node by it. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

chdir(fileURLToPath(new URL('..', import.meta.url)));
const folders = ['config', 'src', 'workers', ...(argv.includes('--all') ? ['scripts', 'test'] : [])];
const hasPages = !argv.includes('--no-pages');

/**
 * @typedef {object} State
 * @property {string} tools a hash of what builds: Node, dependencies, options
 * @property {Record<string, string>} modules source → hash of its content
 * @property {{ readonly source: string, readonly files: readonly string[] }} pages
 * @property {Record<string, number>} sizes output → bytes: after a loss of power a file may be shorter
 */

/** @type {State} */
const NOTHING_BUILT = { tools: '', modules: {}, pages: { source: '', files: [] }, sizes: {} };

/** @param {State} state */
function outdated(state) {
  const tools = toolsHash();
  const known = state.tools === tools ? state.modules : {};
  const sources = Object.fromEntries(folders.flatMap(sourceFiles).map((path) => [path, contentHash(path)]));
  const expected = new Set(Object.keys(sources).flatMap(outputsOf));
  const present = new Set(folders.flatMap((folder) => filesIn(join('dist', folder))));
  /** @param {string} output */
  const isMissing = (output) => state.sizes[output] === undefined || sizeOf(output) !== state.sizes[output];
  const changed = Object.keys(sources).filter(
    (path) => known[path] !== sources[path] || outputsOf(path).some(isMissing),
  );
  const stale = [...present].filter((path) => !expected.has(path));
  const pages = hasPages ? pagesHash(tools) : state.pages.source;
  const hasStalePages = state.pages.source !== pages || state.pages.files.some(isMissing);
  return { tools, known, sources, expected, changed, stale, pages, hasStalePages };
}

/** @param {string} path */
function sizeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** @param {string} folder */
function sourceFiles(folder) {
  return filesIn(folder).filter(
    (path) => isAsset(path) || (path.endsWith('.ts') && !path.endsWith('.d.ts') && !path.startsWith('src/dashboard/')),
  );
}

/** Pictures of the pages, which the service reads beside its modules. @param {string} path */
function isAsset(path) {
  return path.startsWith('src/http/pages/assets/');
}

/** A module that is built with the package that it exports, which an installation then lacks. @param {string} path */
function isInlined(path) {
  return path.endsWith('.inlined.ts');
}

/** @param {string} path */
function outputsOf(path) {
  const output = join('dist', path);
  return isAsset(path) ? [output] : [output.replace(/ts$/, 'js'), output.replace(/ts$/, 'js.map')];
}

/** With forward slashes, as esbuild has them. @param {string} folder @returns {string[]} */
function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** @param {string} path */
function contentHash(path) {
  return hash('sha1', readFileSync(path));
}

/** npm writes the first of these at each installation. esbuild reads tsconfig.json, too. */
function toolsHash() {
  const installed = ['node_modules/.package-lock.json', 'package-lock.json'].find((path) => existsSync(path));
  const files = [installed, 'tsconfig.json', 'scripts/build.js', 'scripts/build-dashboard.js'];
  return hash('sha1', [version, ...files.filter((path) => path !== undefined).map(contentHash)].join());
}

/** @param {string} tools */
function pagesHash(tools) {
  const files = [
    ...filesIn('src/dashboard').filter((path) => !path.endsWith('.d.ts')),
    'docs/openapi.json',
    'docs/moving.md',
  ];
  return hash('sha1', [tools, ...files.flatMap((path) => [path, contentHash(path)])].join());
}

/** @returns {State} */
function readState() {
  try {
    return { ...NOTHING_BUILT, ...JSON.parse(readFileSync(STATE_FILE, 'utf8')) };
  } catch {
    return NOTHING_BUILT;
  }
}

/** Never half a file: another process may read it. @param {string} path @param {string | Uint8Array} content */
function writeWhole(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${pid}.tmp`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}

/** @param {readonly string[]} paths */
async function compile(paths) {
  const { build } = await import('esbuild');
  for (const path of paths.filter(isAsset)) writeWhole(join('dist', path), readFileSync(path));
  /** @param {readonly string[]} modules @param {import('esbuild').BuildOptions} [options] */
  async function transpile(modules, options) {
    if (modules.length === 0) return;
    const { outputFiles } = await build({
      entryPoints: [...modules],
      outbase: '.',
      outdir: 'dist',
      format: 'esm',
      platform: 'node',
      sourcemap: true,
      sourcesContent: false,
      write: false,
      logLevel: 'error',
      ...options,
    });
    for (const { path, contents } of outputFiles ?? []) writeWhole(relative('.', path), contents);
  }
  await transpile(paths.filter((path) => !isAsset(path) && !isInlined(path)));
  await transpile(paths.filter(isInlined), { bundle: true, banner: { js: REQUIRE } });
}

/** One build at a time in this folder. The lock is that of a SQLite file, which ends with its process, however that ends. */
async function lock() {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  mkdirSync('dist', { recursive: true });
  const file = new DatabaseSync(LOCK_FILE);
  try {
    file.exec('PRAGMA busy_timeout = 200; BEGIN EXCLUSIVE');
  } catch {
    say('Another build is under way in this folder; waiting for it');
    file.exec(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}; BEGIN EXCLUSIVE`);
  }
  return file;
}

/** @param {string} text */
function say(text) {
  stderr.write(`${text} …\n`);
}

async function buildOutdated() {
  const state = readState();
  const { tools, known, sources, expected, changed, stale, pages, hasStalePages } = outdated(state);
  const kept = Object.entries(known).filter(([path]) => !changed.includes(path) && existsSync(path));
  // While it is under way nothing that changes counts as built.
  /** @type {State} */
  const next = {
    tools,
    modules: Object.fromEntries(kept),
    pages: state.tools === tools && !hasStalePages ? state.pages : NOTHING_BUILT.pages,
    sizes: state.sizes,
  };
  writeWhole(STATE_FILE, JSON.stringify(next));
  if (changed.length > 0) {
    say(`Building: ${changed.length} ${changed.length === 1 ? 'module' : 'modules'}`);
    await compile(changed);
  }
  for (const path of stale) rmSync(path, { force: true });
  // A file that was changed meanwhile, as by a change of branches, may have been compiled in either form.
  for (const path of changed) if (!existsSync(path) || contentHash(path) !== sources[path]) delete sources[path];
  next.modules = { ...next.modules, ...sources };
  if (hasPages && hasStalePages) {
    say('Building: the pages of the dashboard');
    const { buildDashboard } = await import('./build-dashboard.js');
    const files = await buildDashboard(writeWhole);
    next.pages = { source: pagesHash(tools) === pages ? pages : '', files };
  }
  const written = [...expected, ...next.pages.files].filter((path) => existsSync(path));
  next.sizes = { ...state.sizes, ...Object.fromEntries(written.map((path) => [path, sizeOf(path)])) };
  writeWhole(STATE_FILE, JSON.stringify(next));
}

/** For the tests and measurements that use them. Not their dependencies, which may be other versions than the service's. */
function linkTools() {
  const { dependencies } = JSON.parse(readFileSync('scripts/tools/package.json', 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const [target, link] = [join('scripts/tools/node_modules', name), join('dist/node_modules', name)];
    if (!existsSync(target) || existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    try {
      symlinkSync(relative(dirname(link), target), link, 'junction');
    } catch (error) {
      // Another build was faster.
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

/** @param {State} state */
function isCurrent(state) {
  const { tools, changed, stale, hasStalePages } = outdated(state);
  return state.tools === tools && changed.length + stale.length === 0 && !(hasPages && hasStalePages);
}

if (!existsSync('node_modules')) {
  stderr.write('The dependencies are missing: npm ci installs them.\n');
  exit(1);
}
if (!isCurrent(readState())) {
  const held = await lock();
  try {
    if (!isCurrent(readState())) await buildOutdated();
  } catch (error) {
    if (!Array.isArray(error.errors)) throw error;
    // esbuild has printed them, with file and line.
    exit(1);
  } finally {
    held.close();
  }
}
if (folders.includes('test')) linkTools();
