// Password policy (NIST SP 800-63B: length and a blocklist, no composition rules).
import { emailIdentity } from './account.js';

export const PASSWORD_MAX_CHARACTERS = 256;

/** Returns the policy as text for people who choose a password. */
export function passwordRule(minCharacters: number): string {
  return `${minCharacters} to ${PASSWORD_MAX_CHARACTERS} characters, not a common password or pass phrase`;
}

/** Returns the Unicode form that is hashed (NFC), so that the same password matches when typed on another keyboard. */
export function canonicalPassword(password: string): string {
  return password.normalize('NFC');
}

/** Returns the text in lower case without spaces and punctuation, so that variants of a password become equal. */
function squeezed(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the result of `squeezed` for each line of the text. */
export function squeezedLines(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}\n]/gu, '');
}

const PRODUCT = 'blazon';
/**
 * Minimum length of a part of the e-mail address that counts as an obvious word. Shorter parts occur in unrelated
 * passwords by chance.
 */
const MIN_WORD = 3;
/**
 * Maximum number of characters that an obvious password (`isObvious`) has besides obvious words. People add a few
 * characters, such as a year, to satisfy other policies.
 */
const MAX_ADDED = 4;

/**
 * Returns true if the password consists of words that attackers try first (the e-mail address, its parts, the product's
 * name) and at most `MAX_ADDED` further characters.
 */
function isObvious(password: string, email: string): boolean {
  const [local = ''] = email.split('@');
  const words = [local, ...email.split(/[^\p{L}\p{N}]+/u), PRODUCT]
    .map(squeezed)
    .filter((word) => word.length >= MIN_WORD)
    .sort((one, other) => other.length - one.length);
  if ([email, local].includes(password.toLowerCase())) return true;
  const text = squeezed(password);
  const rest = words.reduce((left, word) => left.replaceAll(word, ' '), text).replaceAll(' ', '');
  return rest.length <= MAX_ADDED && rest !== text;
}

interface PasswordContext {
  readonly email: string;
  readonly minCharacters: number;
  /**
   * Returns true if `password` is on the blocklist. Pass either the password in lower case or the result of `squeezed`.
   */
  readonly isCommon: (password: string) => boolean;
}

/**
 * Returns the reason why a password is rejected, or undefined if it is acceptable. Pass the result of
 * `canonicalPassword`.
 */
export function passwordFault(
  password: string,
  { email, minCharacters, isCommon }: PasswordContext,
): string | undefined {
  const characters = [...password].length;
  if (characters < minCharacters) return `too short: ${characters} characters`;
  if (characters > PASSWORD_MAX_CHARACTERS) return `too long: ${characters} characters`;
  const lower = password.toLowerCase();
  if (isObvious(password, emailIdentity(email)))
    return 'contains little more than the e-mail address or the name Blazon';
  if (new Set(password).size === 1) return 'is one repeated character';
  return isCommon(lower) || isCommon(squeezed(password)) ? 'is on the list of common passwords' : undefined;
}
