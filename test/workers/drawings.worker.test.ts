// Small drawings in test/data/drawings, one per kind of construct. Each drawing must look like its picture in Chromium
// (`*.chromium.png`, 256 px, transparent background), or be rejected for a named reason.
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Resvg } from '@resvg/resvg-js';
import sharp, { type Sharp } from 'sharp';
import type { DrawingRejectionCode } from '../../src/platform/drawing-rejections.js';
import { sanitizeSvg } from '../../workers/sanitize/sanitize-svg.js';
import { looksDifferent, type Picture } from '../../workers/svg/picture-difference.js';

const FOLDER = 'test/data/drawings/';
const PX = 256;

const REJECTED: Readonly<Record<string, DrawingRejectionCode>> = {
  '06-figma-conic': 'foreign_object',
  '31-clip-shape': 'unsupported_style',
  '34b-percent-no-viewbox': 'no_viewbox',
  '37f-text': 'text',
  '47-plus-lighter': 'unsupported_style',
};

describe('drawings of test/data', () => {
  const names = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.svg'))
    .map((name) => name.slice(0, -4));
  for (const name of names) {
    const reason = REJECTED[name];
    it(`${name}: ${reason === undefined ? 'looks as in Chromium' : `is rejected (${reason})`}`, async () => {
      const outcome = sanitizeSvg(readFileSync(`${FOLDER}${name}.svg`, 'utf8'));
      if (reason !== undefined) {
        expect(outcome).to.include({ ok: false, reason });
        return;
      }
      if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
      const { svg, colors, recolorable } = outcome;
      const painted = recolorable ? svg.replaceAll('currentColor', colors[0] ?? '') : svg;
      const [ours, chromium] = [await drawn(painted), await shown(`${FOLDER}${name}.chromium.png`)];
      expect(looksDifferent(ours, chromium), 'the picture differs').to.equal(false);
    });
  }
});

/** Draws the SVG, scaled and centered in a square of `PX`. */
async function drawn(svg: string): Promise<Picture> {
  const { width, height } = new Resvg(svg);
  const mode = width >= height ? 'width' : 'height';
  const png = new Resvg(svg, { fitTo: { mode, value: PX }, font: { loadSystemFonts: false } }).render().asPng();
  return premultiplied(sharp(png).resize(PX, PX, { fit: 'contain', background: '#0000' }));
}

async function shown(path: string): Promise<Picture> {
  return premultiplied(sharp(path));
}

async function premultiplied(picture: Sharp): Promise<Picture> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let at = 0; at < data.length; at += 4) {
    const alpha = (data[at + 3] ?? 0) / 255;
    for (const place of [at, at + 1, at + 2]) data[place] = Math.round((data[place] ?? 0) * alpha);
  }
  return { pixels: data, width: info.width, height: info.height };
}
