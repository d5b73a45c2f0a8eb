// Command `blazon mcp`: the Model Context Protocol on stdin and stdout, a message a line, from the bundled catalog.
import { createInterface } from 'node:readline';
import { Option } from 'commander';
import { bundledCatalog } from '../compose/bundled-catalog.js';
import { openBundledTools } from '../compose/bundled-tools.js';
import { packageVersion } from '../package-version.js';
import { answerMessage, messageSchema } from '../services/mcp/messages.js';
import type { ToolCatalog } from '../services/mcp/tools.js';
import { addressIn, fail, print, type Command } from './command.js';

const MAX_LINE_CHARACTERS = 1_000_000;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

export default {
  options: [
    new Option('--url <address>', 'service whose addresses get_icon_url returns').default('http://localhost:3000'),
  ],
  json: false,
  run: serve,
} satisfies Command;

async function serve({ url }: { readonly url: string }): Promise<void> {
  addressIn(url);
  const bundle =
    bundledCatalog() ??
    fail('This installation has no bundled catalog, since it is a clone; use the package, or POST /mcp of a service.');
  const catalog = await openBundledTools(bundle, url.replace(/(?<!\/)\/+$/, ''));
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const answer = await answerLine(line, catalog);
    if (answer !== undefined) print(JSON.stringify(answer));
  }
}

async function answerLine(line: string, catalog: ToolCatalog): Promise<object | undefined> {
  if (line.length > MAX_LINE_CHARACTERS) return problem(INVALID_REQUEST, 'The message is too long.');
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return problem(PARSE_ERROR, 'The line is not valid JSON.');
  }
  const parsed = messageSchema.safeParse(value);
  if (!parsed.success) return problem(INVALID_REQUEST, 'This is no message of JSON-RPC 2.0.');
  return (await answerMessage(parsed.data, catalog, packageVersion())).message;
}

function problem(code: number, message: string): object {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}
