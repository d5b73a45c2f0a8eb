// Clients of other projects: the command `shadcn` loads the registry, and the SDK of the Model Context Protocol
// connects to /mcp.
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { build } from 'esbuild';
import { withBrowser } from '../support/browser.js';
import { runCli } from '../support/cli.js';
import { ROOT } from '../support/service-process.js';
import { suiteServer } from '../support/server.js';
import { temporaryDir } from '../support/temporary.js';

const run = promisify(execFile);
const TOOLS = join(ROOT, 'node_modules');
const MODULES = ['react', 'react-dom', 'scheduler', '@types/react', '@types/react-dom', 'csstype'];

const FILES = (base: string): Readonly<Record<string, string>> => ({
  'package.json': JSON.stringify({ name: 'fixture', private: true, type: 'module', dependencies: { react: '*' } }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ module: 'ESNext', moduleResolution: 'bundler', target: 'ES2022', jsx: 'react-jsx', noEmit: true },
      ...{ strict: true, skipLibCheck: true, paths: { '@/*': ['./src/*'] } },
    },
    include: ['src'],
  }),
  'components.json': JSON.stringify({
    ...{ style: 'new-york', rsc: false, tsx: true },
    tailwind: { config: '', css: 'src/index.css', baseColor: 'neutral', cssVariables: true },
    aliases: { components: '@/components', utils: '@/lib/utils' },
    registries: { '@blazon': { url: `${base}/r/{name}.json`, headers: { 'X-API-Key': '${BLAZON_API_KEY}' } } },
  }),
  'src/index.css': '',
  'src/main.tsx': [
    "import { createRoot } from 'react-dom/client';",
    "import Github from '@/components/logos/Github';",
    "createRoot(document.body).render(<Github width={64} height={64} className='logo' />);",
  ].join('\n'),
});

/** Serves the colors that `shadcn` normally loads from its own website. */
async function startColors(): Promise<{ readonly url: string; readonly close: () => void }> {
  const modes = { light: {}, dark: {} };
  const colors = { inlineColors: modes, cssVars: modes, inlineColorsTemplate: '', cssVarsTemplate: '' };
  const site = createServer((_, response) => response.end(JSON.stringify(colors)));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/r`, close: () => site.close() };
}

describe('programs of developers', function () {
  const browser = withBrowser();
  const server = suiteServer();
  const project = temporaryDir();
  after(() => project.remove());

  it('shadcn adds components, which compile and have the color of the text', async function () {
    this.timeout(120_000);
    const key = await server.key();
    for (const [path, text] of Object.entries(FILES(server.base))) {
      mkdirSync(dirname(join(project.path, path)), { recursive: true });
      writeFileSync(join(project.path, path), text);
    }
    for (const name of MODULES) {
      const link = join(project.path, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), link);
    }
    const colors = await startColors();
    const shadcn = join(TOOLS, 'shadcn/dist/index.js');
    const env = { ...process.env, BLAZON_API_KEY: key, REGISTRY_URL: colors.url };
    await run(process.execPath, [shadcn, 'add', '@blazon/github', '@blazon/figma-mono', '--yes'], {
      ...{ cwd: project.path, env },
    }).finally(colors.close);
    const { stdout } = await run(process.execPath, [shadcn, 'search', '@blazon', '--query', 'github'], {
      ...{ cwd: project.path, env },
    });
    expect(stdout).to.include('@blazon/github');
    const icons = join(project.path, 'src/icons');
    const words = ['stripe', '--format', 'react', '--dir', icons, '--url', server.base, '--key', key];
    expect(await runCli('add', words, {})).to.include({ status: 0, stderr: '' });
    writeFileSync(
      join(project.path, 'src/added.tsx'),
      "import Stripe from './icons/Stripe';\nexport const added = <Stripe height={64} />;\n",
    );
    await run(process.execPath, [join(TOOLS, 'typescript/bin/tsc')], { cwd: project.path });

    const { outputFiles } = await build({
      ...{ entryPoints: [join(project.path, 'src/main.tsx')], bundle: true, write: false, format: 'iife' },
      ...{ jsx: 'automatic', absWorkingDir: project.path, alias: { '@': join(project.path, 'src') } },
    });
    for (const [scheme, color] of [
      ['light', 'rgb(0, 0, 0)'],
      ['dark', 'rgb(255, 255, 255)'],
    ] as const) {
      const page = await browser().newPage({ colorScheme: scheme });
      await page.setContent('<style>:root { color-scheme: light dark; color: CanvasText }</style><body></body>');
      await page.addScriptTag({ content: outputFiles[0]!.text });
      await page.locator('svg.logo path').first().waitFor();
      const fill = "getComputedStyle(document.querySelector('svg.logo path')).fill";
      expect(await page.evaluate(fill), scheme).to.equal(color);
      await page.close();
    }
  });

  it("the protocol's client calls every tool", async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const headers = { Authorization: `Bearer ${await server.key()}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.base}/mcp`), { requestInit: { headers } }),
    );
    const given: Readonly<Record<string, Record<string, unknown>>> = {
      search_icons: { query: 'github' },
      brand_by_domain: { domain: 'github.com' },
      list_categories: {},
    };
    const { tools } = await client.listTools();
    expect(tools).to.have.length(6);
    for (const { name } of tools) {
      const { isError, content } = await client.callTool({ name, arguments: given[name] ?? { slug: 'github' } });
      expect(isError, name).to.equal(undefined);
      expect(content, name).to.be.an('array').with.length(1);
    }
    expect(await client.callTool({ name: 'get_icon', arguments: { slug: 'nothing' } })).to.include({ isError: true });
    await client.close();
  });

  it("the protocol's client works in a page of another origin, and so does a change of an own brand", async () => {
    const site = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html>'));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const { outputFiles } = await build({
      stdin: {
        contents: `
          import { Client } from '@modelcontextprotocol/sdk/client/index.js';
          import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
          globalThis.sdk = { Client, StreamableHTTPClientTransport };`,
        resolveDir: ROOT,
      },
      ...{ bundle: true, write: false, format: 'iife', platform: 'browser' },
    });
    const page = await browser().newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.addScriptTag({ content: outputFiles[0]!.text });
    const found: unknown = await page.evaluate(`(async () => {
      const [base, key] = ${JSON.stringify([server.base, await server.key()])};
      const client = new sdk.Client({ name: 'page', version: '1.0.0' });
      const requestInit = { headers: { Authorization: 'Bearer ' + key, 'Mcp-Session-Id': 'none', 'Last-Event-ID': '1' } };
      await client.connect(new sdk.StreamableHTTPClientTransport(new URL(base + '/mcp'), { requestInit }));
      const { tools } = await client.listTools();
      await client.close();
      const send = (method, body) =>
        fetch(base + '/v1/brands/acme', {
          method,
          headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'If-None-Match': '"none"' },
          body: body && JSON.stringify(body),
        });
      const answers = [await send('PUT', { title: 'Acme' }), await send('PATCH', { title: 'Acme Inc.' }), await send('DELETE')];
      return [tools.length, ...answers.map(({ status }) => status)];
    })()`);
    expect(found).to.deep.equal([6, 201, 200, 204]);
    await page.close();
    site.close();
  });
});
