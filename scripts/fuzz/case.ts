// Requests as plain data: the bytes for a connection, with placeholders for credentials.

/** The account whose credentials are filled in: requests of `steady` are answered, those of `leaver` may be broken off. */
export type Role = 'steady' | 'leaver';

export const CREDENTIALS = ['key', 'token', 'session', 'device'] as const;
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
type Ending = 'read' | 'nudge' | 'end' | 'close' | 'reset';

export interface Case {
  /** Name of the generator. */
  readonly kind: string;
  readonly role: Role;
  /** More than one: pipelined. */
  readonly messages: readonly Message[];
  /** Share of the bytes that is sent; 1 when absent. */
  readonly sentShare?: number;
  /** Number of writes; 1 when absent. */
  readonly writes?: number;
  readonly ending: Ending;
}

/** Start of the `X-Request-Id` of every request that has none of its own; its index follows. */
export const REQUEST_ID = 'fuzz-case-';

const PLACEHOLDER = /\ue000(\w+)\ue001/g;

export const placeholder = (name: CredentialName) => `\ue000${name}\ue001`;

export function filled(text: string, credentials: Credentials): string {
  return text.replaceAll(
    PLACEHOLDER,
    (_, name: string) => credentials[CREDENTIALS.find((one) => one === name) ?? 'key'],
  );
}

/** Credentials by their names: `{key}`. */
export const named = (text: string) => text.replaceAll(PLACEHOLDER, '{$1}');

/** One character a byte. `Content-Length: auto` counts the body once its placeholders are replaced. */
export function sentBytes({ messages, sentShare = 1 }: Case, fill: (text: string) => string): string {
  const bytes = messages.map(({ line, fields, body }) => {
    const content = fill(body);
    const head = fields.map((field) => `${fill(field).replace(/: auto$/, `: ${content.length}`)}\r\n`);
    return `${fill(line)}\r\n${head.join('')}\r\n${content}`;
  });
  const all = bytes.join('');
  return all.slice(0, Math.floor(all.length * sentShare));
}
