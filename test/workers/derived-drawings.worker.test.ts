// Derived drawings: `mono` and the variants for light and dark backgrounds keep all details of the original. Otherwise
// they are not made.
import { expect } from 'chai';
import { Resvg } from '@resvg/resvg-js';
import type { Derivation, DerivedDrawing } from '../../src/catalog/drawing.js';
import type { CleanSvg } from '../../workers/sanitizer-protocol.js';
import { sanitizeSvg } from '../../workers/sanitize/sanitize-svg.js';

const drawing = (inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">${inside}</svg>`;

function clean(inside: string, derive: Derivation = 'all'): CleanSvg {
  const outcome = sanitizeSvg(drawing(inside), derive);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

/** Returns the RGBA of the pixel at this point of the viewBox. */
function pixel(svg: string, x: number, y: number): readonly number[] {
  const { pixels, width } = new Resvg(svg.replaceAll('currentColor', '#000')).render();
  return [...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}

const DISC = '<circle cx="24" cy="24" r="22" fill="#1d9bf0"/><path fill="#fff" d="M16 16h16v16H16z"/>';
const FOUR =
  '<path fill="#f25022" d="M0 0h22v22H0z"/><path fill="#7fba00" d="M26 0h22v22H26z"/>' +
  '<path fill="#00a4ef" d="M0 26h22v22H0z"/><path fill="#ffb900" d="M26 26h22v22H26z"/>';
const LETTERING = `<circle cx="24" cy="16" r="14" fill="#eb001b"/><path fill="#000" d="M4 38h6v8H4zM14 38h6v8h-6zM24 38h6v8h-6zM34 38h6v8h-6z"/>`;

describe('visibility', () => {
  const table: readonly [what: string, inside: string, on: readonly string[]][] = [
    ['white inside of a colored disc does not make it one for dark pages', DISC, ['light', 'dark']],
    ['a black square', '<path d="M0 0h48v48H0z"/>', ['light']],
    ['a white square', '<path d="M0 0h48v48H0z" fill="#fff"/>', ['dark']],
    ['a blue square', '<path d="M0 0h48v48H0z" fill="#06f"/>', ['light', 'dark']],
    ['a navy square', '<path fill="#000033" d="M0 0h48v48H0z"/>', ['light']],
    ['a pale yellow square', '<path fill="#fff000" d="M0 0h48v48H0z"/>', ['dark']],
    ['a golden square', '<path fill="#fbc817" d="M0 0h48v48H0z"/>', ['light', 'dark']],
    ['black lettering under a red disc is lost by night', LETTERING, ['light']],
    [
      'white letters on nothing',
      '<path fill="#fff" d="M0 0h9v48H0z"/><path fill="#eee" d="M20 0h9v48h-9z"/>',
      ['dark'],
    ],
  ];
  for (const [what, inside, on] of table) it(what, () => expect(clean(inside).on).to.deep.equal(on));
});

describe('derived drawings', () => {
  it('mono of separate shapes is their silhouette', () => {
    const { mono } = clean(FOUR).derived;
    expect(mono?.svg)
      .to.include('currentColor')
      .and.to.not.match(/<mask|#[0-9a-f]{6}/);
  });

  it('mono cuts white parts out', () => {
    const mono = clean(DISC).derived.mono?.svg ?? '';
    expect(pixel(mono, 24, 24)[3]).to.equal(0);
    expect(pixel(mono, 8, 24)[3]).to.equal(255);
  });

  it('in one color with tones have colors of six digits, even if nothing is black', () => {
    const overlapping = '<path fill="#804000" d="M0 0h48v48H0z"/><path fill="#ffcc00" d="M12 12h24v24H12z"/>';
    const mono = clean(overlapping).derived.mono?.svg ?? '';
    const colors = [...mono.matchAll(/fill="#([^"]*)"/g)].map(([, hex]) => hex);
    expect(colors).to.not.be.empty;
    for (const hex of colors) expect(hex).to.match(/^[0-9a-f]{6}$/);
  });

  it('mono of overlapping colors uses tones', () => {
    const overlapping = '<path fill="#001100" d="M0 0h48v48H0z"/><path fill="#ffcc00" d="M12 12h24v24H12z"/>';
    const mono = clean(overlapping).derived.mono?.svg ?? '';
    expect(pixel(mono, 4, 4)[3]).to.be.greaterThan((pixel(mono, 24, 24)[3] ?? 255) + 60);
  });

  it('for a page change parts that melt into it, and keep enclosed white', () => {
    const { dark, light } = clean(LETTERING).derived;
    expect(light).to.equal(undefined);
    expect(dark?.on).to.include('dark');
    expect(
      pixel(dark?.svg ?? '', 6, 42)
        .slice(0, 3)
        .every((channel) => channel > 200),
    ).to.equal(true);
    const yellow = '<circle cx="24" cy="24" r="22" fill="#fff000"/><path fill="#fff" d="M16 16h16v16H16z"/>';
    const onLight = clean(yellow).derived.light;
    expect(onLight?.on).to.include('light');
    expect(pixel(onLight?.svg ?? '', 24, 24)).to.deep.equal([255, 255, 255, 255]);
  });

  it('have unique ids, so that both can be in one page', () => {
    const shaded =
      '<linearGradient id="g"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient>' +
      '<path fill="url(#g)" d="M0 0h48v48H0z"/><path fill="#fff" d="M12 12h24v24H12z"/>';
    const { svg, derived } = clean(shaded);
    const ids = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    for (const one of [derived.mono?.svg ?? '', derived.light?.svg ?? '', derived.dark?.svg ?? ''])
      for (const id of ids(one)) expect(ids(svg)).to.not.include(id);
  });

  it('are unchanged by another sanitization', () => {
    for (const inside of [DISC, FOUR, LETTERING])
      for (const one of Object.values<DerivedDrawing>(clean(inside).derived)) {
        const again = sanitizeSvg(one.svg.replaceAll('currentColor', '#123456'));
        expect(again).to.include({ ok: true });
      }
  });

  it('are made only on request', () => {
    expect(clean(LETTERING, 'nothing')).to.deep.include({ derived: {} });
    expect(clean(LETTERING, 'nothing').look).to.equal(undefined);
    expect(Object.keys(clean(LETTERING, 'backgrounds').derived)).to.deep.equal(['dark']);
  });

  it('change only the paint of invisible parts', () => {
    const twoParts = '<path fill="#003087" d="M0 0h20v48H0z"/><path fill="#009cde" d="M28 0h20v48H28z"/>';
    const { dark, light } = clean(twoParts).derived;
    expect(light).to.equal(undefined);
    expect(dark?.colors).to.include('#009cde').and.to.not.include('#003087');
  });

  it('are not made for a tile, which is its own background', () => {
    const tile = '<path fill="#001e36" d="M0 0h48v48H0z"/><path fill="#31a8ff" d="M12 12h24v24H12z"/>';
    expect(clean(tile).on).to.deep.equal(['light', 'dark']);
    expect(clean(tile).derived).to.have.all.keys('mono');
  });

  it('are not made for a mark with a visible outline, or for strong colors on white', () => {
    const outlined = '<circle cx="24" cy="24" r="21" fill="#fff" stroke="#000" stroke-width="2"/>';
    for (const inside of [FOUR, outlined]) expect(clean(inside).on, inside).to.deep.equal(['light', 'dark']);
    expect(clean(FOUR).derived).to.have.all.keys('mono');
  });
});

describe('the look of a drawing', () => {
  it('is the same for the same picture with other margins', () => {
    const small = sanitizeSvg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-24 -24 96 96">${DISC}</svg>`, 'look');
    if (!small.ok) throw new Error(small.message);
    expect(small.look?.print).to.equal(clean(DISC, 'look').look?.print);
    expect(small.ink.map(Math.round)).to.deep.equal([26, 26, 44, 44]);
  });

  it('includes plates, lettering and colors', () => {
    expect(clean(DISC).look).to.include({ plate: 'disc', hues: 2 });
    expect(clean('<path fill="#123456" d="M0 0h48v48H0z"/>').look).to.include({
      plate: 'square',
      hues: 1,
      chromatic: 1,
    });
    expect(clean(LETTERING).look?.letters).to.equal(4);
    expect(clean(FOUR).look).to.include({ hues: 4 });
  });
});

describe('filters', () => {
  const filter = (deviation: number) =>
    `<filter id="f" x="-.5" y="-.5" width="2" height="2"><feGaussianBlur stdDeviation="${deviation}"/></filter>`;

  it('are removed if they hardly show, and kept if they do', () => {
    const shape = '<path fill="#f00" d="M8 8h32v32H8z"/><path fill="#00f" filter="url(#f)" d="M14 14h4v4h-4z"/>';
    expect(clean(filter(0.1) + shape).svg).to.not.include('filter');
    expect(clean(filter(6) + shape.replace('M14 14h4v4h-4z', 'M0 0h30v30H0z')).svg).to.include('<filter');
  });

  it('stay if they blur an object of any size, because it would get edges, while faint shadows are removed', () => {
    const shape = '<path fill="#f00" d="M2 2h44v44H2z"/>';
    const blurred = '<path fill="#d22" filter="url(#f)" d="M20 20h3v3h-3z"/>';
    const shadow =
      '<filter id="s"><feGaussianBlur in="SourceAlpha" stdDeviation=".05" result="b"/><feMerge><feMergeNode in="b"/><feMergeNode in="SourceGraphic"/></feMerge></filter><path fill="#0a0" filter="url(#s)" d="M30 30h3v3h-3z"/>';
    const both = clean(filter(1) + shape + blurred + shadow).svg;
    expect(both.match(/filter="url/g)).to.have.length(1);
    expect(both).to.include('stdDeviation="1"').and.to.not.include('feMerge');
    expect(clean(shape + shadow).svg).to.not.include('filter');
  });
});
