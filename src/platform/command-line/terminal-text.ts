// Escaping of untrusted text for a terminal.

/**
 * Matches C0 and C1 controls, with which text can move the cursor. Also matches line separators and marks of writing
 * direction, with which text can look like other text (CWE-150, Trojan Source).
 */
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Returns one line. Each character that controls a terminal is written as `\uXXXX`, which has the same meaning in JSON.
 */
export function terminalText(text: string): string {
  return text.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
