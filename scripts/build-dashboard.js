// The bundle of the dashboard: scripts and styles whose names are hashes of their content, each beside its compressed forms.
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { getIconData } from '@iconify/utils';

const require = createRequire(import.meta.url);
const SOURCE = 'src/dashboard';
const TARGET = 'dist/dashboard';
/** Smaller files gain nothing (src/http/response/content-coding.ts). */
const MIN_CODED_BYTES = 2048;

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
  /** @type {import('esbuild').Metafile} */
  const metafile = {
    inputs: Object.assign({}, ...bundles.map(({ metafile }) => metafile.inputs)),
    outputs: Object.assign({}, ...bundles.map(({ metafile }) => metafile.outputs)),
  };
  const introduction = await introductionOfDocs();
  for (const [name, text] of documents(metafile, introduction)) files.push([`${TARGET}/${name}`, text]);
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
    plugins: [
      virtualModule('picture-parameters', pictureParameters()),
      virtualModule('moving', moving()),
      virtualModule('icons', icons()),
    ],
    logLevel: 'error',
  });
}

/** @param {string} name @param {import('esbuild').OnLoadResult} module @returns {import('esbuild').Plugin} */
function virtualModule(name, module) {
  return {
    name,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^virtual:${name}$`) }, ({ path }) => ({ path, namespace: name }));
      onLoad({ filter: /./, namespace: name }, () => ({ ...module, resolveDir: resolve(SOURCE) }));
    },
  };
}

/** The icons of src/dashboard/icons.json as JSX, in which `stroke-width` is `strokeWidth`. */
function icons() {
  const lucide = require('@iconify-json/lucide/icons.json');
  const names = JSON.parse(readFileSync(`${SOURCE}/icons.json`, 'utf8'));
  const shapes = Object.entries(names).map(([name, lucideName]) => {
    const icon = getIconData(lucide, lucideName);
    if (!icon) throw new Error(`${SOURCE}/icons.json: Lucide has no icon "${lucideName}".`);
    const jsx = icon.body.replaceAll(/-(\w)(?=\w+=")/g, (_, letter) => letter.toUpperCase());
    return `${JSON.stringify(name)}: ${jsx}`;
  });
  return { contents: `export default { ${shapes.join()} };`, loader: 'jsx' };
}

/** One list of the parameters of pictures, by format or kind: that of the API's document. */
function pictureParameters() {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const picked = [
    ...['svg', 'png', 'webp'].map((format) => [format, `/v1/${format}/{slug}`]),
    ['favicon', '/v1/favicon/{name}/{file}'],
    ['strip', '/v1/strip'],
  ].map(([name = '', path = '']) => {
    const { parameters, 'x-parameter-rules': rules = [] } = paths[path].get;
    return [name, { parameters, rules }];
  });
  return { contents: JSON.stringify(Object.fromEntries(picked)), loader: 'json' };
}

/** Addresses of other services, by those of the API's document, and what docs/moving.md says after its own table of them. */
function moving() {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  /** @type {Map<string, { address: string, here: string }[]>} */
  const services = new Map();
  for (const { get } of Object.values(paths)) {
    if (!get?.['x-replaces']) continue;
    const { service, ...replaced } = get['x-replaces'];
    services.set(service, [...(services.get(service) ?? []), replaced]);
  }
  const [, guide = ''] = readFileSync('docs/moving.md', 'utf8').split('<!-- End. -->');
  const [, ...sections] = guide.split(/^## /m);
  const contents = {
    services: [...services].map(([name, addresses]) => ({ name, addresses })),
    guide: sections.map((section) => {
      const [, title = '', text = ''] = /^(.*)\n([^]*)$/.exec(section) ?? [];
      return { title, text };
    }),
  };
  return { contents: JSON.stringify(contents), loader: 'json' };
}

/**
 * The introduction of the reference as HTML, so that /docs is painted before its scripts have run. `{{origin}}` is the service's,
 * which knows it.
 */
async function introductionOfDocs() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { renderToStaticMarkup } from 'react-dom/server';
        import { Introduction } from './introduction.js';
        export const render = (info) => renderToStaticMarkup(<Introduction info={info} origin="{{origin}}" />);`,
      loader: 'jsx',
      resolveDir: `${SOURCE}/docs`,
    },
    bundle: true,
    external: ['react', 'react-dom'],
    format: 'cjs',
    platform: 'node',
    jsx: 'automatic',
    write: false,
    plugins: [virtualModule('icons', icons())],
    logLevel: 'error',
  });
  /** @type {{ exports: { render?: (info: object) => string } }} */
  const module = { exports: {} };
  new Function('require', 'module', outputFiles[0]?.text ?? '')(require, module);
  if (!module.exports.render) throw new Error('The introduction of the reference was not built.');
  return module.exports.render(JSON.parse(readFileSync('docs/openapi.json', 'utf8')).info);
}

/**
 * The two documents, and what each page loads beside them, as HTML for its head: the browser asks for all files at once,
 * where each would else name the next.
 * @param {import('esbuild').Metafile} metafile
 * @param {string} introduction
 */
function documents({ inputs, outputs }, introduction) {
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
  // A page's own chunk, and those that the page imports lazily, such as the usage page's chart.
  const pages = (inputs[`${SOURCE}/app.tsx`]?.imports ?? []).filter(({ path }) => path.startsWith(`${SOURCE}/pages/`));
  const preloads = pages.map(({ path: module }) => {
    const lazy = inputs[module]?.imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path) ?? [];
    const chunks = [module, ...lazy].flatMap((entry) => byEntry.get(entry) ?? []);
    const more = [...new Set(chunks.flatMap(withImports))].filter((each) => !ofAll.has(each));
    const elements = more.map((each) => `<link rel="modulepreload" href="${address(each)}">`).join('\n    ');
    return [basename(module).replace(/\.tsx?$/, ''), elements];
  });
  const icon = Object.keys(outputs).find((path) => /\/blazon-\w+\.svg$/.test(path)) ?? '';
  return [
    ['index.html', `${SOURCE}/main.tsx`],
    ['docs.html', `${SOURCE}/docs/main.tsx`],
  ]
    .map(([name = '', entry = '']) => {
      const html = readFileSync(`${SOURCE}/${name}`, 'utf8');
      return [
        name,
        html
          .replaceAll('{{icon}}', address(icon))
          .replace('{{head}}', head(entry))
          // A function: `$` in the text is no pattern.
          .replace('{{introduction}}', () => introduction),
      ];
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
  const hint = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
  return [
    [`${path}.br`, await promisify(brotliCompress)(content, hint)],
    [`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION })],
  ];
}

/** @param {readonly string[]} written */
function removeOthers(written) {
  for (const name of readdirSync(`${TARGET}/assets`))
    if (!written.includes(`${TARGET}/assets/${name}`)) rmSync(`${TARGET}/assets/${name}`, { force: true });
}
