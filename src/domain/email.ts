// What passes for an e-mail address.
import { z } from 'zod';

const MAX_CHARACTERS = 254;
const email = z.string().trim().max(MAX_CHARACTERS).pipe(z.email());

/** Trimmed; undefined for what is none. */
export function parseEmail(text: string): string | undefined {
  return email.safeParse(text).data;
}
