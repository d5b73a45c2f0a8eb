// Candidates for the icon of a site, and their order.
import { MAX_URL_LENGTH, outgoingUrl } from '../platform/outgoing/target.js';

/**
 * Preferred side of fetched icons, and maximum side of stored bitmaps, px. One stored icon serves all requests, so it
 * is large enough for common requests.
 */
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
  /** Declared width and height, or the usual side of icons of this kind, px. */
  readonly width: number;
  readonly height: number;
  /**
   * True if the icon has wide margins (`maskable`), is for dark pages, or has no colors. A secondary icon is used only
   * if there is no other icon.
   */
  readonly isSecondary: boolean;
}

/** Usual sides of icons that declare no size, px. */
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
  /** Declared sizes, such as `16x16 32x32` or `any`. */
  readonly sizes: string;
  readonly isSecondary?: boolean;
}

/**
 * Returns the absolute URL of an icon or a manifest, or undefined if it can't be loaded. A `data:` URL contains the
 * icon itself and is returned unchanged. The length of other URLs is limited, because this service's response contains
 * the URL of the icon in a header.
 */
export function loadableUrl(text: string, base: URL): string | undefined {
  const trimmed = text.trim();
  if (isDataUrl(trimmed)) return trimmed;
  const url = trimmed === '' ? undefined : outgoingUrl(trimmed, base);
  return url && /^https?:$/.test(url.protocol) && url.href.length <= MAX_URL_LENGTH ? url.href : undefined;
}

export const isDataUrl = (url: string): boolean => /^data:/i.test(url);

export function candidateOf({ url, kind, type, sizes, isSecondary = false }: DeclaredIcon): IconCandidate {
  const path = isDataUrl(url) ? '' : new URL(url).pathname;
  const isSvgUrl = /^data:image\/svg/i.test(url) || /\.svg$/i.test(path);
  const isSvg = kind !== 'mask-icon' && (/svg/i.test(type) || isSvgUrl);
  const usual = /\.ico$/i.test(path) ? USUAL_SIDE.guess : USUAL_SIDE[kind];
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
 * Sorts candidates, best first: SVG files, then bitmaps of at least `side` in ascending order, then smaller bitmaps in
 * descending order. Well-known paths, secondary icons and silhouettes come last.
 */
export function ranked(candidates: readonly IconCandidate[], side: number): readonly IconCandidate[] {
  const seen = new Map<string, IconCandidate>();
  for (const candidate of candidates) if (!seen.has(candidate.url)) seen.set(candidate.url, candidate);
  return [...seen.values()].sort(
    (one, other) => groupOf(one) - groupOf(other) || compareSides(sideOf(one), sideOf(other), side),
  );
}

/** Returns the side of the largest square in the icon, so that a wide banner counts only with its height. */
export function sideOf({ width, height }: Pick<IconCandidate, 'width' | 'height'>): number {
  return Math.min(width, height);
}

/** Returns a negative number if the bitmap with the side `one` is better than the bitmap with the side `other`. */
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
