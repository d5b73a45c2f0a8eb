// Secrets of a run, and the search for them in answers and logs.

/** Enough to be found by, too many to match by chance. */
const PREFIX = 8;

export interface KnownSecrets {
  add(name: string, secret: string): void;
  /** Names of those in the text. */
  find(text: string): string[];
}

/** `API key` of `API key of steady`, each once. */
export const kindsOf = (names: readonly string[]) =>
  [...new Set(names.map((name) => name.replace(/ of .*/, '')))].join(', ');

/** One pass over the text, however many the secrets are. */
export function knownSecrets(): KnownSecrets {
  const byPrefix = new Map<string, { readonly name: string; readonly form: string }[]>();
  return {
    add(name, secret) {
      if (secret.length < PREFIX) throw new Error(`${name} is too short to be searched for`);
      for (const form of formsOf(secret)) {
        const prefix = form.slice(0, PREFIX);
        byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), { name, form }]);
      }
    },
    find(text) {
      const found = new Set<string>();
      for (let at = 0; at + PREFIX <= text.length; at++) {
        for (const { name, form } of byPrefix.get(text.slice(at, at + PREFIX)) ?? [])
          if (text.startsWith(form, at)) found.add(name);
      }
      return [...found];
    },
  };
}

/** As it is, as it stands in addresses and in JSON, in hex and base64. */
function formsOf(secret: string): Set<string> {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  const encoded = encodeURIComponent(secret);
  const forms = [
    secret,
    encoded,
    encoded.replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
  ];
  // The last character of base64 also holds bits of what follows.
  return new Set([...forms, base64.slice(0, -1)]);
}
