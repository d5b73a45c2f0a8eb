// Reads the rules for passwords and the parameters of hashing from passwords.json, and the blocklist from
// common-passwords.txt.
import { z } from 'zod';
import { readConfigFile, readConfigText } from './json-file.js';

/** Smallest value that passwords.json may set as the minimum length of passwords (NIST SP 800-63B). */
const FLOOR_CHARACTERS = 8;
/**
 * Smallest values that passwords.json may set for memory and passes. Source: OWASP Password Storage Cheat Sheet,
 * argon2id with m = 19 MiB, t = 2, p = 1.
 */
const FLOOR_MEMORY_KIB = 19_456;
const FLOOR_PASSES = 2;

const atLeast = (least: number, most: number) =>
  z
    .int({ error: `a whole number from ${least} to ${most}` })
    .min(least, { error: `at least ${least}` })
    .max(most, { error: `at most ${most}` });

export const passwordsSchema = z.strictObject({
  minCharacters: atLeast(FLOOR_CHARACTERS, 128),
  argon2id: z.strictObject({
    memoryKiB: atLeast(FLOOR_MEMORY_KIB, 4_194_304),
    passes: atLeast(FLOOR_PASSES, 100),
    lanes: atLeast(1, 16),
  }),
});

export function readPasswordRules(): z.output<typeof passwordsSchema> {
  return readConfigFile('passwords.json', passwordsSchema);
}

/** Returns the blocklist: one password per line, in lower case, without comments. */
export function readCommonPasswords(): string {
  return readConfigText('common-passwords.txt')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/^#.*|\r/gm, '');
}
