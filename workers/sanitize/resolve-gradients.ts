// Converts gradients to a form that resvg supports: without a focal radius. If the box of the painted element has no
// area, uses the fallback paint.
import { elementBox } from '../svg/element-box.js';
import { formatNumber, Rejected, walk, type Element } from '../svg/svg-tree.js';
import { lengthOf } from './attribute-values.js';
import { cssTransform, IDENTITY } from './css-transform.js';
import { partsOfUrl } from './resolve-references.js';

/**
 * Removes focal radii (`fr`) from gradients. Replaces references to unusable gradients and patterns by their fallback
 * colors. Throws `Rejected` if a focal radius cannot be removed.
 */
export function resolveGradients(root: Element): void {
  const nodes = walk(root);
  for (const node of nodes) if (node.name === 'radialGradient' && node.attributes.has('fr')) withoutFocalRadius(node);
  const servers = new Map(nodes.map((node) => [`url(#${node.attributes.get('id') ?? ''})`, node]));
  for (const node of nodes) for (const name of ['fill', 'stroke']) resolveFallback(node, name, { servers, root });
}

/**
 * Replaces the focal radius by a focal point. The circles of the gradient, from the focal circle to the outer circle,
 * are slices of a cone. The tip of the cone becomes the focal point. The stops are moved so that the gradient looks the
 * same.
 */
function withoutFocalRadius(node: Element): void {
  const { attributes } = node;
  const per = attributes.get('gradientUnits') === 'userSpaceOnUse' ? undefined : 1;
  const read = (name: string, initial: number): number =>
    lengthOf(attributes.get(name)?.trim() ?? String(initial), per) ?? Number.NaN;
  const half = per === undefined ? Number.NaN : 0.5;
  const [cx, cy, r, fr] = [read('cx', half), read('cy', half), read('r', half), read('fr', 0)];
  const [fx, fy] = [read('fx', cx), read('fy', cy)];
  attributes.delete('fr');
  if (fr === 0) return;
  const stops = node.children.filter(({ name }) => name === 'stop');
  const isKept = [cx, cy, r, fr, fx, fy].every(Number.isFinite) && fr < r && stops.length > 0;
  if (!isKept || (attributes.get('spreadMethod') ?? 'pad') !== 'pad')
    throw new Rejected('unsupported_style', 'a gradient has a focal radius (fr)', node);
  const start = -fr / (r - fr);
  for (const [name, value] of [
    ['fx', fx + start * (cx - fx)],
    ['fy', fy + start * (cy - fy)],
  ] as const)
    attributes.set(name, formatNumber(value));
  for (const stop of stops) {
    const offset = lengthOf(stop.attributes.get('offset')?.trim() ?? '0', 1) ?? 0;
    stop.attributes.set('offset', formatNumber((Math.min(1, Math.max(0, offset)) - start) / (1 - start)));
  }
}

interface Servers {
  readonly servers: ReadonlyMap<string, Element>;
  readonly root: Element;
}

/**
 * Replaces `url(#id) red` by `red` if the transform of the gradient or pattern maps everything to a line or a point.
 * Does the same if the gradient or pattern needs the element's box, but this box has no area.
 */
function resolveFallback(node: Element, name: string, { servers, root }: Servers): void {
  const { address, fallback } = partsOfUrl(node.attributes.get(name) ?? '');
  if (address === undefined) return;
  const url = `url(${address})`;
  const server = servers.get(url);
  const isUsed = server === undefined || !hasNoArea(server);
  if (!isUsed || (fallback !== '' && isFlat(node, { server, root })))
    node.attributes.set(name, fallback === '' ? 'none' : fallback);
  else node.attributes.set(name, url);
}

function hasNoArea({ attributes }: Element): boolean {
  const transform = attributes.get('gradientTransform') ?? attributes.get('patternTransform');
  const [a, b, c, d] = cssTransform(transform ?? '') ?? IDENTITY;
  return a * d - b * c === 0;
}

/** Returns true if the gradient or pattern needs a box with an area, but the box of the element has no area. */
function isFlat(node: Element, { server, root }: { server: Element | undefined; root: Element }): boolean {
  const units = server?.attributes.get('gradientUnits') ?? server?.attributes.get('patternUnits');
  if (units === 'userSpaceOnUse' || node.name === 'g') return false;
  const box = elementBox(node, root);
  return box === undefined || box.width === 0 || box.height === 0;
}
