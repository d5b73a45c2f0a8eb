// Escaping of untrusted text for the terminal.

/**
 * Matches characters with which text can disguise other text in a terminal (CWE-150, Trojan Source): control characters
 * (C0 and C1), line separators, and marks of writing direction.
 */
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Returns the text as one line. Characters that control the terminal become `\uXXXX`, which stands for the same
 * character in JSON.
 */
export function terminalText(text: string): string {
  return text.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
