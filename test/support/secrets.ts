// Searches data folders, logs, output and errors for secrets after tests.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_KEY_LENGTH, parseApiKey } from '../../src/accounts/api-key.js';

/**
 * Password of most test accounts. No example and no list of common passwords contains it. Output that contains it has
 * therefore leaked a password.
 */
const PASSWORD = 'quite a long pass phrase';
/** Secrets with a recognizable form: name and pattern. */
const FORMS: readonly (readonly [name: string, form: RegExp])[] = [
  ['access token', /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{43}/],
  ['session or device cookie', /blazon_(?:session|device)(?:_\d+)?=[\w.-]{43,}/],
];
/**
 * Mails in files, which the service writes if there is no mail server. Their links contain secret tokens on purpose.
 */
const MAIL = /\/outbox\/[^/]+\.eml$/;

export function secretsIn(bytes: Buffer): string[] {
  const text = bytes.toString('latin1');
  const found = FORMS.filter(([, form]) => form.test(text)).map(([name]) => name);
  // A text in this form is only a key if its checksum is right.
  const keys = [...text.matchAll(/blz_/g)].map(({ index }) => text.slice(index, index + API_KEY_LENGTH));
  if (keys.some((key) => parseApiKey(key))) found.push('API key');
  if ([PASSWORD, encodeURIComponent(PASSWORD)].some((password) => text.includes(password))) found.push('password');
  return found;
}

/** Throws if the text contains a secret. The message contains the name of the secret, but not its value. */
export function expectNoSecrets(place: string, text: string | Buffer): void {
  const found = secretsIn(Buffer.from(text));
  if (found.length > 0) throw new Error(`${place} holds a secret: ${found.join(', ')}`);
}

export function expectNoSecretsIn(folder: string): void {
  for (const path of filesIn(folder)) if (!MAIL.test(path)) expectNoSecrets(path, readFileSync(path));
}

/**
 * Returns the files in the folder. Does not follow links: since Node 24, `readdir` with `recursive` follows links, even
 * circular ones.
 */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Returns the encodings in which a secret may accidentally appear in a text. */
export function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // In base64, the first and last characters can also encode bits of the bytes around the secret. Removes these
    // characters.
    return text.slice(Math.ceil((before * 8) / 6), (before + bytes.length) % 3 === 0 ? undefined : -1);
  });
  return [
    ...[secret, encodeURIComponent(secret), encodeURIComponent(secret).replaceAll('%20', '+')],
    ...[JSON.stringify(secret).slice(1, -1), bytes.toString('hex'), bytes.toString('hex').toUpperCase()],
    ...base64.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
  ];
}
