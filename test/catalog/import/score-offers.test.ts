// Choice of the default drawing by score. Each rule of the score has a test.
import { expect } from 'chai';
import { chooseVariants, roleOf } from '../../../src/catalog/import/choose-variants.js';
import type { CandidateVariant } from '../../../src/catalog/import/candidate.js';
import type { ChoiceFacts, DrawingOffer } from '../../../src/catalog/import/score-offers.js';
import { LOOK, variantNamed } from '../../support/entries.js';

/**
 * Returns a fingerprint of 12 × 12 cells. The left half has the alpha `level` (0 to 15), and the right half is opaque.
 * With one channel, the fingerprint contains only alpha.
 */
function print(level: number, channels: 1 | 4): string {
  const cells = Array.from({ length: 144 }, (_, cell) => (cell % 12 < 6 ? level : 15)).flatMap((alpha) =>
    channels === 1 ? [alpha] : [alpha, 0, 0, alpha],
  );
  const bytes = Uint8Array.from(
    { length: cells.length / 2 },
    (_, at) => ((cells[at * 2] ?? 0) << 4) | (cells[at * 2 + 1] ?? 0),
  );
  return Buffer.from(bytes).toString('base64');
}

const MEASURED = { ...LOOK, chromatic: 1, plate: null, faded: { light: 0, dark: 0 } };
const COLORED = { ...MEASURED, print: print(0, 4), hues: 2, areas: [0.6, 0.4] };
const FLAT = { ...MEASURED, print: print(0, 1) };

let count = 0;
function drawing(name: string, facts: Partial<CandidateVariant> = {}): CandidateVariant {
  count += 1;
  return { ...variantNamed(name, { etag: `etag-${count}` }), ...facts };
}
const colored = (facts: Partial<CandidateVariant> = {}): CandidateVariant =>
  drawing('default', {
    recolorable: false,
    colors: ['#e42527', '#226db4'],
    on: ['light', 'dark'],
    look: COLORED,
    ...facts,
  });
const flat = (facts: Partial<CandidateVariant> = {}): CandidateVariant =>
  drawing('default', { colors: ['#e42527'], on: ['light', 'dark'], look: FLAT, ...facts });

function offer(variant: CandidateVariant, ref: string, facts: Partial<DrawingOffer> = {}): DrawingOffer {
  return { variant, role: roleOf(variant.name, []), kind: 'brands', rank: 1, ref, isOverride: false, ...facts };
}
const glyph = (variant: CandidateVariant): DrawingOffer =>
  offer(variant, 'glyphs:acme/default', { kind: 'glyphs', rank: 2 });

const chosenOf = (offers: readonly DrawingOffer[], facts: Partial<ChoiceFacts> = {}) =>
  chooseVariants(offers, { hex: '#E42527', chosen: undefined, ...facts });
const defaultOf = (...args: Parameters<typeof chosenOf>): string | undefined => chosenOf(...args)?.best.ref;

