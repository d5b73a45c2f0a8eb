// Looks for secrets where none may be, in the forms in which they get there by accident.
import { readFileSync } from 'node:fs';

export interface Place {
  readonly name: string;
  readonly bytes: Buffer;
}

export const fileOf = (path: string): Place => ({ name: path, bytes: readFileSync(path) });
export const textOf = (name: string, text: string): Place => ({ name, bytes: Buffer.from(text) });

/** As it is, percent-encoded, in JSON, hex, and base64 wherever it begins within a longer text. */
function formsOf(secret: string): [string, string][] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].flatMap((before): [string, string][] => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64').replace(/=+$/, '');
    // What neighbouring bytes would change is left out.
    const inner = text.slice(Math.ceil((before * 8) / 6), (before + bytes.length) % 3 === 0 ? undefined : -1);
    return [['base64', inner], ['base64url', inner.replaceAll('+', '-').replaceAll('/', '_')]];
  });
  return [
    ['raw', secret],
    ['percent-encoded', encodeURIComponent(secret)],
    ['form-encoded', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['hex', bytes.toString('hex')],
    ['upper-case hex', bytes.toString('hex').toUpperCase()],
    ...base64,
  ];
}

/** Where which of them was found, in which form; never the secret itself. */
export function secretsIn(places: readonly Place[], secrets: Readonly<Record<string, string>>): string[] {
  const found = new Set<string>();
  for (const [what, secret] of Object.entries(secrets)) {
    if (secret.length < 8) throw new Error(`${what} is too short to be looked for`);
    for (const [form, text] of formsOf(secret)) {
      for (const { name, bytes } of places) if (bytes.includes(text)) found.add(`${what} (${form}) in ${name}`);
    }
  }
  return [...found];
}
