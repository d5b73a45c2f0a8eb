// The bundle of the dashboard: scripts and styles whose names are hashes of their content, each beside its compressed forms.
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const SOURCE = 'src/dashboard';
const TARGET = 'dist/dashboard';
/** Smaller files gain nothing (src/http/response/content-coding.ts). */
const MIN_CODED_BYTES = 2048;
/** Above this, the best quality of brotli takes ten seconds and more, for a tenth of the size. */
const LARGE_BYTES = 1024 * 1024;
const LARGE_FILE_QUALITY = 9;
/** Chunks that are loaded when a page is opened; they bear the name of the page. */
const PAGE = /^src\/dashboard\/pages\/([\w-]+)\.tsx$/;

/**
 * @param {(path: string, content: string | Uint8Array) => void} write
 * @returns {Promise<string[]>} the written files; all others are gone
 */
export async function buildDashboard(write) {
  // Two bundles: with one, what both share is cut into many small files.
  const bundles = [
    await bundle({ main: `${SOURCE}/main.tsx`, boot: `${SOURCE}/theme-boot.js` }),
    await bundle({ docs: `${SOURCE}/docs/main.tsx` }),
  ];
  /** @type {[string, string | Uint8Array][]} */
  const files = bundles.flatMap(({ outputFiles }) =>
    outputFiles.map(({ path, contents }) => [`${TARGET}/assets/${basename(path)}`, contents]),
  );
  const outputs = Object.assign({}, ...bundles.map(({ metafile }) => metafile.outputs));
  for (const [name, text] of documents(outputs)) files.push([`${TARGET}/${name}`, text]);
  files.push([`${TARGET}/assets/scalar-script.js`, await scalarScript()]);
  files.push(...(await Promise.all(files.map(encoded))).flat());
  for (const [path, content] of files) write(path, content);
  const written = files.map(([path]) => path);
  removeOthers(written);
  return written;
}

/** @param {Record<string, string>} entryPoints */
async function bundle(entryPoints) {
  const { build } = await import('esbuild');
  return build({
    entryPoints,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    outdir: `${TARGET}/assets`,
    publicPath: '/assets/',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    metafile: true,
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.svg': 'file', '.woff2': 'file' },
    plugins: [imageParameters()],
    logLevel: 'error',
  });
}

/** The package of Scalar gives its script to the route that it registers. */
async function scalarScript() {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  let found = '';
  const reply = { header: () => reply, send: (script) => void (found = script) };
  scalar(
    { route: ({ url, handler }) => url.endsWith('.js') && handler({}, reply) },
    { configuration: { url: '/openapi.json' } },
    () => undefined,
  );
  return found.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}

/** One list of the parameters of pictures, by format: that of the API's document. @returns {import('esbuild').Plugin} */
function imageParameters() {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const picked = ['svg', 'png', 'webp'].map((format) => {
    const { parameters, 'x-parameter-rules': rules } = paths[`/v1/${format}/{slug}`].get;
    return [format, { parameters, rules }];
  });
  return {
    name: 'image-parameters',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^virtual:image-parameters$/ }, ({ path }) => ({ path, namespace: 'virtual' }));
      onLoad({ filter: /./, namespace: 'virtual' }, () => ({
        contents: JSON.stringify(Object.fromEntries(picked)),
        loader: 'json',
      }));
    },
  };
}

/**
 * The two documents, and what each page loads beside them, as HTML for its head: the browser asks for all files at once,
 * where each would else name the next.
 * @param {import('esbuild').Metafile['outputs']} outputs
 */
function documents(outputs) {
  const byEntry = new Map(Object.entries(outputs).map(([path, { entryPoint }]) => [entryPoint ?? '', path]));
  /** @param {string} entry */
  const fileOf = (entry) => byEntry.get(entry) ?? '';
  /** @param {string} path @returns {string[]} */
  const withImports = (path) => [
    path,
    ...(outputs[path]?.imports ?? [])
      .filter(({ kind }) => kind === 'import-statement')
      .flatMap((each) => withImports(each.path)),
  ];
  /** @param {string} path */
  const address = (path) => `/assets/${basename(path)}`;
  /** @param {string} entry */
  function head(entry) {
    const [main = '', ...imported] = withImports(fileOf(entry));
    const style = outputs[main]?.cssBundle;
    return [
      `<script src="${address(fileOf(`${SOURCE}/theme-boot.js`))}"></script>`,
      ...(style === undefined ? [] : [`<link rel="stylesheet" href="${address(style)}">`]),
      ...[...new Set(imported)].map((path) => `<link rel="modulepreload" href="${address(path)}">`),
      `<script type="module" src="${address(main)}"></script>`,
    ].join('\n    ');
  }
  const ofAll = new Set(withImports(fileOf(`${SOURCE}/main.tsx`)));
  const preloads = [...byEntry].flatMap(([entry, path]) => {
    const name = PAGE.exec(entry)?.[1];
    if (name === undefined) return [];
    const more = [...new Set(withImports(path))].filter((each) => !ofAll.has(each));
    return [[name, more.map((each) => `<link rel="modulepreload" href="${address(each)}">`).join('\n    ')]];
  });
  const icon = Object.keys(outputs).find((path) => /\/blazon-\w+\.svg$/.test(path)) ?? '';
  return [
    ['index.html', `${SOURCE}/main.tsx`],
    ['docs.html', `${SOURCE}/docs/main.tsx`],
  ]
    .map(([name = '', entry = '']) => {
      const html = readFileSync(`${SOURCE}/${name}`, 'utf8');
      return [name, html.replace('{{icon}}', address(icon)).replace('{{head}}', head(entry))];
    })
    .concat([['preloads.json', JSON.stringify(Object.fromEntries(preloads))]]);
}

/**
 * `path.br` and `path.gz`, for text: what is compressed in itself (PNG, WebP, fonts) is left out.
 * @param {[string, string | Uint8Array]} file
 * @returns {Promise<[string, Uint8Array][]>}
 */
async function encoded([path, content]) {
  if (!/assets\/.*\.(?:css|js|svg)$/.test(path) || content.length < MIN_CODED_BYTES) return [];
  const quality = content.length > LARGE_BYTES ? LARGE_FILE_QUALITY : constants.BROTLI_MAX_QUALITY;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length, [constants.BROTLI_PARAM_QUALITY]: quality };
  return [
    [`${path}.br`, await promisify(brotliCompress)(content, { params })],
    [`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION })],
  ];
}

/** @param {readonly string[]} written */
function removeOthers(written) {
  for (const name of readdirSync(`${TARGET}/assets`))
    if (!written.includes(`${TARGET}/assets/${name}`)) rmSync(`${TARGET}/assets/${name}`, { force: true });
}
