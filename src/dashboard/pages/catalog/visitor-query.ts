// Query of the live picture for visitors who are not signed in: the service shows them small ones only.
import type { Variant } from '../../data/queries.js';
import { settings } from '../../settings.js';

type Query = Readonly<Record<string, string | undefined>>;

/** Ratio of sides that a drawing without its margins may have: its size is not known here. */
const TRIMMED_RATIO = 8;
/** Smallest side in px that is drawn. */
const MIN_SIDE = 8;

/** The same query where visitors may ask for it, else one for the largest picture that they may see. */
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

/** The longer side divided by the shorter: `rotate` swaps them. */
function longestRatio(variants: readonly Variant[]): number {
  return Math.max(...variants.map(({ width, height }) => Math.max(width / height, height / width)));
}
