// Calls from a command to an untrusted service. The response size is limited, a schema validates the body, and errors
// are printed as one line.
import { z } from 'zod';
import { reasonOf, shortened } from '../errors.js';
import { fail } from './command.js';

export interface ServiceAddress {
  readonly url: URL;
  readonly key: string;
}

interface ServiceCall {
  readonly method?: 'POST' | 'PUT';
  readonly body?: Pick<RequestInit, 'body'>['body'];
  readonly mediaType?: string;
  readonly timeoutMs?: number;
  /** Maximum size of the decompressed response in bytes. */
  readonly maxBytes: number;
}

const TIMEOUT_MS = 30_000;
const MAX_MESSAGE_CHARACTERS = 500;
/**
 * Characters allowed in a header. Keys with other characters are rejected before `fetch`, because the error of `fetch`
 * would contain the whole key.
 */
const KEY = /^[\x21-\x7e]+$/;

const errorSchema = z.object({ message: z.string() });

/** Returns the body of a 2xx response. Fails for other statuses. */
export async function callService(
  { url, key }: ServiceAddress,
  path: string,
  { method, body, mediaType, timeoutMs = TIMEOUT_MS, maxBytes }: ServiceCall,
): Promise<string> {
  if (!KEY.test(key)) fail('--key: the value has characters that no key contains. Copy the key again.');
  const failed = (error: unknown): never => fail(`--url: ${url.origin} does not respond (${reasonOf(error)}).`);
  const answer = await fetch(new URL(path, url), {
    ...(method !== undefined && { method }),
    ...(body !== undefined && { body }),
    headers: { 'X-API-Key': key, ...(mediaType !== undefined && { 'Content-Type': mediaType }) },
    // A redirect could send the key to another server.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(failed);
  const text = await readBounded(answer, maxBytes).catch(failed);
  if (text === undefined) return fail(`${url.origin} sent more than ${maxBytes} bytes.`);
  if (answer.ok) return text;
  const parsed = errorSchema.safeParse(parseJson(text));
  const message = parsed.success ? `: ${shortened(parsed.data.message, MAX_MESSAGE_CHARACTERS)}` : '.';
  return fail(`${url.origin} responded with ${answer.status}${message}`);
}

/** Parses the body. Fails if the body does not match the schema, because the server is then not a Blazon service. */
export function parseAnswer<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  { url }: ServiceAddress,
): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = shortened(issue?.path.join('.') ?? '', 100);
  return fail(
    `${url.origin} did not respond like a Blazon service ` +
      `(${place === '' ? 'no JSON object' : `${place}: ${issue?.message ?? ''}`}).`,
  );
}

async function readBounded(answer: Response, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // If the loop ends early, the connection is closed.
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
