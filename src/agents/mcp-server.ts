// The tools as a server of the Model Context Protocol, implemented with the protocol's SDK.
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  JSONRPCRequestSchema,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { AppError } from '../platform/errors.js';
import type { Message } from './mcp-messages.js';
import { isToolName, TOOLS, type ToolCatalog, type ToolName } from './mcp-tools.js';

const INSTRUCTIONS =
  'Brand logos. Find the slug of a brand with search_icons or brand_by_domain. Then use get_icon to get its SVG, ' +
  'or get_icon_url to get a URL for a page. Logos are trademarks of their owners.';

/**
 * Schema of a tool call. The SDK's own schema is stricter, and the SDK answers a call that doesn't match it with an
 * internal error. This schema therefore accepts any arguments, and `callTool` checks them.
 */
const callSchema = z.object({
  method: z.literal('tools/call'),
  params: z.looseObject({
    name: z.unknown().optional(),
    arguments: z.unknown().optional(),
    task: z.unknown().optional(),
  }),
});

/**
 * Creates the server. If a tool call fails with an error that the model can't correct, calls `onFailure` with the error
 * and sends the client an internal error.
 */
export function toolServer(catalog: ToolCatalog, version: string, onFailure?: (error: unknown) => void): Server {
  const server = new Server(
    { name: 'blazon', title: 'Blazon', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: LISTED_TOOLS }));
  server.setRequestHandler(callSchema, async ({ params: { name, arguments: given = {}, task } }) => {
    if (!isToolName(name))
      throw new McpError(ErrorCode.InvalidParams, `Unknown tool. Use one of ${Object.keys(TOOLS).join(', ')}.`);
    if (task !== undefined)
      throw new McpError(ErrorCode.InvalidParams, 'This service does not support tasks. Call the tool without `task`.');
    try {
      return await callTool(name, given, catalog);
    } catch (error) {
      onFailure?.(error);
      throw new McpError(ErrorCode.InternalError, 'The tool failed. Try again later.');
    }
  });
  return server;
}

/**
 * Returns the response to one request, without a session. Rejects if a tool call fails with an error that the model
 * can't correct.
 */
export async function answerRequest(request: Message, catalog: ToolCatalog, version: string): Promise<JSONRPCMessage> {
  // Malformed messages are rejected here, because the SDK never answers them.
  const { success } = JSONRPCRequestSchema.safeParse(request);
  if (!success)
    return {
      jsonrpc: '2.0',
      id: request.id ?? '',
      error: { code: ErrorCode.InvalidRequest, message: 'The request is not valid. Correct its `params`.' },
    };
  const [client, server] = InMemoryTransport.createLinkedPair();
  let failure: { readonly error: unknown } | undefined;
  const connected = toolServer(catalog, version, (error) => (failure = { error }));
  await connected.connect(server);
  try {
    const response = await new Promise<JSONRPCMessage>((resolve, reject) => {
      client.onmessage = resolve;
      client.send(request as JSONRPCMessage).catch(reject);
    });
    if (failure) throw failure.error;
    return response;
  } finally {
    await connected.close();
  }
}

const LISTED_TOOLS = Object.entries(TOOLS).map(([name, { description, arguments: given }]) => ({
  name,
  description,
  inputSchema: { ...z.toJSONSchema(given, { io: 'input' }), type: 'object' as const },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
}));

/** Calls a tool. An error that the model can correct becomes the result. All other errors are thrown. */
async function callTool(name: ToolName, given: unknown, catalog: ToolCatalog): Promise<CallToolResult> {
  const failed = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });
  const tool = TOOLS[name];
  const parsed = tool.arguments.safeParse(given);
  if (!parsed.success) {
    return failed(problemOf(parsed.error, Object.keys(tool.arguments.shape)));
  }
  try {
    const { text, structured } = await tool.run(parsed.data as never, catalog);
    return { content: [{ type: 'text', text }], ...(structured && { structuredContent: structured }) };
  } catch (error) {
    if (error instanceof AppError && CORRECTABLE.has(error.code)) return failed(error.message);
    throw error;
  }
}

/** Returns the first problem of the arguments, with the name of the wrong argument. */
function problemOf({ issues: [issue] }: z.ZodError, known: readonly string[]): string {
  if (issue?.code === 'unrecognized_keys')
    return `${issue.keys[0] ?? ''}: unknown argument; allowed: ${known.join(', ') || 'none'}`;
  const [argument] = issue?.path ?? [];
  return argument === undefined
    ? 'arguments: must be a JSON object'
    : `${String(argument)}: ${issue?.message ?? 'wrong'}`;
}

const CORRECTABLE: ReadonlySet<AppError['code']> = new Set(['not_found', 'gone', 'invalid_request', 'unprocessable']);
