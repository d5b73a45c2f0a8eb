// Search for secrets in bytes, in the forms in which they get there by accident.

/** Fewer characters are found by chance. */
export const MIN_SECRET_CHARACTERS = 8;
const BITMAP_BITS = 24;

/** The secret as it is, percent-encoded, in JSON, hex, and base64 wherever it begins within a longer text. */
function formsOf(secret: string): [form: string, text: string][] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].flatMap((before): [string, string][] => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // Characters that neighboring bytes would change are left out.
    const inner = text.slice(Math.ceil((before * 8) / 6), (before + bytes.length) % 3 === 0 ? undefined : -1);
    return [
      ['base64', inner],
      ['base64url', inner.replaceAll('+', '-').replaceAll('/', '_')],
    ];
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

export interface Found<What extends string> {
  readonly what: What;
  readonly form: string;
}

interface Needle<What extends string> extends Found<What> {
  readonly bytes: Buffer;
}

export interface SecretSearch<What extends string> {
  /** `secret` has at least `MIN_SECRET_CHARACTERS`. */
  add(what: What, secret: string): void;
  /** The names of those in the bytes, each in each form once; never the secret itself. */
  find(bytes: Uint8Array): Found<What>[];
}

/** One pass over the bytes, however many the secrets are: each form is known by its first eight bytes. */
export function openSecretSearch<What extends string>(): SecretSearch<What> {
  const bitmap = new Uint8Array(2 ** (BITMAP_BITS - 3));
  const needles = new Map<number, Needle<What>[]>();

  function matches(bytes: Uint8Array, start: number, known: readonly Needle<What>[]): Needle<What>[] {
    return known.filter(
      ({ bytes: needle }) =>
        start + needle.length <= bytes.length && needle.equals(bytes.subarray(start, start + needle.length)),
    );
  }

  return {
    add(what, secret) {
      if (secret.length < MIN_SECRET_CHARACTERS) throw new Error(`${what} is too short to be looked for`);
      // Where two forms are the same text, the first is named.
      const forms = new Map(
        formsOf(secret)
          .toReversed()
          .map(([form, text]) => [text, form]),
      );
      for (const [text, form] of forms) {
        const bytes = Buffer.from(text);
        const key = mixed(bytes.readInt32BE(0), bytes.readInt32BE(4));
        bitmap[key >>> 11] = (bitmap[key >>> 11] ?? 0) | (1 << ((key >>> 8) & 7));
        needles.set(key, [...(needles.get(key) ?? []), { what, form, bytes }]);
      }
    },

    find(bytes) {
      const found = new Map<string, Found<What>>();
      let [high, low] = [0, 0];
      for (let at = 0; at < bytes.length; at++) {
        high = (high << 8) | (low >>> 24);
        low = (low << 8) | (bytes[at] ?? 0);
        const key = mixed(high, low);
        if (((bitmap[key >>> 11] ?? 0) & (1 << ((key >>> 8) & 7))) === 0 || at < 7) continue;
        for (const { what, form } of matches(bytes, at - 7, needles.get(key) ?? []))
          found.set(`${what} ${form}`, { what, form });
      }
      return [...found.values()];
    },
  };
}

/** 32 bits of eight bytes; the upper 24 choose a bit of the bitmap. */
function mixed(high: number, low: number): number {
  return (Math.imul(high, 0x9e3779b1) ^ Math.imul(low, 0x85ebca6b)) >>> 0;
}
