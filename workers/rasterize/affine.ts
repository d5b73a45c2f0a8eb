// Affine transforms, as in SVG's `transform` attribute.

/** A point (x, y) is moved to (a x + c y + e, b x + d y + f). */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Affine = [1, 0, 0, 1, 0, 0];

/** Returns the transform that first applies the second argument, and then the first argument. */
export function multiply([a, b, c, d, e, f]: Affine, [g, h, i, j, k, l]: Affine): Affine {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Returns the inverse transform, or undefined if the transform has no inverse. */
export function invert([a, b, c, d, e, f]: Affine): Affine | undefined {
  const area = a * d - b * c;
  if (!Number.isFinite(area) || Math.abs(area) < 1e-12) return undefined;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

const CALLS: Readonly<Record<string, (...numbers: number[]) => Affine>> = {
  matrix: (...[a = NaN, b = NaN, c = NaN, d = NaN, e = NaN, f = NaN]) => [a, b, c, d, e, f],
  translate: (x = NaN, y = 0) => [1, 0, 0, 1, x, y],
  scale: (x = NaN, y = x) => [x, 0, 0, y, 0, 0],
  rotate(degrees = NaN, x = 0, y = 0) {
    const [cos, sin] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
    return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
  },
  skewX: (degrees = NaN) => [1, 0, Math.tan(radians(degrees)), 1, 0, 0],
  skewY: (degrees = NaN) => [1, Math.tan(radians(degrees)), 0, 1, 0, 0],
};

/** Parses a list of transforms in the form that the sanitizer writes. */
export function parseTransform(list = ''): Affine {
  const calls = [...list.matchAll(/\b(\w+)\(([^()]*)\)/g)];
  return calls
    .map(([, name = '', inside = '']) => CALLS[name]?.(...inside.split(' ').map(Number)) ?? IDENTITY)
    .reduce(multiply, IDENTITY);
}
