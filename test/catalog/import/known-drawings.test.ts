// Reuse of sanitizer results: of several drawings with the same content, an import sanitizes only one.
import { expect } from 'chai';
import type { CleanDrawing, Derivation } from '../../../src/catalog/drawing.js';
import type { SanitizeOutcome } from '../../../src/catalog/sanitizer.js';
import { reusingOutcomes } from '../../../src/catalog/import/known-drawings.js';

const svgOf = (title: string, path: string): string => `<svg><title>${title}</title><path d="${path}"/></svg>`;

/** Sanitizer that records the drawings it gets. Drawings that contain `gradient` cannot be recolored. */
function countingSanitizer() {
  const asked: string[] = [];
  const clean = (svg: string): SanitizeOutcome => ({
    ok: true,
    ...({ svg, recolorable: !svg.includes('gradient') } as CleanDrawing),
  });
  return {
    asked,
    sanitizer: reusingOutcomes({
      async sanitize(svgs: readonly string[], derive: readonly Derivation[] = []) {
        svgs.forEach((svg, at) => asked.push(`${derive[at] ?? 'nothing'} ${svg}`));
        return svgs.map(clean);
      },
      close: () => Promise.resolve(),
    }),
  };
}

describe('sanitizing drawings that several packages have', () => {
  it('sanitizes equal drawings once, ignoring titles, and keeps the order of the results', async () => {
    const { sanitizer, asked } = countingSanitizer();
    await sanitizer.sanitize([svgOf('One', 'M0 0')], ['backgrounds']);
    const outcomes = await sanitizer.sanitize(
      [svgOf('new', 'M1 1'), svgOf('Other title', 'M0 0'), svgOf('new', 'M2 2')],
      ['all', 'all', 'look'],
    );
    expect(asked).to.have.length(3);
    expect(outcomes.map((outcome) => outcome.ok && outcome.svg)).to.deep.equal([
      svgOf('new', 'M1 1'),
      svgOf('One', 'M0 0'),
      svgOf('new', 'M2 2'),
    ]);
  });

  it('sanitizes again if it was not measured before, or has several colors', async () => {
    const { sanitizer, asked } = countingSanitizer();
    for (const derive of ['nothing', 'painted', 'look', 'all'] as const)
      await sanitizer.sanitize([svgOf('a', 'M0 0'), svgOf('b', 'gradient')], [derive, derive]);
    expect(asked.filter((one) => one.includes('M0 0'))).to.have.length(2);
    expect(asked.filter((one) => one.includes('gradient'))).to.have.length(4);
  });
});
