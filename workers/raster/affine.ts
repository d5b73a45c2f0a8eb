// Affine maps of the plane, as SVG's transform attributes write them.

/** x' = a x + c y + e, y' = b x + d y + f. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Affine = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`. */
export function multiply(outer: Affine, inner: Affine): Affine {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Undefined when nothing of the plane's area is left. */
export function invert([a, b, c, d, e, f]: Affine): Affine | undefined {
  const area = a * d - b * c;
  if (!Number.isFinite(area) || Math.abs(area) < 1e-12) return undefined;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

/** How many times as long lines become, on average. */
export function scaleOf([a, b, c, d]: Affine): number {
  return Math.sqrt(Math.abs(a * d - b * c));
}

/** Reads the canonical lists that the sanitizer writes; undefined for any other. */
export function parseTransform(list: string | undefined): Affine | undefined {
  let result: Affine | undefined = IDENTITY;
  for (const [, name = '', inside = ''] of (list ?? '').matchAll(/([a-zA-Z]+)\(([^()]*)\)/g)) {
    const call = transformCall(
      name,
      inside
        .trim()
        .split(/[\s,]+/)
        .map(Number),
    );
    result = result && call && multiply(result, call);
  }
  return result?.every(Number.isFinite) === true ? result : undefined;
}

function transformCall(name: string, numbers: readonly number[]): Affine | undefined {
  const [a = 0, b] = numbers;
  const radians = (a * Math.PI) / 180;
  switch (name) {
    case 'matrix':
      return matrix(numbers);
    case 'translate':
      return [1, 0, 0, 1, a, b ?? 0];
    case 'scale':
      return [a, 0, 0, b ?? a, 0, 0];
    case 'rotate':
      return rotation(radians, numbers[1] ?? 0, numbers[2] ?? 0);
    case 'skewX':
      return [1, 0, Math.tan(radians), 1, 0, 0];
    case 'skewY':
      return [1, Math.tan(radians), 0, 1, 0, 0];
    default:
      return undefined;
  }
}

function matrix([a = NaN, b = NaN, c = NaN, d = NaN, e = NaN, f = NaN]: readonly number[]): Affine {
  return [a, b, c, d, e, f];
}

function rotation(radians: number, x: number, y: number): Affine {
  const rotation: Affine = [Math.cos(radians), Math.sin(radians), -Math.sin(radians), Math.cos(radians), 0, 0];
  return multiply(multiply([1, 0, 0, 1, x, y], rotation), [1, 0, 0, 1, -x, -y]);
}

interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** From a viewBox, whole and in the middle, to the viewport it is shown in (SVG 2, 8.2: `xMidYMid meet`). */
export function viewBoxTransform(viewBox: string | undefined, { x, y, width, height }: Frame): Affine | undefined {
  const [minX, minY, across, down] = (viewBox ?? `0 0 ${width} ${height}`).split(/[\s,]+/).map(Number);
  if (minX === undefined || minY === undefined || across === undefined || down === undefined) return undefined;
  const scale = Math.min(width / across, height / down);
  const result: Affine = [
    scale,
    0,
    0,
    scale,
    x + (width - across * scale) / 2 - minX * scale,
    y + (height - down * scale) / 2 - minY * scale,
  ];
  return result.every(Number.isFinite) ? result : undefined;
}
