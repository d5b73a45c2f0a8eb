// HTTP answers as bytes: status, fields and body, framed as RFC 9112 (section 6.3) says.

export interface Answer {
  readonly status: number;
  /** Names in lower case; the values of repeated fields in order. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly head: string;
  readonly body: Buffer;
  /** All of it has come. */
  readonly isComplete: boolean;
}

export interface Answers {
  readonly answers: readonly Answer[];
  /** Bytes that follow the last answer, or are no HTTP. */
  readonly rest: Buffer;
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d)(?: [^\r\n]*)?$/;
const HEAD_END = '\r\n\r\n';

/** `methods`: of the requests, in order. Bytes after an answer without a body belong to the next, or to `rest`. */
export function readAnswers(bytes: Buffer, methods: readonly string[], hasEnded: boolean): Answers {
  const answers: Answer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const answer = readOne(bytes.subarray(at), methods[answers.length] ?? 'GET', hasEnded);
    if (!answer) break;
    at += answer.length;
    if (answer.status >= 200) answers.push(answer);
  }
  return { answers, rest: bytes.subarray(at) };
}

function readOne(bytes: Buffer, method: string, hasEnded: boolean): (Answer & { readonly length: number }) | undefined {
  const headLength = bytes.indexOf(HEAD_END);
  if (headLength === -1) return undefined;
  const head = bytes.toString('latin1', 0, headLength);
  const [first = '', ...lines] = head.split('\r\n');
  const status = Number(STATUS_LINE.exec(first)?.[1]);
  if (Number.isNaN(status)) return undefined;
  const fields = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    fields.set(name, [...(fields.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const rest = bytes.subarray(headLength + HEAD_END.length);
  const { body, length, isComplete } =
    status < 200 || status === 204 || status === 304 || method === 'HEAD'
      ? { body: rest.subarray(0, 0), length: 0, isComplete: true }
      : readBody(rest, fields, hasEnded);
  return { status, fields, head, body, isComplete, length: headLength + HEAD_END.length + length };
}

interface Body {
  readonly body: Buffer;
  readonly length: number;
  readonly isComplete: boolean;
}

function readBody(bytes: Buffer, fields: ReadonlyMap<string, readonly string[]>, hasEnded: boolean): Body {
  if (fields.get('transfer-encoding')?.[0] === 'chunked') return readChunks(bytes);
  const [length] = fields.get('content-length') ?? [];
  if (length === undefined) return { body: bytes, length: bytes.length, isComplete: hasEnded };
  const body = bytes.subarray(0, Number(length));
  return { body, length: body.length, isComplete: body.length === Number(length) };
}

function readChunks(bytes: Buffer): Body {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = lineEnd === -1 ? NaN : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size) || lineEnd + 2 + size + 2 > bytes.length)
      return { body: Buffer.concat(chunks), length: bytes.length, isComplete: false };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
    if (size === 0) return { body: Buffer.concat(chunks), length: at, isComplete: true };
  }
}
