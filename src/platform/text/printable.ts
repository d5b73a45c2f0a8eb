// Names without control characters: a title goes into XML, comments of code, plain text and terminals.

/** C0 and C1 controls, and U+FFFE and U+FFFF, which no XML document may have (XML 1.0, section 2.2). For a character class. */
export const CONTROLS = String.raw`\u0000-\u001f\u007f-\u009f\ufffe\uffff`;
export const PRINTABLE_PATTERN = new RegExp(`^[^${CONTROLS}]*$`);
const UNPRINTABLE = new RegExp(`[${CONTROLS}\\p{Surrogate}]+`, 'gu');

/** With a space in the place of control characters and of halves of surrogate pairs. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, ' ').trim();
}

export function isPrintable(text: string): boolean {
  return text.search(UNPRINTABLE) === -1;
}
