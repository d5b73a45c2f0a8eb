// Search for secrets in what tests leave: data folders, logs, output, errors.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_KEY_LENGTH, parseApiKey } from '../../src/accounts/api-key.js';

/** Password of most accounts of tests. No example and no list of common passwords has it. */
const PASSWORD = 'quite a long pass phrase';
/** Secrets that can be recognized by their form. */
const FORMS: readonly (readonly [name: string, form: RegExp])[] = [
  ['access token', /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{43}/],
  ['session or device cookie', /blazon_(?:session|device)(?:_\d+)?=[\w.-]{43,}/],
];
/** Mails hold links whose tokens are secret: where there is no mail server, they are files. */
const MAIL = /\/outbox\/[^/]+\.eml$/;

/** Names of the secrets in these bytes. */
export function secretsIn(bytes: Buffer): string[] {
  const text = bytes.toString('latin1');
  const found = FORMS.filter(([, form]) => form.test(text)).map(([name]) => name);
  // The checksum tells a key from text that only looks like one.
  const keys = [...text.matchAll(/blz_/g)].map(({ index }) => text.slice(index, index + API_KEY_LENGTH));
  if (keys.some((key) => parseApiKey(key))) found.push('API key');
  if ([PASSWORD, encodeURIComponent(PASSWORD)].some((password) => text.includes(password))) found.push('password');
  return found;
}

/** Throws if the text holds a secret; the message says which kind, not which. */
export function expectNoSecrets(place: string, text: string | Buffer): void {
  const found = secretsIn(Buffer.from(text));
  if (found.length > 0) throw new Error(`${place} holds a secret: ${found.join(', ')}`);
}

/** Searches every file below the folder. */
export function expectNoSecretsIn(folder: string): void {
  for (const path of filesIn(folder)) if (!MAIL.test(path)) expectNoSecrets(path, readFileSync(path));
}

/** `readdir` with `recursive` follows links from Node 24 on, for ever if one leads upward. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** The spellings in which a secret gets into a text by accident. */
export function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // Without the characters that neighboring bytes would change.
    return text.slice(Math.ceil((before * 8) / 6), (before + bytes.length) % 3 === 0 ? undefined : -1);
  });
  return [
    ...[secret, encodeURIComponent(secret), encodeURIComponent(secret).replaceAll('%20', '+')],
    ...[JSON.stringify(secret).slice(1, -1), bytes.toString('hex'), bytes.toString('hex').toUpperCase()],
    ...base64.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
  ];
}
