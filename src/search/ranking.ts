// Ranking of matches: tiers, finer steps within a tier, and the score and order key that follow from them.

/** Tiers from best to worst. */
export const TIER = {
  slug: 0,
  title: 1,
  alias: 2,
  domain: 3,
  /** The query is a numeronym: "k8s" for Kubernetes. */
  numeronym: 4,
  /** The query is a kind of brands: "browsers". */
  kind: 5,
  prefix: 6,
  words: 7,
  /** Some words of the query are the name of a kind (category), and the other words are words of the entry. */
  category: 8,
  /** The query is the start of a kind's name: "supermark". */
  kindPrefix: 9,
  oneTypo: 10,
  moreTypos: 11,
} as const;

/** Number of steps within a tier. Step 0 is the best. */
export const STEPS = 4096;

/** Position of a match in the order of results: tier, then step. Matches with equal groups are ordered by fame. */
export type Group = number;

/** Returns the group. `step` is clamped to 0..STEPS - 1. */
export function groupOf(tier: number, step: number): Group {
  return tier * STEPS + Math.max(0, Math.min(STEPS - 1, Math.round(step)));
}

export const tierOfGroup = (group: Group) => Math.floor(group / STEPS);

const SCORES: readonly (readonly [best: number, worst: number])[] = [
  [1, 1],
  [0.97, 0.97],
  [0.94, 0.94],
  [0.9, 0.9],
  [0.86, 0.84],
  [0.83, 0.8],
  [0.79, 0.6],
  [0.59, 0.42],
  [0.41, 0.38],
  [0.37, 0.35],
  [0.34, 0.2],
  [0.19, 0.05],
];

/** Returns the score, 0..1, rounded to four digits. */
export function scoreOf(group: Group): number {
  const [best, worst] = SCORES[tierOfGroup(group)] ?? [0, 0];
  return Math.round((best - ((best - worst) * (group % STEPS)) / STEPS) * 10_000) / 10_000;
}

/**
 * Upper bound of document numbers. Documents are numbered by fame, the best known first. Therefore `group * DOCUMENTS +
 * document` sorts by group, then by fame.
 */
const DOCUMENTS = 2 ** 21;
/** Returns the order key of a match. Results are sorted by ascending keys. */
export const orderKey = (group: Group, document: number) => group * DOCUMENTS + document;
export const groupOfKey = (key: number) => Math.floor(key / DOCUMENTS);
/** Returns the document number in an order key. Avoids `%`, which is ten times slower for numbers above 32 bits. */
export const documentOfKey = (key: number) => key - groupOfKey(key) * DOCUMENTS;
