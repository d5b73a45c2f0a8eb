// Finds the colors of a drawing. If the drawing has a single color that can be replaced, writes this color as
// `currentColor`.
import { RESOURCES, SHAPES, targetId, type Links } from '../svg/references.js';
import type { Element } from '../svg/svg-tree.js';

/** Paint and the element that sets the paint. */
interface Said {
  readonly value: string;
  /** Element that sets the paint, or undefined for black, the default paint. */
  readonly owner: Element | undefined;
}

interface Context {
  readonly fill: Said;
  readonly stroke: Said;
  readonly strokeWidth: number;
  readonly visible: boolean;
  readonly within: 'picture' | 'mask';
}

export interface Paints {
  readonly colors: ReadonlySet<string>;
  readonly recolorable: boolean;
}

const INITIAL: Context = {
  fill: { value: '#000000', owner: undefined },
  stroke: { value: 'none', owner: undefined },
  strokeWidth: 1,
  visible: true,
  within: 'picture',
};

/** Elements that set a paint. `initially` is true if a shape uses black, the default paint. */
interface Owners {
  readonly fill: Set<Element>;
  readonly stroke: Set<Element>;
  initially: boolean;
}

/**
 * Returns the colors of the drawing. If the drawing is recolorable, replaces its color in the tree by `currentColor`.
 */
export function exchangePaint(root: Element, links: Links): Paints {
  const found = collect(root, links);
  const { picture, mask } = found;
  // An element that sets the paint both in the picture and inside a mask must keep its color, because colors in a mask
  // set the strength of the mask.
  const clash =
    [...picture.fill].some((node) => mask.fill.has(node)) || [...picture.stroke].some((node) => mask.stroke.has(node));
  const recolorable = found.exact && found.colors.size === 1 && !clash && !(picture.initially && mask.initially);
  if (recolorable) {
    for (const node of picture.fill) node.attributes.set('fill', 'currentColor');
    for (const node of picture.stroke) node.attributes.set('stroke', 'currentColor');
    if (picture.initially) root.attributes.set('fill', 'currentColor');
  }
  return { colors: found.colors, recolorable };
}

interface Found {
  readonly colors: Set<string>;
  /** True if `colors` are all colors of the drawing. False if it uses a gradient, pattern, filter or blend mode. */
  exact: boolean;
  readonly picture: Owners;
  readonly mask: Owners;
}

function collect(root: Element, links: Links): Found {
  const found: Found = {
    colors: new Set(),
    exact: true,
    picture: { fill: new Set(), stroke: new Set(), initially: false },
    mask: { fill: new Set(), stroke: new Set(), initially: false },
  };
  const places = contextsOfResources(root);

  const visit = (node: Element, outer: Context): void => {
    if (isHidden(node)) return;
    const context = inherit(node, outer);
    if (node.attributes.has('filter') || node.attributes.has('mix-blend-mode')) found.exact = false;
    const mask = linked(node, 'mask');
    if (mask !== undefined)
      for (const child of mask.children) visit(child, { ...(places.get(mask) ?? INITIAL), within: 'mask' });
    if (SHAPES.has(node.name)) paint(node, context);
    if (!RESOURCES.has(node.name)) for (const child of node.children) visitDrawn(child, context);
  };
  const visitDrawn = (node: Element, context: Context): void => {
    if (!RESOURCES.has(node.name)) visit(node, context);
  };
  const linked = (node: Element, attribute: string): Element | undefined => {
    const id = targetId(node, attribute);
    return id === undefined ? undefined : links.get(id);
  };
  const paint = (node: Element, context: Context): void => {
    if (!context.visible) return;
    if (node.name !== 'line') take('fill', context);
    if (context.strokeWidth > 0) take('stroke', context);
  };
  const take = (kind: 'fill' | 'stroke', context: Context): void => {
    const { value, owner } = context[kind];
    if (value === 'none') return;
    const owners = context.within === 'mask' ? found.mask : found.picture;
    if (owner === undefined) owners.initially = true;
    else owners[kind].add(owner);
    if (context.within === 'mask') return;
    if (value.startsWith('#')) found.colors.add(value);
    else takeServer(value, context);
  };
  const takeServer = (value: string, context: Context): void => {
    found.exact = false;
    const server = links.get(value.slice(5, -1));
    if (server?.name === 'pattern')
      for (const child of server.children) visitDrawn(child, { ...context, ...(places.get(server) ?? INITIAL) });
    else for (const stop of server?.children ?? []) found.colors.add(stop.attributes.get('stop-color') ?? '#000000');
  };

  visit(root, INITIAL);
  return found;
}

/**
 * Returns the paints that masks and patterns inherit. They inherit from their ancestors in the file, and not from the
 * elements that use them.
 */
function contextsOfResources(root: Element): ReadonlyMap<Element, Context> {
  const contexts = new Map<Element, Context>();
  const visit = (node: Element, outer: Context): void => {
    const context = inherit(node, outer);
    if (node.name === 'mask' || node.name === 'pattern') contexts.set(node, context);
    for (const child of node.children) visit(child, context);
  };
  visit(root, INITIAL);
  return contexts;
}

function isHidden(node: Element): boolean {
  return node.attributes.get('display') === 'none' || node.attributes.get('opacity') === '0';
}

function inherit(node: Element, outer: Context): Context {
  const { attributes } = node;
  const fill = attributes.get('fill');
  const stroke = attributes.get('stroke');
  const visibility = attributes.get('visibility');
  return {
    fill: fill === undefined ? outer.fill : { value: fill, owner: node },
    stroke: stroke === undefined ? outer.stroke : { value: stroke, owner: node },
    strokeWidth: Number(attributes.get('stroke-width') ?? outer.strokeWidth),
    visible: visibility === undefined ? outer.visible : visibility === 'visible',
    within: outer.within,
  };
}
