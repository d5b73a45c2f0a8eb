// Whole numbers as people of any locale type them: 1000, 1,000, 1.000, 1 000, 1’000, 1,00,000, ١٠٠٠, 10k, 1.5 m.

/**
 * Matches digits without separators, or groups of digits with the same separator. The first group has one to three
 * digits, the last has three, and the others have two or three.
 */
const GROUPED = /^\d{1,3}(?:([ .,])(?:\d{2,3}\1)*\d{3})?$|^\d+$/;
/** At most two digits after the point. With three digits, the point could also be a separator of groups. */
const SHORTENED = /^(\d+)(?:[.,](\d{1,2}))? ?([km])$/i;
const FACTORS: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000 };
const DECIMAL_DIGIT = /\p{Nd}/gu;

/** Returns undefined if the text is not a whole number, or has two possible meanings. */
export function parseWholeNumber(text: string): number | undefined {
  const plain = text
    .trim()
    .replaceAll(DECIMAL_DIGIT, asciiDigit)
    .replaceAll('٬', ',')
    .replaceAll(/[\s_'’]/gu, ' ');
  if (GROUPED.test(plain)) return safe(Number(plain.replaceAll(/\D/g, '')));
  const [, whole, part = '', unit = ''] = SHORTENED.exec(plain) ?? [];
  if (whole === undefined) return undefined;
  // Uses integers, because 1.15 * 1000 is not 1150.
  return safe((Number(whole + part) * (FACTORS[unit.toLowerCase()] ?? 1)) / 10 ** part.length);
}

function safe(value: number): number | undefined {
  return Number.isSafeInteger(value) ? value : undefined;
}

/**
 * Returns the ASCII digit. The digits of a script are ten consecutive characters starting with zero (Unicode, section
 * 4.6).
 */
function asciiDigit(digit: string): string {
  let value = 0;
  const code = digit.codePointAt(0) ?? 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}
