// Builds the dashboard: three pages (index.html, docs.html, guide.html) in dist/dashboard/, each text file with its
// compressed forms. `npm run dev` serves them with hot reload, in front of a running service.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { getIconData } from '@iconify/utils';
import react from '@vitejs/plugin-react';
import { defineConfig, runnerImport, transformWithOxc } from 'vite';

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, 'src/dashboard');
const TARGET = join(ROOT, 'dist/dashboard');
/** URL of the service that `npm run dev` uses. */
const SERVICE = `http://localhost:${env.PORT ?? 3000}`;
const ROUTES_OF_THE_SERVICE = ['/v1', '/auth', '/dashboard', '/assets', '/openapi.json', '/licenses', '/favicon.ico'];
/** Compression saves nothing for smaller files (src/platform/http/response/content-coding.ts). */
const MIN_CODED_BYTES = 2048;

export default defineConfig({
  root: FOLDER,
  plugins: [react(), virtualModules(), introductionOfDocs(), themeScript(), settingsOfService(), compressedFiles()],
  build: {
    outDir: TARGET,
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: ['index.html', 'docs.html', 'guide.html'].map((name) => join(FOLDER, name)),
      // One file for code that several pages share, instead of a dozen small files.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } },
    },
  },
  server: {
    proxy: Object.fromEntries(ROUTES_OF_THE_SERVICE.map((path) => [path, SERVICE])),
    strictPort: true,
  },
});

/** Modules that are generated from data: `import icons from 'virtual:icons'`. @returns {import('vite').Plugin} */
function virtualModules() {
  const modules = {
    'virtual:icons': icons,
    'virtual:migration': migration,
    'virtual:picture-parameters': pictureParameters,
  };
  return {
    name: 'virtual-modules',
    resolveId: (id) => (Object.hasOwn(modules, id) ? `\0${id}` : undefined),
    load: (id) => modules[id.slice(1)]?.(),
  };
}

/** Returns the icons of icons.json as JSX, which writes `stroke-width` as `strokeWidth`. */
async function icons() {
  const lucide = require('@iconify-json/lucide/icons.json');
  const names = JSON.parse(readFileSync(join(FOLDER, 'icons.json'), 'utf8'));
  const shapes = Object.entries(names).map(([name, lucideName]) => {
    const icon = getIconData(lucide, lucideName);
    if (!icon) throw new Error(`icons.json: Lucide has no icon "${lucideName}".`);
    const jsx = icon.body.replaceAll(/-(\w)(?=\w+=")/g, (_, letter) => letter.toUpperCase());
    return `${JSON.stringify(name)}: ${jsx}`;
  });
  const jsx = { runtime: 'automatic' };
  return transformWithOxc(`export default { ${shapes.join()} };`, 'icons.jsx', { jsx });
}

/** Returns the parameters of pictures by format or kind, from the API's document. */
function pictureParameters() {
  const { paths } = readDocument();
  const picked = [
    ...['svg', 'png', 'webp'].map((format) => [format, `/v1/${format}/{slug}`]),
    ['favicon', '/v1/favicon/{name}/{file}'],
    ['strip', '/v1/strip'],
  ].map(([name = '', path = '']) => {
    const { parameters, 'x-parameter-rules': rules = [] } = paths[path].get;
    return [name, { parameters, rules }];
  });
  return `export default ${JSON.stringify(Object.fromEntries(picked))};`;
}

/**
 * Returns the contents of the page about migration: the URLs of other services, which docs/openapi.json lists, and the
 * text of docs/migrate-from.md that follows its table of URLs.
 */
function migration() {
  const { paths } = readDocument();
  /** @type {Map<string, { address: string, here: string }[]>} */
  const services = new Map();
  for (const { get } of Object.values(paths)) {
    if (!get?.['x-replaces']) continue;
    const { service, ...replaced } = get['x-replaces'];
    services.set(service, [...(services.get(service) ?? []), replaced]);
  }
  const [, guide = ''] = readFileSync(join(ROOT, 'docs/migrate-from.md'), 'utf8').split('<!-- End. -->');
  const [, ...sections] = guide.split(/^## /m);
  const list = [...services].map(([name, addresses]) => ({ name, addresses }));
  const texts = sections.map((section) => {
    const [, title = '', text = ''] = /^(.*)\n([^]*)$/.exec(section) ?? [];
    return { title, text };
  });
  return `export const services = ${JSON.stringify(list)}; export const guide = ${JSON.stringify(texts)};`;
}

function readDocument() {
  return JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'));
}

/**
 * Renders the introduction of the reference into docs.html, so that /docs is painted before its scripts run. The service replaces
 * `{{origin}}`.
 * @returns {import('vite').Plugin}
 */
function introductionOfDocs() {
  return {
    name: 'introduction-of-docs',
    async transformIndexHtml(html) {
      if (!html.includes('{{introduction}}')) return html;
      const { module } = await runnerImport(join(FOLDER, 'docs/introduction.tsx'), {
        configFile: false,
        plugins: [react(), virtualModules()],
        logLevel: 'error',
      });
      const { createElement } = await import('react');
      const { renderToStaticMarkup } = await import('react-dom/server');
      const text = renderToStaticMarkup(
        createElement(module.Introduction, { info: readDocument().info, origin: '{{origin}}' }),
      );
      return html.replace('{{introduction}}', () => text);
    },
  };
}

/**
 * Emits the theme script. Vite only bundles modules, but this classic script must run before the first paint.
 * @returns {import('vite').Plugin}
 */
function themeScript() {
  return {
    name: 'theme-script',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'asset', name: 'theme-boot.js', source: readFileSync(join(FOLDER, 'theme-boot.js')) });
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const script = Object.values(bundle ?? {}).find(({ fileName }) => /theme-boot-[\w-]+\.js$/.test(fileName));
        if (!script) throw new Error('The script of the theme was not written.');
        return html.replace(/ (?:vite-ignore)? ?src="\.\/theme-boot\.js"/, ` src="/${script.fileName}"`);
      },
    },
  };
}

/** In development, fills the placeholders of the pages like the running service. @returns {import('vite').Plugin} */
function settingsOfService() {
  return {
    name: 'settings-of-service',
    apply: 'serve',
    async transformIndexHtml(html) {
      const page = await fetch(SERVICE, { headers: { Accept: 'text/html' } }).then((response) => response.text());
      const [, settings = '{}'] = /data-settings="([^"]*)"/.exec(page) ?? [];
      return html
        .replace('{{settings}}', () => settings)
        .replace('{{preloads}}', '')
        .replaceAll('{{origin}}', SERVICE);
    },
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (request.url?.split('?')[0] === '/docs') request.url = '/docs.html';
        next();
      });
    },
  };
}

/** Writes `file.br` and `file.gz` beside each style sheet, script and SVG. @returns {import('vite').Plugin} */
function compressedFiles() {
  return {
    name: 'compressed-files',
    apply: 'build',
    closeBundle() {
      const folder = join(TARGET, 'assets');
      for (const name of readdirSync(folder).filter((each) => /\.(?:css|js|svg)$/.test(each))) {
        const content = readFileSync(join(folder, name));
        if (content.length < MIN_CODED_BYTES) continue;
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params }));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}
