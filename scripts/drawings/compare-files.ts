// Compares pictures of SVG files from a browser and from the service.
import type { CleanDrawing } from '../../src/catalog/drawing.js';
import { PICTURES_AT_ONCE, type BrowserPictures } from './browser-pictures.js';
import { compare, isTransparent, isWithin, type Difference, type Picture } from './compare-pictures.js';
import type { ProductPictures } from './product-pictures.js';

export interface SourceFile {
  /** Unique name of the file. */
  readonly name: string;
  readonly bytes: Buffer;
  /** The browser's picture, if it is already known. */
  readonly reference?: Picture;
}

export type Verdict =
  /** Both PNG and SVG are within the tolerance. */
  | 'right'
  | 'wrong'
  | 'rejected'
  /** Rejected, and the browser shows nothing or reports an error. */
  | 'rejected-empty'
  /** Accepted, but there is nothing to compare because the browser reports an error. */
  | 'accepted-broken';

export interface ComparedFile {
  readonly name: string;
  readonly verdict: Verdict;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** Difference between the browser's rendering of the file and the PNG from the service. */
  readonly png?: Difference | undefined;
  /** Difference between the browser's renderings of the file and of the SVG from the service. */
  readonly svg?: Difference | undefined;
}

/** Comparison of a file, with the pictures that `writeSheets` shows side by side. */
export interface Comparison extends ComparedFile {
  readonly pictures?: { readonly source: Picture; readonly png: Picture; readonly svg: Picture };
  readonly clean?: CleanDrawing;
}

interface Tools {
  readonly browser: BrowserPictures;
  readonly product: ProductPictures;
}

/** Yields the comparisons in the order of the files. */
export async function* compareFiles(
  files: readonly SourceFile[],
  { browser, product }: Tools,
): AsyncGenerator<Comparison> {
  for (let at = 0; at < files.length; at += PICTURES_AT_ONCE) {
    const some = files.slice(at, at + PICTURES_AT_ONCE);
    const unknown = some.filter(({ reference }) => reference === undefined);
    const [shown, made] = await Promise.all([
      browser.pictures(unknown.map(({ bytes }) => bytes)),
      product.make(some.map(({ bytes }) => bytes)),
    ]);
    const sources = new Map(unknown.map(({ name }, index) => [name, shown[index]]));
    const svgs = await browser.pictures(made.flatMap((one) => (one.kind === 'drawn' ? [one.svg] : [])));
    let drawn = 0;
    for (const [index, { name, reference }] of some.entries()) {
      const one = made[index];
      if (one === undefined) continue;
      const source = reference ?? sources.get(name);
      if (one.kind !== 'drawn') yield { name, ...undrawn(one, source) };
      else yield { name, clean: one.clean, ...compared(source, one.png, svgs[drawn++]) };
    }
  }
}

function undrawn(
  product: { readonly kind: 'rejected' | 'failed'; readonly reason?: string; readonly message: string },
  source: Picture | undefined,
): Omit<Comparison, 'name'> {
  const { kind, reason = kind, message } = product;
  if (kind === 'failed') return { verdict: 'wrong', reason, message };
  const isEmpty = source === undefined || isTransparent(source);
  return { verdict: isEmpty ? 'rejected-empty' : 'rejected', reason, message };
}

function compared(source: Picture | undefined, png: Picture, svg: Picture | undefined): Omit<Comparison, 'name'> {
  if (source === undefined) return { verdict: 'accepted-broken' };
  if (svg === undefined) return { verdict: 'wrong', message: 'the browser reports an error in the answered SVG' };
  const differences = { png: compare(source, png), svg: compare(source, svg) };
  const isRight = isWithin(differences.png) && isWithin(differences.svg);
  return { verdict: isRight ? 'right' : 'wrong', ...differences, pictures: { source, png, svg } };
}
