// Malformed requests as plain data: what is written to a connection, with placeholders where credentials go.

/** Whose credentials replace the placeholders. */
export type Role = 'steady' | 'free' | 'leaver' | 'expendable' | 'ended';

export const CREDENTIALS = ['key', 'token', 'session', 'device', 'password', 'email'] as const;
export type CredentialName = (typeof CREDENTIALS)[number];
export type Credentials = Readonly<Record<CredentialName, string>>;

/** Strings hold one byte a character, placeholders apart. */
export interface Message {
  /** The request line, without its line end. */
  readonly line: string;
  readonly fields: readonly string[];
  readonly body: string;
}

/** `nudge` half-closes a connection on which nothing has come for a while: for bytes that may be no whole request. */
type Ending = 'read' | 'nudge' | 'end' | 'close' | 'reset' | 'hold';

export interface Case {
  /** Name of the generator. */
  readonly kind: string;
  /** `GET /v1/svg/{slug}` of the document, when the request is meant for one. */
  readonly operation?: string;
  readonly role: Role;
  /** More than one: pipelined. */
  readonly messages: readonly Message[];
  /** Share of the bytes that is sent; 1 when absent. */
  readonly sentShare?: number;
  /** Number of writes; 1 when absent. */
  readonly writes?: number;
  readonly ending: Ending;
  /** The document or the credential rules it out: an answer below 400 is a defect. */
  readonly mustReject?: boolean;
}

/** Begins the `X-Request-Id` of every request that has none of its own; its index follows. */
export const REQUEST_ID = 'fuzz-case-';

const OPEN = '\ue000';
const CLOSE = '\ue001';
const PLACEHOLDER = /\ue000([^\ue001]*)\ue001/g;

export type Forgery = 'replace' | 'delete' | 'insert' | 'double' | 'truncate' | 'flip-case';

/** `share` (0 to 1) chooses the character that is changed. */
export interface Forged {
  readonly forgery: Forgery;
  readonly share: number;
}

export function placeholder(name: CredentialName, forged?: Forged): string {
  return `${OPEN}${name}${forged === undefined ? '' : `:${forged.forgery}:${forged.share}`}${CLOSE}`;
}

/** Applies `change` to everything but the placeholders. */
function aroundPlaceholders(text: string, change: (plain: string) => string): string {
  const parts = text.split(/(\ue000[^\ue001]*\ue001)/);
  return parts.map((part, index) => (index % 2 === 1 ? part : change(part))).join('');
}

/** Characters to the bytes of their UTF-8, one character a byte. Lone surrogates keep their three bytes (CESU-8). */
export function utf8Bytes(text: string): string {
  return aroundPlaceholders(text, (plain) =>
    plain.replaceAll(/[^\0-\x7f]/gu, (character) => {
      const code = character.charCodeAt(0);
      const isLone = character.length === 1 && code >= 0xd800 && code <= 0xdfff;
      const bytes = isLone ? [0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)] : [...Buffer.from(character)];
      return String.fromCharCode(...bytes);
    }),
  );
}

export function percentEncoded(text: string): string {
  return aroundPlaceholders(utf8Bytes(text), (bytes) =>
    bytes.replaceAll(/[^\w.~-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`),
  );
}

export function filled(text: string, credentials: Credentials): string {
  return text.replaceAll(PLACEHOLDER, (_, content: string) => {
    const [name = '', forgery, share] = content.split(':');
    const value = credentials[CREDENTIALS.find((known) => known === name) ?? 'key'];
    return forgery === undefined ? value : forge(value, forgery, Number(share));
  });
}

/** Never the value itself. */
function forge(value: string, forgery: string, share: number): string {
  const at = Math.min(value.length - 1, Math.floor(share * value.length));
  const [before, character, after] = [value.slice(0, at), value.charAt(at), value.slice(at + 1)];
  switch (forgery) {
    case 'delete':
      return before + after;
    case 'insert':
      return `${before}x${character}${after}`;
    case 'double':
      return value + value;
    case 'truncate':
      return before;
    case 'flip-case': {
      const flipped = character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
      return before + (flipped === character ? '_' : flipped) + after;
    }
    default:
      return before + (character === 'A' ? 'B' : 'A') + after;
  }
}

/** Credentials by their names: `{key}`, `{token:replace:0.5}`. */
export function named(text: string): string {
  return text.replaceAll(PLACEHOLDER, '{$1}');
}

/** Bytes of one message. `Content-Length: auto` counts the body once its placeholders are replaced. */
export function messageBytes({ line, fields, body }: Message, fill: (text: string) => string): string {
  const content = fill(body);
  const head = fields.map(
    (field) => `${fill(field).replace(/^(content-length): auto$/i, `$1: ${content.length}`)}\r\n`,
  );
  return `${fill(line)}\r\n${head.join('')}\r\n${content}`;
}

/** What is sent, one character a byte. */
export function sentBytes({ messages, sentShare = 1 }: Case, fill: (text: string) => string): string {
  const bytes = messages.map((message) => messageBytes(message, fill)).join('');
  return sentShare === 1 ? bytes : bytes.slice(0, Math.floor(bytes.length * sentShare));
}
