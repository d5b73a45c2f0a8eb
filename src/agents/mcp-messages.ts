// The request body of `POST /mcp`: one message of the Model Context Protocol
// (https://modelcontextprotocol.io/specification).
import { z } from 'zod';
import { isToolName, type ToolName } from './mcp-tools.js';

/**
 * Protocol versions that the SDK supports, the newest first. They are copied from the SDK, because loading it takes a
 * third of a second.
 */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

const ID_RULE = 'a whole number less than 2^53, or 1 to 200 printable ASCII characters';
const METHOD_RULE = '1 to 100 letters, "_", "/" and "-"';

/** Schema of a request or a notification. A response does not match, because the server sends no requests. */
export const messageSchema = z.strictObject({
  jsonrpc: z.literal('2.0', { error: 'must be "2.0"' }).meta({ allowed: '2.0' }),
  id: z
    .union([z.int(), z.string().regex(/^[\x20-\x7e]{1,200}$/, { error: `must be ${ID_RULE}` })], {
      error: `must be ${ID_RULE}`,
    })
    .optional()
    .meta({
      description: 'ID of the request. A message without an ID is a notification.',
      allowed: ID_RULE,
      example: 1,
    }),
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
      description: 'For `tools/call`: the `name` of the tool and its `arguments`, as described by `tools/list`.',
      allowed: 'a JSON object',
      example: { name: 'search_icons', arguments: { query: 'git', limit: 5 } },
    }),
});
export type Message = z.output<typeof messageSchema>;

export function calledTool({ method, params }: Message): ToolName | undefined {
  const name = method === 'tools/call' ? params?.name : undefined;
  return isToolName(name) ? name : undefined;
}
