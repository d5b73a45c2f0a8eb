// Perceptual color distance: Euclidean distance in OKLab (Ottosson 2020). Distances are computed once per color of the
// palette, not per document.
import { converter, parseHex } from 'culori';

const toOklab = converter('oklab');

/** Lightness, green–red axis, blue–yellow axis. */
type Oklab = readonly [l: number, a: number, b: number];

/** Parses three or six hex digits, with or without `#`. Returns undefined for other text. */
export function oklabOf(hex: string): Oklab | undefined {
  if (!/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(hex)) return undefined;
  const lab = toOklab(parseHex(hex));
  return lab && [lab.l, lab.a, lab.b];
}

/** Colors of all documents, as indexes into one shared palette. */
export interface ColorTable {
  readonly palette: readonly { readonly hex: string; readonly lab: Oklab }[];
  /** Document d has the colors from `colors[offsets[d]]` up to, but not including, `colors[offsets[d + 1]]`. */
  readonly offsets: Uint32Array;
  readonly colors: Uint32Array;
}

/** Collects the colors of documents, in the order of the documents. Equal colors share one index in the palette. */
export function collectColors() {
  const numbers = new Map<string, number>();
  const palette: { hex: string; lab: Oklab }[] = [];
  const offsets: number[] = [0];
  const colors: number[] = [];
  const numberOf = (hex: string) => {
    let number = numbers.get(hex);
    if (number === undefined) {
      const lab = oklabOf(hex);
      number = lab ? palette.push({ hex, lab }) - 1 : -1;
      numbers.set(hex, number);
    }
    return number;
  };
  return {
    /** Adds the colors of the next document. The brand color must be first. */
    add(hexes: readonly string[]) {
      for (const hex of new Set(hexes.map((each) => each.toUpperCase()))) {
        const number = numberOf(hex);
        if (number >= 0) colors.push(number);
      }
      offsets.push(colors.length);
    },
    finish: (): ColorTable => ({ palette, offsets: Uint32Array.from(offsets), colors: Uint32Array.from(colors) }),
  };
}

/**
 * Returns the distance between each palette color and the given color. Equal colors have the distance 0; black and
 * white have the distance 1.
 */
export function paletteDistances(table: ColorTable, [l, a, b]: Oklab): Float64Array {
  return Float64Array.from(table.palette, ({ lab }) => Math.hypot(lab[0] - l, lab[1] - a, lab[2] - b));
}

/** Returns the palette index of the document's nearest color. Returns undefined if the document has no color. */
export function nearestColor(table: ColorTable, distances: Float64Array, document: number): number | undefined {
  let nearest: number | undefined;
  for (let at = table.offsets[document] ?? 0; at < (table.offsets[document + 1] ?? 0); at++) {
    const color = table.colors[at] ?? 0;
    if (nearest === undefined || (distances[color] ?? 0) < (distances[nearest] ?? 0)) nearest = color;
  }
  return nearest;
}
