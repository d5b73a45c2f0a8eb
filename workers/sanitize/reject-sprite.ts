// Rejects sprites: files that define symbols for other documents and draw nothing by themselves.
import { RESOURCES } from '../svg/references.js';
import { Rejected, walk, type Element } from '../svg/svg-tree.js';

/** Elements that draw nothing where they are defined. */
const UNDRAWN = new Set([...RESOURCES, 'style', 'script', 'title', 'desc', 'metadata', 'view']);
const GROUPS = new Set(['svg', 'g', 'a', 'switch']);

/**
 * Throws `Rejected` for a sprite. The code `sprite` tells the user how to fix the file, unlike the code for an empty
 * drawing.
 */
export function rejectSprite(root: Element): void {
  if (draws(root)) return;
  const symbols = walk(root).filter(({ name }) => name === 'symbol');
  const [first] = symbols;
  if (first === undefined) return;
  const count = symbols.length === 1 ? '1 symbol and does not draw it' : `${symbols.length} symbols and draws none`;
  throw new Rejected('sprite', `the file contains ${count}`, first);
}

function draws({ children }: Element): boolean {
  return children.some((child) => !UNDRAWN.has(child.name) && (!GROUPS.has(child.name) || draws(child)));
}
