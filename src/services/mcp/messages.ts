// Messages of the Model Context Protocol (JSON-RPC 2.0; https://modelcontextprotocol.io/specification), without any state.
import { z } from 'zod';
import { AppError } from '../../errors.js';
import { isToolName, TOOLS, type ToolCatalog, type ToolName } from './tools.js';

/** The newest first. */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

const INSTRUCTIONS =
  'Logos of brands. Find a slug by search_icons or brand_by_domain; then get_icon returns its SVG, get_icon_url an address for pages. ' +
  'Logos are trademarks of their owners.';

const ID_RULE = 'a whole number below 2^53, or 1 to 200 printable ASCII characters';
const METHOD_RULE = '1 to 100 letters, "_", "/" and "-"';

/** One message. Answers of a client have no place here: nothing is asked of it. */
export const messageSchema = z.strictObject({
  jsonrpc: z.literal('2.0', { error: 'must be "2.0"' }).meta({ allowed: '2.0' }),
  id: z
    .union([z.int(), z.string().regex(/^[\x20-\x7e]{1,200}$/, { error: `must be ${ID_RULE}` })], {
      error: `must be ${ID_RULE}`,
    })
    .optional()
    .meta({ description: 'Without one, the message is a notification.', allowed: ID_RULE, example: 1 }),
  method: z
    .string({ error: 'must be text' })
    .regex(/^[\w/-]{1,100}$/, { error: `must be ${METHOD_RULE}` })
    .meta({
      description: '`initialize`, `ping`, `tools/list`, `tools/call`, or a notification.',
      allowed: METHOD_RULE,
      example: 'tools/call',
    }),
  params: z
    .looseObject({}, { error: 'must be a JSON object' })
    .optional()
    .meta({
      description: 'For `tools/call`: `name` of the tool, and its `arguments` as `tools/list` describes them.',
      allowed: 'a JSON object',
      example: { name: 'search_icons', arguments: { query: 'git', limit: 5 } },
    }),
});
export type Message = z.output<typeof messageSchema>;

export interface Answer {
  /** Undefined: the message is a notification. */
  readonly message: object | undefined;
  /** A tool could not do what it was called for. */
  readonly isError?: true;
}

/** The tool that a message calls. */
export function calledTool({ method, params }: Message): ToolName | undefined {
  const name = method === 'tools/call' ? params?.name : undefined;
  return isToolName(name) ? name : undefined;
}

/** Rejects as the catalog does, but for AppErrors that name something wrong in the arguments. */
export async function answerMessage(message: Message, catalog: ToolCatalog, version: string): Promise<Answer> {
  const { id, method, params } = message;
  if (id === undefined) return { message: undefined };
  const result = (value: object): Answer => ({ message: { jsonrpc: '2.0', id, result: value } });
  const error = (code: number, text: string): Answer => ({
    message: { jsonrpc: '2.0', id, error: { code, message: text } },
  });
  switch (method) {
    case 'initialize':
      return result({
        protocolVersion: PROTOCOL_VERSIONS.find((known) => known === params?.protocolVersion) ?? PROTOCOL_VERSIONS[0],
        capabilities: { tools: {} },
        serverInfo: { name: 'blazon', title: 'Blazon', version },
        instructions: INSTRUCTIONS,
      });
    case 'ping':
      return result({});
    case 'tools/list':
      return result({ tools: LISTED_TOOLS });
    case 'tools/call': {
      const name = params?.name;
      if (!isToolName(name)) return error(INVALID_PARAMS, `Unknown tool; there are ${Object.keys(TOOLS).join(', ')}.`);
      const answer = await callTool(name, params?.arguments ?? {}, catalog);
      return { ...result(answer), ...(answer.isError && { isError: true }) };
    }
    default:
      return error(METHOD_NOT_FOUND, 'There is no such method.');
  }
}

const LISTED_TOOLS = Object.entries(TOOLS).map(([name, { description, arguments: given }]) => ({
  name,
  description,
  inputSchema: z.toJSONSchema(given, { io: 'input' }),
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
}));

interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
}

/** Errors that a model can mend are its result; others are thrown. */
async function callTool(name: ToolName, given: unknown, catalog: ToolCatalog): Promise<ToolResult> {
  const failed = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true });
  const tool = TOOLS[name];
  const parsed = tool.arguments.safeParse(given);
  if (!parsed.success) {
    return failed(problemOf(parsed.error, Object.keys(tool.arguments.shape)));
  }
  try {
    const { text, structured } = await tool.run(parsed.data as never, catalog);
    return { content: [{ type: 'text', text }], ...(structured && { structuredContent: structured }) };
  } catch (error) {
    if (error instanceof AppError && MENDABLE.has(error.code)) return failed(error.message);
    throw error;
  }
}

/** The first problem, by the name of its argument. */
function problemOf({ issues: [issue] }: z.ZodError, known: readonly string[]): string {
  if (issue?.code === 'unrecognized_keys')
    return `${issue.keys[0] ?? ''}: unknown argument; allowed: ${known.join(', ') || 'none'}`;
  const [argument] = issue?.path ?? [];
  return argument === undefined
    ? 'arguments: must be a JSON object'
    : `${String(argument)}: ${issue?.message ?? 'wrong'}`;
}

const MENDABLE: ReadonlySet<AppError['code']> = new Set(['not_found', 'gone', 'invalid_request', 'unprocessable']);
