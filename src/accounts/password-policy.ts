// Password policy (NIST SP 800-63B: length and a blocklist, no composition rules).
import { emailIdentity } from './account.js';

export const PASSWORD_MAX_CHARACTERS = 256;

/** The rule in words, for people who choose a password. */
export function passwordRule(minCharacters: number): string {
  return `${minCharacters} to ${PASSWORD_MAX_CHARACTERS} characters, not a common password or pass phrase`;
}

/** The one spelling that is hashed: NFC, so that a password typed on another keyboard still fits. */
export function canonicalPassword(password: string): string {
  return password.normalize('NFC');
}

/** The password without case, spaces and punctuation, which people vary without making it another. */
export function squeezed(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const PRODUCT = 'blazon';
/** Shorter parts of an address would be found in any password. */
const MIN_WORD = 3;
/** A year, or what a rule for symbols and digits makes people add. */
const MAX_ADDED = 4;

/** Nothing but words that everybody who guesses knows: the e-mail address, its parts, the product's name. */
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
  /** Tells of text in lower case, as typed or `squeezed`, whether it is on the blocklist. */
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
  if (isObvious(password, emailIdentity(email))) return 'little more than the e-mail address or the name Blazon';
  if (new Set(password).size === 1) return 'one character repeated';
  return isCommon(lower) || isCommon(squeezed(password)) ? 'on the list of common passwords' : undefined;
}
