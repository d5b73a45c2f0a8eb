// E-mail addresses: their grammar, and the stored spelling with an ASCII domain.
import { z } from 'zod';
import { withAsciiDomain } from '../platform/mail/ascii-domain.js';

/**
 * Maximum length of an address. RFC 5321, section 4.5.3.1.3, limits a path to 256 octets, including two angle brackets.
 */
const MAX_CHARACTERS = 254;
/** Maximum length of the part before the `@` (RFC 5321, section 4.5.3.1.1). */
const MAX_LOCAL_CHARACTERS = 64;
/** Maximum length of a domain label (RFC 1035, section 2.3.4). */
const MAX_LABEL_CHARACTERS = 63;
export const EMAIL_RULE = `an e-mail address of at most ${MAX_CHARACTERS} characters`;

/** Part before the `@`: dot-string of RFC 5321, section 4.1.2. Quoted strings are rejected. */
const LOCAL = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*";
const LABEL = '[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*';
/** Top-level domain. It must not consist of digits, because the domain would then be an IP address. */
const TOP_LEVEL = '(?:[A-Za-z]{2,}|[Xx][Nn]--[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*)';
const ASCII_ADDRESS = new RegExp(`^${LOCAL}@(?:${LABEL}\\.)+${TOP_LEVEL}$`);

/** Character of a typed domain, which may be in any script. Another check decides whether the domain is valid. */
const TYPED_LETTER = '(?:[A-Za-z0-9]|[^\\x00-\\x7F])';
const TYPED_LABEL = `${TYPED_LETTER}+(?:-+${TYPED_LETTER}+)*`;
const TYPED_TOP_LEVEL = `(?:${TOP_LEVEL}|[A-Za-z0-9-]*(?:[^\\x00-\\x7F][A-Za-z0-9-]*)+)`;
const TYPED_PATTERN = `^${LOCAL}@(?:${TYPED_LABEL}\\.)+${TYPED_TOP_LEVEL}$`;
const NOT_ASCII = /\P{ASCII}/u;

/**
 * Adds the checks of an e-mail address to a text schema. The schema then returns the trimmed address, with its domain
 * in ASCII. Clients see the error messages of the checks.
 */
export function asEmail(text: z.ZodString) {
  return text
    .trim()
    .max(MAX_CHARACTERS, { error: `longer than ${MAX_CHARACTERS} characters` })
    .transform(withAsciiDomain)
    .pipe(
      z
        .string()
        .max(MAX_CHARACTERS, { error: `longer than ${MAX_CHARACTERS} characters with its domain in ASCII (xn--)` })
        .refine(isLocalAscii, { error: 'only ASCII characters are supported before the @', abort: true })
        .refine(isDeliverable, { error: 'not an e-mail address' }),
    )
    .meta({ override: { format: 'idn-email', pattern: TYPED_PATTERN } });
}

export const storedEmail = () => z.email({ pattern: ASCII_ADDRESS });

function isLocalAscii(address: string): boolean {
  return !NOT_ASCII.test(address.slice(0, address.lastIndexOf('@')));
}

function isDeliverable(address: string): boolean {
  if (!ASCII_ADDRESS.test(address)) return false;
  const at = address.indexOf('@');
  const labels = address.slice(at + 1).split('.');
  return at <= MAX_LOCAL_CHARACTERS && labels.every((label) => label.length <= MAX_LABEL_CHARACTERS);
}

const email = asEmail(z.string());

/** Returns the trimmed address with an ASCII domain, or undefined if the text is not an e-mail address. */
export function parseEmail(text: string): string | undefined {
  return email.safeParse(text).data;
}
