// Removal of control characters from names and texts. Names are used in XML, code comments, plain text and terminals.

/**
 * Ranges for a character class of a regular expression: C0 and C1 controls, and U+FFFE and U+FFFF, which XML forbids
 * (XML 1.0, section 2.2).
 */
export const CONTROLS = String.raw`\u0000-\u001f\u007f-\u009f\ufffe\uffff`;
export const PRINTABLE_PATTERN = new RegExp(`^[^${CONTROLS}]*$`);
const UNPRINTABLE = new RegExp(`[${CONTROLS}\\p{Surrogate}]+`, 'gu');

/** Replaces control characters and unpaired surrogates by spaces. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, ' ').trim();
}

export function isPrintable(text: string): boolean {
  return text.search(UNPRINTABLE) === -1;
}

/** Replaces invisible characters, such as controls and marks of writing direction. Line breaks and tabs stay. */
export function withoutInvisible(text: string): string {
  return text.replace(/[^\P{C}\n\r\t]/gu, '\ufffd');
}
