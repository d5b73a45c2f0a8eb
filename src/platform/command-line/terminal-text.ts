// Escaping of untrusted text for the terminal.

/**
 * Matches control characters (C0 and C1), which can move the cursor, line separators, and marks of writing direction,
 * which can disguise text (CWE-150, Trojan Source).
 */
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Returns the text as one line. Each character that controls the terminal becomes `\uXXXX`, which means the same
 * character in JSON.
 */
export function terminalText(text: string): string {
  return text.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
