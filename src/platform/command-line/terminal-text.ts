// Escaping of untrusted text for a terminal.

/**
 * C0 and C1 controls, with which text moves the cursor, and line separators and marks of writing direction, with which
 * it passes for other text (CWE-150, Trojan Source).
 */
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** One line, in which each character that steers a terminal is written as `\uXXXX`; in JSON that says the same. */
export function terminalText(text: string): string {
  return text.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
