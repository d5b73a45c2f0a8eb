// Forms of secrets: all but passwords are recognized by their form.
import { API_KEY_LENGTH, parseApiKey } from '../../src/domain/account/api-key.js';
import { parseEmail } from '../../src/domain/account/email.js';
import { canonicalPassword } from '../../src/domain/account/password-policy.js';
import { unfolded } from './quoted-printable.js';

export type SecretKind =
  | 'password'
  | 'API key'
  | 'access token'
  | 'session token'
  | 'device token'
  | 'link token'
  | 'signing secret'
  | 'mail password';

export interface Secret {
  readonly kind: SecretKind;
  /** The part that cannot be guessed, which is enough to look for: what stands before it names the account. */
  readonly value: string;
}

const PASSWORD_FIELDS = new Set(['password', 'newPassword', 'currentPassword']);
const PASSWORD_IN_JSON = /"(?:password|newPassword|currentPassword)"\s*:\s*("(?:[^"\\]|\\.)*")/g;
const TOKENS: readonly [SecretKind, RegExp][] = [
  ['access token', /^eyJ[\w-]+\.eyJ[\w-]+\.([\w-]{43})$/],
  ['session token', /^[0-9A-Za-z]{12}([\w-]{43})$/],
  ['link token', /^[0-9A-Za-z]{28}([\w-]{43})$/],
  ['link token', /^reg_([\w-]{80,})$/],
  ['device token', /^[0-9A-Za-z]{16}[0-9a-z]{1,10}\.([\w-]{43})$/],
];
const TOKEN_RUN = /[\w.-]{50,}/g;

function secretOf(token: string): Secret[] {
  if (parseApiKey(token)) return [{ kind: 'API key', value: token.slice(16, -6) }];
  for (const [kind, pattern] of TOKENS) {
    const value = pattern.exec(token)?.[1];
    if (value !== undefined) return [{ kind, value }];
  }
  return [];
}

/** Tokens and keys anywhere in a text. */
export function tokensIn(text: string): Secret[] {
  return [...text.matchAll(TOKEN_RUN)].flatMap(([run]) => secretOf(run.replace(/\.+$/, '')));
}

/**
 * As it was typed, and as it is hashed. An e-mail address is none, though tests send one: it is rejected, and belongs
 * into the database as what it is.
 */
export function passwordOf(value: unknown): Secret[] {
  if (typeof value !== 'string' || parseEmail(value) !== undefined) return [];
  return [...new Set([value, canonicalPassword(value)])].map((spelling) => ({ kind: 'password', value: spelling }));
}

/** Tokens and passwords in a body, also in one that is no whole JSON. */
export function secretsOfBody(text: string): Secret[] {
  const passwords = [...text.matchAll(PASSWORD_IN_JSON)].flatMap(([, json]) => passwordOf(readJson(json ?? '')));
  return [...passwords, ...tokensIn(text)];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Secrets in an argument or result of a function. */
export function secretsOfValue(value: unknown): Secret[] {
  if (typeof value === 'string') return tokensIn(value);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]: [string, unknown]) =>
    PASSWORD_FIELDS.has(name) && typeof field === 'string' ? passwordOf(field) : secretsOfValue(field),
  );
}

/** Tokens of the links in a mail as it was sent. */
export function secretsOfMail(source: string): Secret[] {
  return tokensIn(unfolded(source)).filter(({ kind }) => kind === 'link token');
}

/** Secrets that are known by their form: a key by its checksum, an access token by its parts. */
export function plainSecretsIn(bytes: Buffer): SecretKind[] {
  const kinds: SecretKind[] = [];
  if (startsOf(bytes, 'blz_').some((at) => parseApiKey(bytes.toString('latin1', at, at + API_KEY_LENGTH))))
    kinds.push('API key');
  if (startsOf(bytes, 'eyJ').some((at) => isAccessToken(bytes.toString('latin1', at, at + 2048))))
    kinds.push('access token');
  return kinds;
}

function startsOf(bytes: Buffer, beginning: string): number[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(beginning); at !== -1; at = bytes.indexOf(beginning, at + 1)) starts.push(at);
  return starts;
}

function isAccessToken(text: string): boolean {
  const [, head, payload] = /^(eyJ[\w-]+)\.(eyJ[\w-]+)\.[\w-]{43}/.exec(text) ?? [];
  return [head, payload].every(
    (part) => part !== undefined && typeof readJson(Buffer.from(part, 'base64url').toString()) === 'object',
  );
}
