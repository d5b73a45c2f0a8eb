// Mann-Whitney U test: tells whether two samples can come from the same distribution.

/**
 * Returns the two-sided p value. Uses the normal approximation with tie correction, which is accurate if each sample
 * has at least 20 values.
 */
export function mannWhitney(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, mine: true })), ...other.map((value) => ({ value, mine: false }))].sort(
    (a, b) => a.value - b.value,
  );
  let rankSum = 0;
  let ties = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]?.value === all[from]?.value) to++;
    const count = to - from;
    const rank = (from + 1 + to) / 2;
    rankSum += rank * all.slice(from, to).filter(({ mine }) => mine).length;
    ties += count ** 3 - count;
    from = to;
  }
  const [m, n, total] = [one.length, other.length, all.length];
  const u = rankSum - (m * (m + 1)) / 2;
  const deviation = Math.sqrt(((m * n) / 12) * (total + 1 - ties / (total * (total - 1))));
  return deviation === 0 ? 1 : 2 * upperTail(Math.abs(u - (m * n) / 2) / deviation);
}

/**
 * Returns the upper tail probability of the standard normal distribution (Abramowitz and Stegun 26.2.17, error below
 * 7.5e-8).
 */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
