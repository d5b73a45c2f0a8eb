// Number of repetitions in tests: low in `npm test`, high in `npm run test:all`.

export const IS_WHOLE = process.env.BLAZON_TESTS === 'all';

/** Returns `few` in `npm test`, and `many` in `npm run test:all`. Many repetitions find rare faults. */
export function repeated(few: number, many: number): number {
  return IS_WHOLE ? many : few;
}
