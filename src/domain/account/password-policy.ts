// Password policy (NIST SP 800-63B: length and a blocklist, no composition rules).
import { emailIdentity } from './account.js';

export const PASSWORD_MAX_CHARACTERS = 256;

/** The rule in words, for people who choose a password. */
export function passwordRule(minCharacters: number): string {
  return `${minCharacters} to ${PASSWORD_MAX_CHARACTERS} characters, not a common password`;
}

/** The one spelling that is hashed: NFC, so that a password typed on another keyboard still fits. */
export function canonicalPassword(password: string): string {
  return password.normalize('NFC');
}

interface PasswordContext {
  /** Of the account it is for. */
  readonly email: string;
  readonly minCharacters: number;
  /** Whether a lower-case password is on the blocklist. */
  readonly isCommon: (password: string) => boolean;
}

/** Why a canonical password is rejected; undefined when it is acceptable. */
export function passwordFault(
  password: string,
  { email, minCharacters, isCommon }: PasswordContext,
): string | undefined {
  const characters = [...password].length;
  if (characters < minCharacters) return `too short: ${characters} characters`;
  if (characters > PASSWORD_MAX_CHARACTERS) return `too long: ${characters} characters`;
  const lower = password.toLowerCase();
  if (lower === emailIdentity(email) || lower === emailIdentity(email).split('@')[0])
    return 'the same as the e-mail address';
  if (new Set(password).size === 1) return 'one character repeated';
  return isCommon(lower) ? 'on the list of common passwords' : undefined;
}
