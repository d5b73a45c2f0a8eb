// E-mail address validation.
import { z } from 'zod';

/** RFC 5321, section 4.5.3.1.3: a path has 256 octets, two of them brackets. */
const MAX_CHARACTERS = 254;
/** RFC 5321, section 4.5.3.1.1. */
const MAX_LOCAL_CHARACTERS = 64;
/** RFC 1035, section 2.3.4. */
const MAX_LABEL_CHARACTERS = 63;
export const EMAIL_RULE = `an e-mail address of at most ${MAX_CHARACTERS} characters`;

/**
 * Adds the checks of an e-mail address to a text schema; the result is trimmed. The messages are written for the
 * client.
 */
export function asEmail(text: z.ZodString) {
  return text
    .trim()
    .max(MAX_CHARACTERS, { error: `longer than ${MAX_CHARACTERS} characters` })
    .pipe(
      z
        .email({ error: 'not an e-mail address', abort: true })
        .refine(isDeliverable, { error: 'not an e-mail address' }),
    )
    .meta({ override: { format: 'email', pattern: z.regexes.email.source } });
}

function isDeliverable(address: string): boolean {
  const [local = '', domain = ''] = address.split('@');
  const labels = domain.split('.');
  return (
    local.length <= MAX_LOCAL_CHARACTERS &&
    labels.every((label) => label.length <= MAX_LABEL_CHARACTERS && !label.endsWith('-'))
  );
}

const email = asEmail(z.string());

/** Trimmed; undefined for text that is no e-mail address. */
export function parseEmail(text: string): string | undefined {
  return email.safeParse(text).data;
}
