// Candidates for the icon of a site, and their order.

/** Side to which icons are fetched and stored, px. One icon serves all requests, so it is as large as common requests need. */
export const STORED_SIDE = 512;

export type CandidateKind =
  | 'icon'
  | 'apple-touch-icon'
  | 'manifest'
  | 'tile'
  /** A single-color silhouette for pinned tabs. */
  | 'mask-icon'
  /** A well-known path that the page doesn't name. */
  | 'guess';

export interface IconCandidate {
  readonly url: string;
  readonly kind: CandidateKind;
  readonly isSvg: boolean;
  /** Declared sides, or the usual ones of its kind, px. */
  readonly width: number;
  readonly height: number;
  /** True for an icon with wide margins (`maskable`), for dark pages, or without colors. Used only if there is no other. */
  readonly isSecondary: boolean;
}

/** Usual sides of icons that declare none, px. */
const USUAL_SIDE: Readonly<Record<CandidateKind, number>> = {
  icon: 96,
  'apple-touch-icon': 180,
  manifest: 192,
  tile: 144,
  'mask-icon': 16,
  guess: 48,
};

interface DeclaredIcon {
  readonly url: string;
  readonly kind: CandidateKind;
  /** Media type, empty if there is none. */
  readonly type: string;
  /** Such as `16x16 32x32` or `any`. */
  readonly sizes: string;
  readonly isSecondary?: boolean;
}

export function candidateOf({ url, kind, type, sizes, isSecondary = false }: DeclaredIcon): IconCandidate {
  const isSvg = kind !== 'mask-icon' && (/svg/i.test(type) || /\.svg$/i.test(new URL(url).pathname));
  const usual = /\.ico$/i.test(new URL(url).pathname) ? USUAL_SIDE.guess : USUAL_SIDE[kind];
  const sides = sidesOf(sizes) ?? { width: usual, height: usual };
  return { url, kind, isSvg, ...sides, isSecondary };
}

/** Returns the largest of the declared sizes. */
function sidesOf(sizes: string): Pick<IconCandidate, 'width' | 'height'> | undefined {
  const all = [...sizes.slice(0, 200).matchAll(/(\d{1,5})\s*[xX×]\s*(\d{1,5})/g)].map(([, width, height]) => ({
    width: Number(width),
    height: Number(height),
  }));
  return all.sort((one, other) => other.width - one.width)[0];
}

/**
 * Sorts candidates, best first: drawings, then the smallest square bitmap that is at least as large as `side`, then the largest.
 * Well-known paths, secondary icons and silhouettes come after what the page declares.
 */
export function ranked(candidates: readonly IconCandidate[], side: number): readonly IconCandidate[] {
  const seen = new Map<string, IconCandidate>();
  for (const candidate of candidates) if (!seen.has(candidate.url)) seen.set(candidate.url, candidate);
  return [...seen.values()].sort(
    (one, other) => groupOf(one) - groupOf(other) || compareSides(sideOf(one), sideOf(other), side),
  );
}

/** Returns the side of the largest square in the icon. A banner is not wider than it is high. */
export function sideOf({ width, height }: Pick<IconCandidate, 'width' | 'height'>): number {
  return Math.min(width, height);
}

/** Returns a negative number if the first bitmap is better for this side. */
export function compareSides(one: number, other: number, side: number): number {
  if (one >= side && other >= side) return one - other;
  return other - one;
}

function groupOf({ kind, isSvg, isSecondary }: IconCandidate): number {
  if (kind === 'mask-icon') return 4;
  if (isSecondary) return 3;
  if (kind === 'guess') return 2;
  return isSvg ? 0 : 1;
}
