// Build step of the dashboard: the types of the API from its document, the bundle, and its compressed copies.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { build, type Manifest, type Plugin } from 'vite';
import { encodeFiles } from './encode-files.js';

const root = new URL('../../', import.meta.url); // from dist/scripts/
const source = fileURLToPath(new URL('src/dashboard/', root));
const target = fileURLToPath(new URL('dist/dashboard/', root));
const document = JSON.parse(readFileSync(new URL('docs/openapi.json', root), 'utf8')) as OpenAPI3;

/** All but the entries themselves, and what only the reference needs. */
const OF_EVERY_PAGE = /(?<!\/(?:main|reference))\.(?:tsx?|m?js)$/;
/** What pages share, but for what brings the dialogs with it. */
const OF_MANY_PAGES =
  /\/(?:node_modules\/(?:lucide-react|@tanstack\/(?:react-query|query-core))|src\/dashboard\/(?:hooks|data|components\/(?!confirm|dialog|expired|publishable|toast)|\w+\.ts))/;
/** Few files: each costs the browser more than its bytes do. */
const CHUNKS = [
  { name: 'shell', tags: ['$initial' as const], test: OF_EVERY_PAGE },
  { name: 'parts', minShareCount: 2, test: OF_MANY_PAGES },
  { name: 'dialogs', minShareCount: 3, test: /\/src\/dashboard\/components\/(?:confirm|dialog|toaster)\.tsx?$/ },
];

/** One list of the parameters of pictures, by format: that of the API's document. */
function imageParameters(): Plugin {
  const id = 'virtual:image-parameters';
  const picked = Object.fromEntries(
    ['svg', 'png', 'webp'].map((format) => {
      const { get: operation } = document.paths?.[`/v1/${format}/{slug}`] as {
        readonly get: { readonly parameters: unknown; readonly 'x-parameter-rules': unknown };
      };
      return [format, { parameters: operation.parameters, rules: operation['x-parameter-rules'] }];
    }),
  );
  return {
    name: 'image-parameters',
    resolveId: (wanted) => (wanted === id ? `\0${id}` : undefined),
    load: (loaded) => (loaded === `\0${id}` ? `export default ${JSON.stringify(picked)}` : undefined),
  };
}

/** A classic script in the head, which runs before the first paint: a page in another theme must not flash. */
function themeScript(): Plugin {
  const code = readFileSync(`${source}theme-boot.js`, 'utf8');
  let reference = '';
  return {
    name: 'theme-script',
    buildStart() {
      reference = this.emitFile({ type: 'asset', name: 'boot.js', source: code });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const asset = Object.values(bundle ?? {}).find(({ fileName }) => /\/boot-[\w-]+\.js$/.test(fileName));
        return [{ tag: 'script', attrs: { src: `/${asset?.fileName ?? reference}` }, injectTo: 'head-prepend' }];
      },
    },
  };
}

async function writeTypes(): Promise<void> {
  const types = astToString(await openapiTS(structuredClone(document)));
  writeFileSync(`${source}api/openapi.d.ts`, `// Types of the API, made of docs/openapi.json by the build.\n${types}`);
}

async function bundle(): Promise<void> {
  mkdirSync(target, { recursive: true });
  await build({
    root: source,
    configFile: false,
    logLevel: 'warn',
    plugins: [imageParameters(), themeScript()],
    build: {
      outDir: target,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      manifest: 'manifest.json',
      // The policy of the pages allows pictures of this origin.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: { index: `${source}index.html`, docs: `${source}docs.html` },
        onLog: () => undefined,
        output: { codeSplitting: { groups: CHUNKS } },
      },
    },
  });
  writePreloads();
  await encodeFiles(target);
}

/**
 * What each page loads beside the document's own files, as HTML for its head: the browser asks for all files at once,
 * where each would else name the next.
 */
function writePreloads(): void {
  const manifest = JSON.parse(readFileSync(`${target}manifest.json`, 'utf8')) as Manifest;
  const ofAll = new Set(withImports(manifest, 'index.html'));
  const pages = Object.keys(manifest).flatMap((key) => /^pages\/([\w-]+)\.tsx$/.exec(key)?.slice(0, 2) ?? []);
  const preloads: Record<string, string> = {};
  for (let at = 0; at < pages.length; at += 2) {
    const [key = '', name = ''] = pages.slice(at);
    preloads[name] = withImports(manifest, key)
      .filter((file) => !ofAll.has(file))
      .map((file) =>
        file.endsWith('.css')
          ? `<link rel="stylesheet" crossorigin href="/${file}">`
          : `<link rel="modulepreload" crossorigin href="/${file}">`,
      )
      .join('\n    ');
  }
  writeFileSync(`${target}preloads.json`, JSON.stringify(preloads));
}

/** Scripts and styles of a chunk and of all that it imports statically. */
function withImports(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  const chunk = manifest[key];
  if (!chunk || seen.has(key)) return [];
  seen.add(key);
  const own = [chunk.file, ...(chunk.css ?? [])];
  return [...new Set([...own, ...(chunk.imports ?? []).flatMap((each) => withImports(manifest, each, seen))])];
}

await writeTypes();
if (!process.argv.includes('--types')) await bundle();
