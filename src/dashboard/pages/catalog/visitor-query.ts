// Query of the live picture for visitors without an account. The service only shows them small pictures.
import type { Variant } from '../../data/queries.js';
import { settings } from '../../settings.js';

type Query = Readonly<Record<string, string | undefined>>;

/** Assumed maximum aspect ratio of a drawing with trimmed margins, because the real ratio is not known here. */
const TRIMMED_RATIO = 8;
/** Smallest side in px that is drawn. */
const MIN_SIDE = 8;

/**
 * Returns the given query if visitors may use it. Otherwise returns a query for the largest picture that they may see.
 */
export function visitorQuery(query: Query, variants: readonly Variant[]): Query {
  const isScaled = query.scale !== undefined && query.scale !== '1';
  return { ...query, ...smallerSides(query, variants), ...(isScaled && { scale: undefined }) };
}

function smallerSides({ size, width, height, trim }: Query, variants: readonly Variant[]): Query {
  const max = settings.maxVisitorSide;
  if (size !== undefined) return Number(size) > max ? { size: String(max) } : {};
  if (width !== undefined && height !== undefined) {
    const factor = max / Math.max(Number(width), Number(height));
    const scaled = (side: string) => String(Math.max(MIN_SIDE, Math.round(Number(side) * factor)));
    return factor < 1 ? { width: scaled(width), height: scaled(height) } : {};
  }
  const ratio = trim === undefined ? longestRatio(variants) : TRIMMED_RATIO;
  const isLarge = Number(width ?? height ?? 0) * ratio > max;
  return isLarge ? { width: undefined, height: undefined, size: String(max) } : {};
}

/**
 * Returns the largest aspect ratio of the variants. The ratio is always longer side / shorter side, because `rotate`
 * may swap the sides.
 */
function longestRatio(variants: readonly Variant[]): number {
  return Math.max(...variants.map(({ width, height }) => Math.max(width / height, height / width)));
}
