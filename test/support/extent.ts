// Number of repetitions: few in `npm test`, many in `npm run test:all`.

export const IS_WHOLE = process.env.BLAZON_TESTS === 'all';

/** Returns `few` or, in `npm run test:all`, `many`. Many repetitions find rare faults. */
export function repeated(few: number, many: number): number {
  return IS_WHOLE ? many : few;
}
