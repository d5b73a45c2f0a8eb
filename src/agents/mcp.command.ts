// Command `blazon mcp`: a server of the Model Context Protocol on stdin and stdout, with the bundled catalog.
import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Option } from 'commander';
import { bundledCatalog } from '../catalog/sources/bundle-folder.js';
import { openBundledTools } from './bundled-tools.js';
import { packageVersion } from '../platform/package-version.js';
import { toolServer } from './mcp-server.js';
import { addressIn, fail, type Command } from '../platform/command-line/command.js';

export default {
  options: [
    new Option('--url <address>', 'service to use in the URLs that get_icon_url returns').default(
      'http://localhost:3000',
    ),
  ],
  json: false,
  run: serve,
} satisfies Command;

async function serve({ url }: { readonly url: string }): Promise<void> {
  addressIn(url);
  const bundle =
    bundledCatalog() ??
    fail('A clone of the repository has no bundled catalog. Use the npm package, or POST /mcp of a running service.');
  const catalog = await openBundledTools(bundle, url.replace(/(?<!\/)\/+$/, ''));
  const server = toolServer(catalog, packageVersion(), (error) => warn(`A tool failed: ${String(error)}`));
  server.onerror = () => warn('A line of the input is not a JSON-RPC message.');
  await server.connect(new StdioServerTransport());
  // The SDK's transport doesn't notice the end of stdin.
  await once(process.stdin, 'end');
}

/**
 * Writes a line to stderr. Listeners of stdin must not use `printError`, because they run outside the context of the
 * command.
 */
function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}
