// Number of repetitions: few in `npm test`, all in `npm run test:all`.

export const IS_WHOLE = process.env.BLAZON_TESTS === 'all';

/** `few` finds obvious faults, `many` finds rare ones. */
export function repeated(few: number, many: number): number {
  return IS_WHOLE ? many : few;
}
