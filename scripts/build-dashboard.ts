// Build step of the dashboard: the types of the API from its document, the bundle, and its compressed copies.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { build, type Plugin } from 'vite';
import { encodeFiles } from './encode-files.js';

const root = new URL('../../', import.meta.url); // from dist/scripts/
const source = fileURLToPath(new URL('src/dashboard/', root));
const target = fileURLToPath(new URL('dist/dashboard/', root));
const document = JSON.parse(readFileSync(new URL('docs/openapi.json', root), 'utf8')) as OpenAPI3;

/** One list of the parameters of pictures: that of the API's document. */
function imageParameters(): Plugin {
  const id = 'virtual:image-parameters';
  const { get: operation } = document.paths?.['/v1/webp/{slug}'] as {
    readonly get: { readonly parameters: unknown; readonly 'x-parameter-rules': unknown };
  };
  const picked = { parameters: operation.parameters, rules: operation['x-parameter-rules'] };
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
      // The policy of the pages allows pictures of this origin.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: { index: `${source}index.html`, docs: `${source}docs.html` },
        onLog: () => undefined,
      },
    },
  });
  await encodeFiles(target);
}

await writeTypes();
if (!process.argv.includes('--types')) await bundle();
