// Computes the viewBox of a drawing from the size, viewBox, aspect ratio, transform and background of the root.
import { element, formatNumber, Rejected, type Element } from '../svg/svg-tree.js';
import type { ViewBox } from '../svg/drawing-bounds.js';
import { LIMITS } from '../svg/drawing-limits.js';
import { IDENTITY, matrixText, multiply, type Matrix } from './css-transform.js';
import { parseColor } from '../svg/css-color.js';
import { lengthOf } from './attribute-values.js';
import { inSpace, matrixOf } from './resolve-transforms.js';

export interface Framed {
  readonly viewBox: ViewBox;
  /** Content that is drawn, in units of the viewBox. */
  readonly content: Element;
}

const FRAME = ['x', 'y', 'width', 'height', 'viewBox', 'preserveAspectRatio', 'overflow', 'id', 'display'];
const TRANSFORMS = ['transform', 'translate', 'rotate', 'scale', 'transform-origin', 'transform-box'];
const BACKGROUNDS = ['background', 'background-color', 'background-image'];
/** Maximum relative difference between aspect ratios that count as equal, because sizes are often rounded. */
const SAME_RATIO = 0.005;

/** Returns the viewBox and the content. Throws `Rejected`. */
export function frameOf(root: Element): Framed {
  const { viewBox, stretch } = fittedBox(root);
  const [x, y, width, height] = viewBox;
  const { min, max } = LIMITS.viewBoxSide;
  const isSane =
    [width, height].every((side) => side >= min && side <= max) && [x, y].every((at) => Math.abs(at) <= max);
  if (!isSane)
    throw new Rejected('bad_viewbox', `the viewBox ${viewBox.join(' ')} is too large, too small or too far away`, root);
  if (Math.max(width / height, height / width) > LIMITS.aspect)
    throw new Rejected('bad_viewbox', `the ratio of its sides is more than 1:${LIMITS.aspect}`, root);
  const outer = multiply(rootMatrix(root, viewBox), stretch);
  const background = backgroundOf(root, viewBox);
  const kept = [...root.attributes].filter(([name]) => ![...FRAME, ...TRANSFORMS, ...BACKGROUNDS].includes(name));
  const content = element('g', kept, root.children);
  if (background !== undefined) content.children = [background, ...content.children];
  if (outer.some((value, at) => value !== IDENTITY[at])) content.attributes.set('transform', matrixText(outer));
  return { viewBox, content };
}

interface Fitted {
  readonly viewBox: ViewBox;
  readonly stretch: Matrix;
}

/** Returns the visible part of the drawing as a viewBox, and the matrix that stretches the content. */
// oxlint-disable-next-line complexity -- each part of a viewBox may be missing
function fittedBox(root: Element): Fitted {
  const { attributes } = root;
  const [width, height] = (['width', 'height'] as const).map((name) => {
    const side = lengthOf(attributes.get(name)?.trim() ?? '', undefined);
    return side !== undefined && side > 0 ? side : undefined;
  });
  const given = attributes.get('viewBox');
  const [x, y, across, down, ...more] = (given ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const isValid = [x, y, across, down].every(Number.isFinite) && more.length === 0;
  if (x === undefined || y === undefined || across === undefined || down === undefined || !isValid) {
    if (width !== undefined && height !== undefined) return { viewBox: [0, 0, width, height], stretch: IDENTITY };
    if (given === undefined)
      throw new Rejected('no_viewbox', 'the root element has neither a viewBox nor a width and height', root);
    throw new Rejected('bad_viewbox', 'the viewBox is not four numbers', root);
  }
  const box: ViewBox = [x, y, across, down];
  if (width === undefined || height === undefined || across <= 0 || down <= 0)
    return { viewBox: box, stretch: IDENTITY };
  const ratio = (width / height) * (down / across);
  if (Math.abs(ratio - 1) < SAME_RATIO) return { viewBox: box, stretch: IDENTITY };
  return fitted(box, ratio, attributes.get('preserveAspectRatio')?.trim() ?? '');
}

/**
 * Fits the viewBox into the picture by the rule of `preserveAspectRatio`. `ratio` is the aspect ratio of the picture
 * divided by the aspect ratio of the viewBox.
 */
function fitted([x, y, width, height]: ViewBox, ratio: number, rule: string): Fitted {
  if (rule.startsWith('none'))
    return { viewBox: [x * ratio, y, width * ratio, height], stretch: [ratio, 0, 0, 1, 0, 0] };
  const [, alignX = 'Mid', alignY = 'Mid', slice] =
    /^x(Min|Mid|Max)Y(Min|Mid|Max)(?:\s+(?:meet|(slice)))?$/.exec(rule) ?? [];
  const shares: Readonly<Record<string, number>> = { Min: 0, Mid: 0.5, Max: 1 };
  const isWidthChanged = ratio > 1 === (slice === undefined);
  const [across, down] = isWidthChanged ? [width * ratio, height] : [width, height / ratio];
  const left = x - (across - width) * (shares[alignX] ?? 0.5);
  const top = y - (down - height) * (shares[alignY] ?? 0.5);
  return { viewBox: [left, top, across, down], stretch: IDENTITY };
}

/** Returns the matrix of the root's transform. The default origin is the center. */
function rootMatrix(root: Element, [x, y, width, height]: ViewBox): Matrix {
  const { attributes } = root;
  const special = Object.fromEntries(TRANSFORMS.map((name) => [name, attributes.get(name)]));
  if (TRANSFORMS.slice(0, 4).every((name) => special[name] === undefined)) return IDENTITY;
  const sides = ['width', 'height'].map((name) => lengthOf(attributes.get(name)?.trim() ?? '', undefined));
  const [across = width, down = height] = sides;
  const matrix = matrixOf(
    special.transform ?? '',
    special,
    () => ({ x: 0, y: 0, width: across, height: down }),
    '50% 50%',
  );
  if (matrix === undefined) throw inSpace(root);
  const [scaleX, scaleY] = [width / across, height / down];
  const toUser: Matrix = [scaleX, 0, 0, scaleY, x, y];
  const toBox: Matrix = [1 / scaleX, 0, 0, 1 / scaleY, -x / scaleX, -y / scaleY];
  return multiply(multiply(toUser, matrix), toBox);
}

function backgroundOf(root: Element, [x, y, width, height]: ViewBox): Element | undefined {
  const image = root.attributes.get('background-image') ?? 'none';
  const parts = root.attributes.get('background')?.match(/[^\s(]+(?:\([^)]*\))?/g) ?? [];
  const isPicture = (part: string): boolean => part.includes('(') && parseColor(part) === undefined;
  if (image !== 'none' || parts.some(isPicture))
    throw new Rejected('unsupported_style', 'the background of the root element is an image', root);
  const color = root.attributes.get('background-color') ?? parts.find((part) => parseColor(part) !== undefined);
  const paint = color === undefined ? undefined : parseColor(color);
  if (paint === undefined || paint.alpha === 0) return undefined;
  const sides = { x, y, width, height };
  return element('rect', [
    ...Object.entries(sides).map(([name, value]): [string, string] => [name, formatNumber(value)]),
    ['fill', paint.hex],
    ['fill-opacity', formatNumber(paint.alpha)],
    ['stroke', 'none'],
  ]);
}