describe('the choice of the default', () => {
  const disc = { ...COLORED, plate: 'disc' } as const;
  const black = (): CandidateVariant => drawing('default', { look: { ...LOOK, plate: null } });
  const lettered = { height: 14, look: { ...COLORED, letters: 7 } };
  /**
   * `best` names the source whose drawing must become the default: `a`, or `glyph`, the source of the single-color
   * glyph.
   */
  const rules: readonly [
    rule: string,
    best: 'a' | 'glyph',
    a: CandidateVariant,
    other?: CandidateVariant,
    hex?: string,
  ][] = [
    ['takes the full-color symbol, not the flat one', 'a', colored()],
    ['takes the flat symbol rather than a wordmark in color', 'glyph', colored({ width: 96 })],
    ['takes the free symbol rather than a disc that the brand does not use', 'glyph', colored({ look: disc })],
    [
      'takes the disc where every source has it',
      'a',
      colored({ look: disc }),
      flat({ look: { ...FLAT, plate: 'disc' } }),
    ],
    ['takes the color rather than black, where the brand has one', 'glyph', black()],
    ['leaves a color that the brand has given up', 'glyph', flat(), black(), '#000000'],
    [
      'leaves a drawing that melts into white',
      'glyph',
      colored({ look: { ...COLORED, faded: { light: 0.9, dark: 0 } } }),
    ],
    ['leaves a lockup with lettering', 'glyph', colored(lettered)],
  ];
  for (const [rule, best, a, other = flat(), hex = '#E42527'] of rules)
    it(rule, () => expect(defaultOf([offer(a, 'a'), glyph(other)], { hex })?.split('s:')[0]).to.equal(best));

  it('takes the cheapest to draw of equal drawings', () => {
    const costly = offer(colored({ look: { ...COLORED, cost: 50_000 } }), 'a', { rank: 0 });
    const cheap = offer(colored({ look: { ...COLORED, cost: 50 } }), 'b', { rank: 3 });
    expect(defaultOf([costly, cheap])).to.equal('b');
    const other = offer(colored({ look: { ...COLORED, cost: 50, print: print(9, 4) } }), 'b', { rank: 3 });
    expect(defaultOf([costly, other])).to.equal('a');
  });

  it("follows the operator's override and own drawings before any rule", () => {
    const offers = [offer(colored(), 'a'), glyph(flat())];
    expect(defaultOf(offers, { chosen: 'glyphs:acme/default' })).to.equal('glyphs:acme/default');
    const own = offer(drawing('default', { width: 200 }), 'own:acme/default', { isOverride: true });
    expect(defaultOf([...offers, own])).to.equal('own:acme/default');
  });

  it("prefers the operator's own drawing to a drawing in the overrides", () => {
    const offers = [offer(colored(), 'a'), glyph(flat())];
    const own = offer(drawing('default', { width: 200 }), 'own:acme/default', { isOverride: true });
    expect(defaultOf([...offers, own], { chosen: 'glyphs:acme/default' })).to.equal('own:acme/default');
  });

  it("takes the operator's file with the brand's name as the default, despite their other files", () => {
    const wide = offer(drawing('default', { width: 200 }), 'own:acme/default', { isOverride: true });
    const symbol = offer(colored(), 'own:acme-icon/default', { role: 'icon', isOverride: true });
    expect(defaultOf([wide, symbol])).to.equal('own:acme/default');
    expect(defaultOf([wide, symbol], { chosen: 'own:acme-icon/default' })).to.equal('own:acme-icon/default');
  });

  it("keeps the operator's own drawing for a page against the overrides, which may name another one of theirs", () => {
    const dark = drawing('dark', { on: ['dark'], look: { ...FLAT, faded: { light: 1, dark: 0 } } });
    const own = offer(dark, 'own:acme/dark', { isOverride: true });
    const white = offer(drawing('white', { on: ['dark'] }), 'own:acme/white', { isOverride: true });
    const theirs = offer(drawing('dark', { on: ['dark'] }), 'a/dark');
    const shownAt = (page: 'light' | 'dark', show: string): string | undefined =>
      chosenOf([offer(colored(), 'a'), theirs, own, white], { pages: { [page]: show } })?.variants.find(
        ({ name }) => name === page,
      )?.etag;
    for (const show of ['a/dark', '#ffffff', 'default']) expect(shownAt('dark', show), show).to.equal(dark.etag);
    expect(shownAt('dark', 'own:acme/white')).to.equal(white.variant.etag);
    expect(shownAt('light', 'a/dark'), 'a page without a drawing of theirs').to.equal(theirs.variant.etag);
  });

  it('shows on a page what the overrides name: a drawing, a color, or the unchanged default', () => {
    const main = colored({ on: ['light', 'dark'] });
    const white = offer(drawing('dark', { on: ['dark'] }), 'a/dark');
    const mono = offer(drawing('mono', { look: FLAT }), 'glyphs:acme/mono', { kind: 'glyphs', rank: 2 });
    const offers = [offer(main, 'a'), mono, white];
    const shown = (pages: { light?: string; dark?: string }, all: readonly DrawingOffer[] = offers) =>
      chosenOf(all, { pages })?.variants.map(({ name, on, colors }) => [name, on.join(), colors[0]]);
    expect(shown({ dark: 'a/dark' })).to.deep.include(['dark', 'dark', '#000000']);
    expect(shown({ dark: 'a/dark' })?.[0]).to.deep.equal(['default', 'light', '#e42527']);
    expect(shown({ light: '#241c15' })).to.deep.include(['light', 'light', '#241c15']);
    expect(shown({ dark: 'default' })?.map(([name]) => name)).to.not.include('dark');
    expect(shown({ dark: 'gone:acme/default' })).to.deep.equal(shown({}));
    const own = offer(drawing('default', { width: 200 }), 'own:acme/default', { isOverride: true });
    expect(shown({ dark: '#ffffff' }, [...offers, own])).to.deep.equal(shown({}, [...offers, own]));
  });

  it('explains every point', () => {
    for (const { score, reasons } of chosenOf([offer(colored(), 'a'), glyph(flat())])?.scored ?? []) {
      expect(reasons.reduce((sum, { points }) => sum + points, 0)).to.equal(score);
      for (const { points, because } of reasons) {
        expect(points).to.not.equal(0);
        expect(because).to.not.equal('');
      }
    }
  });

  it("keeps a source's wordmark or other logo for dark pages under its own name", () => {
    const main = offer(colored({ on: ['light'] }), 'a');
    const names = (dark: CandidateVariant) => chosenOf([main, offer(dark, 'a/dark')])?.variants.map(({ name }) => name);
    const look = { ...FLAT, faded: { light: 1, dark: 0 } };
    const on = ['dark'] as const;
    expect(names(drawing('dark', { look, on }))).to.deep.equal(['default', 'dark']);
    expect(names(drawing('dark', { look, on, width: 96 }))).to.deep.equal(['default', 'wordmark-dark']);
    expect(names(drawing('dark', { on, look: { ...look, print: print(15, 1) } }))).to.deep.equal(['default']);
  });

  it('uses the flat symbol as mono, and derived drawings if no source has one', () => {
    const main = colored({ on: ['light'] });
    const derived = (role: 'mono' | 'dark'): DrawingOffer =>
      offer(
        drawing(`default.${role}`, { derived: true, derivedFrom: { etag: main.etag, role }, on: ['dark'] }),
        `a.${role}`,
      );
    const names = (offers: readonly DrawingOffer[]) =>
      chosenOf(offers)?.variants.map(({ name, derived }) => `${name}${derived ? '+' : ''}`);
    const mono = offer(drawing('mono', { look: FLAT }), 'glyphs:acme/mono', { kind: 'glyphs', rank: 2 });
    expect(names([offer(main, 'a'), derived('mono'), derived('dark')])).to.deep.equal(['default', 'dark+', 'mono+']);
    expect(names([offer(main, 'a'), derived('mono'), derived('dark'), glyph(flat()), mono])).to.deep.equal([
      'default',
      'dark+',
      'mono',
    ]);
  });
});
