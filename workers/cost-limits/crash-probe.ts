// Tests a drawing for crashes of resvg, in the orientations and with the padding with which it may be drawn later.
// resvg panics in native code (geom.rs, fit_to_rect) if a layer (opacity, clip, mask, filter, blending) is more than
// two picture sizes away from the origin of its enclosing layer. A panic ends the process and cannot be caught. The
// sanitizer therefore runs in a separate process, and a drawing that ends this process is rejected.
import { Resvg } from '@resvg/resvg-js';
import type { Extent } from '../svg/drawing-bounds.js';
import { isLayer } from '../svg/references.js';
import { LIMITS } from '../svg/drawing-limits.js';
import { walk, writeTree, type Element } from '../svg/svg-tree.js';

/** Side of the test pictures, px. Small pictures suffice, because crashes do not depend on the size. */
const TRIAL_PX = 24;

export function probeForCrash(document: Element, extent: Extent): void {
  if (!isRisky(document, extent)) return;
  const [x, y, width, height] = extent.viewBox;
  const [cx, cy] = [x + width / 2, y + height / 2];
  const inside = document.children.map(writeTree).join('');
  for (const flip of ['', 'scale(-1 1)', 'scale(1 -1)', 'scale(-1 -1)']) {
    for (const rotation of ['', 'rotate(90)']) {
      const [across, down] = rotation === '' ? [width, height] : [height, width];
      for (const zoom of [1, 1.4]) {
        const frame = [cx - (across * zoom) / 2, cy - (down * zoom) / 2, across * zoom, down * zoom].join(' ');
        for (const layer of ['', ' opacity=".5"']) {
          const moved = `translate(${cx} ${cy})${rotation}${flip}translate(${-cx} ${-cy})`;
          draw(
            `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${frame}"><g ` +
              `transform="${moved}"${layer}>${inside}</g></svg>`,
            across / down,
          );
        }
      }
    }
  }
}

function draw(svg: string, aspect: number): void {
  const fitTo =
    aspect >= 1 ? ({ mode: 'height', value: TRIAL_PX } as const) : ({ mode: 'width', value: TRIAL_PX } as const);
  new Resvg(svg, { fitTo, font: { loadSystemFonts: false } }).render();
}

/**
 * Returns true if the drawing has layers, and their position is unknown or the drawing extends far beyond its picture.
 */
function isRisky(document: Element, { viewBox: [x, y, width, height], bounds }: Extent): boolean {
  const nodes = walk(document);
  if (!nodes.some(isLayer)) return false;
  if (nodes.some((node) => (node.name === 'mask' || node.name === 'pattern') && walk(node).slice(1).some(isLayer)))
    return true;
  if (bounds === undefined) return true;
  const spanX = Math.max(x + width, bounds.x + bounds.width) - Math.min(x, bounds.x);
  const spanY = Math.max(y + height, bounds.y + bounds.height) - Math.min(y, bounds.y);
  return spanX > LIMITS.span * width || spanY > LIMITS.span * height;
}
