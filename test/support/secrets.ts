// Searches what tests leave behind for secrets: data folders, logs, output, errors.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_KEY_LENGTH, parseApiKey } from '../../src/accounts/api-key.js';

/** Password of most test accounts. It is in no example and in no list of common passwords. */
const PASSWORD = 'quite a long pass phrase';
/** Secrets that have a recognizable form: name, pattern. */
const FORMS: readonly (readonly [name: string, form: RegExp])[] = [
  ['access token', /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{43}/],
  ['session or device cookie', /blazon_(?:session|device)(?:_\d+)?=[\w.-]{43,}/],
];
/** Mails that were written to files for lack of a mail server. Their links contain secret tokens, which is intended. */
const MAIL = /\/outbox\/[^/]+\.eml$/;

export function secretsIn(bytes: Buffer): string[] {
  const text = bytes.toString('latin1');
  const found = FORMS.filter(([, form]) => form.test(text)).map(([name]) => name);
  // Text of this form is a key only if its checksum is right.
  const keys = [...text.matchAll(/blz_/g)].map(({ index }) => text.slice(index, index + API_KEY_LENGTH));
  if (keys.some((key) => parseApiKey(key))) found.push('API key');
  if ([PASSWORD, encodeURIComponent(PASSWORD)].some((password) => text.includes(password))) found.push('password');
  return found;
}

/** Throws if the text contains a secret. The message has the secret's name and not its value. */
export function expectNoSecrets(place: string, text: string | Buffer): void {
  const found = secretsIn(Buffer.from(text));
  if (found.length > 0) throw new Error(`${place} holds a secret: ${found.join(', ')}`);
}

/** Throws if a file in the folder contains a secret. */
export function expectNoSecretsIn(folder: string): void {
  for (const path of filesIn(folder)) if (!MAIL.test(path)) expectNoSecrets(path, readFileSync(path));
}

/**
 * Returns the files in the folder, without following links. From Node 24 on, `readdir` with `recursive` follows links,
 * even in circles.
 */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Returns the encodings in which a secret can get into text by accident. */
export function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // Removes the characters that depend on neighboring bytes.
    return text.slice(Math.ceil((before * 8) / 6), (before + bytes.length) % 3 === 0 ? undefined : -1);
  });
  return [
    ...[secret, encodeURIComponent(secret), encodeURIComponent(secret).replaceAll('%20', '+')],
    ...[JSON.stringify(secret).slice(1, -1), bytes.toString('hex'), bytes.toString('hex').toUpperCase()],
    ...base64.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
  ];
}
