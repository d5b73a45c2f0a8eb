// Typing errors: how many a word may have, and whether two words are that close.

/** Edits allowed in a word of this length: none up to 3 letters, one up to 7, two beyond. */
export function editBudget(length: number): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/** One bit per letter (digits and other scripts share the rest), so that most words are ruled out without reading them. */
export function letterMask(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    mask |= unit >= 97 && unit <= 122 ? 1 << (unit - 97) : 1 << (26 + (unit % 6));
  }
  return mask;
}

export function bitCount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

const MAX_LENGTH = 128;
const WIDTH = MAX_LENGTH + 1;
const rows = [new Uint8Array(WIDTH), new Uint8Array(WIDTH), new Uint8Array(WIDTH)] as const;

/**
 * Optimal string alignment distance (insertions, deletions, substitutions, swaps of neighbours; Damerau 1964),
 * or `limit + 1` as soon as it must be more. Words longer than 128 units never match.
 */
export function editDistance(a: string, b: string, limit: number): number {
  const tooFar = limit + 1;
  if (Math.abs(a.length - b.length) > limit || a.length > MAX_LENGTH || b.length > MAX_LENGTH) return tooFar;
  let [beforeLast, last, row]: readonly Uint8Array[] = rows as readonly Uint8Array[];
  if (!beforeLast || !last || !row) return tooFar;
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const unit = a.charCodeAt(i - 1);
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    row[from - 1] = from === 1 ? i : tooFar;
    let least = tooFar;
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(j - 1);
      // Beyond the band a cell of the row above holds an older row's number, so it is not read there.
      const above = j - i < limit ? (last[j] ?? 0) + 1 : tooFar;
      let cost = Math.min(above, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (unit === other ? 0 : 1));
      if (i > 1 && j > 1 && unit === b.charCodeAt(j - 2) && other === a.charCodeAt(i - 2)) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return tooFar;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return Math.min(last[b.length] ?? tooFar, tooFar);
}
