// How much of what could be repeated is repeated: little in `npm test`, all in `npm run test:all`.

export const IS_WHOLE = process.env.BLAZON_TESTS === 'all';

/** `few` find what is plainly wrong, `many` what is wrong seldom. */
export function repeated(few: number, many: number): number {
  return IS_WHOLE ? many : few;
}
