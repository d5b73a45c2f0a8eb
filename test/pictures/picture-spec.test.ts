// Specification of a picture: variant, color and geometry, for all formats.
import { expect } from 'chai';
import fc from 'fast-check';
import sax from 'sax';
import type { Entry, Slug, Variant } from '../../src/catalog/entry.js';
import { contrast, parseColor, WHITE, type Color } from '../../src/platform/text/color.js';
import { composeSvg } from '../../src/pictures/compose-svg.js';
import { pictureKey, pictureSpec } from '../../src/pictures/picture-spec.js';
import {
  PICTURE_QUERIES,
  pictureRequest,
  type PictureFormat,
  type PictureRequest,
} from '../../src/pictures/picture-request.js';
import * as monogram from '../../src/pictures/monogram.js';
import { someEntry, someVariant } from '../support/entries.js';
import { thrownBy } from '../support/thrown.js';

const WIDE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 5 40 20"><path fill="currentColor" d="M0 5h10v10z"/></svg>';

const slugOf = (text: string) => text as Slug;

function variant(name: string, more: Partial<Variant> = {}): Variant {
  return someVariant({ name, width: 40, height: 20, colors: ['#336699'], etag: `etag-${name}`, ...more });
}

function entry(variants: readonly [Variant, ...Variant[]], hex: string | null = '#FF8800'): Entry {
  return someEntry('acme', { title: 'Acme', hex, variants });
}

const MONO = entry([variant('default')]);

function request(format: PictureFormat, query: Readonly<Record<string, string>>) {
  return pictureRequest(format, PICTURE_QUERIES[format].parse(query));
}

function picture(query: Readonly<Record<string, string>>, format: PictureFormat = 'png', of = MONO) {
  return pictureSpec(of, request(format, query));
}

function svg(query: Readonly<Record<string, string>>, format: PictureFormat = 'svg'): string {
  return composeSvg(WIDE, picture(query, format).picture);
}

describe('the version of a variant for a page', () => {
  const nameOn = (on: 'light' | 'dark', dark: Partial<Variant>) =>
    pictureSpec(
      entry([
        variant('default', { recolorable: false }),
        variant('wordmark', { on: ['light'], recolorable: false }),
        variant('wordmark-dark', { recolorable: false, ...dark }),
      ]),
      request('png', { variant: 'wordmark', on }),
    ).variant.name;

  it('only differs if that variant is visible', () => {
    expect(nameOn('dark', { on: ['dark'] })).to.equal('wordmark-dark');
    expect(nameOn('dark', { on: ['light'] })).to.equal('wordmark');
    expect(nameOn('light', { on: ['dark'] })).to.equal('wordmark');
  });
});

describe('picture geometry', () => {
  const geometry = (query: Readonly<Record<string, string>>, format: PictureFormat = 'png') =>
    picture(query, format).picture.geometry;

  it('contains and centers the drawing in a square', () => {
    expect(geometry({ size: '100' })).to.deep.include({
      box: { width: 100, height: 100 },
      content: { x: 0, y: 25, width: 100, height: 50 },
    });
  });

  it('derives the other side from the aspect ratio, of the rotated drawing too', () => {
    expect(geometry({ width: '100' }).box).to.deep.equal({ width: 100, height: 50 });
    expect(geometry({ height: '100' }).box).to.deep.equal({ width: 200, height: 100 });
    expect(geometry({ width: '100', rotate: '90' }).box).to.deep.equal({ width: 100, height: 200 });
    expect(geometry({ width: '9' }).box).to.deep.equal({ width: 9, height: 5 });
  });

  it('centers the rotated drawing in its box', () => {
    const { box, content } = geometry({ size: '100', rotate: '270' });
    expect(content).to.deep.equal({ x: 0, y: 25, width: 100, height: 50 });
    expect([content.x + content.width / 2, content.y + content.height / 2]).to.deep.equal([
      box.width / 2,
      box.height / 2,
    ]);
  });

  it('derives padding and radius from the shorter side, and the radius only with a background', () => {
    const { content, cornerRadius } = geometry({
      width: '200',
      height: '100',
      padding: '10',
      radius: '50',
      background: 'fff',
    });
    expect(content).to.deep.equal({ x: 20, y: 10, width: 160, height: 80 });
    expect(cornerRadius).to.equal(50);
    expect(geometry({ size: '100', radius: '50' }).cornerRadius).to.equal(0);
  });

  it('multiplies by the device pixel ratio', () => {
    expect(geometry({ size: '100', scale: '3' }).box).to.deep.equal({ width: 300, height: 300 });
    expect(geometry({ width: '101', scale: '2' }).box).to.deep.equal({ width: 202, height: 101 });
  });

  it('rejects a derived side that is too large, and never returns 0 px', () => {
    const tall = entry([variant('default', { width: 1, height: 32 })]);
    expect(thrownBy(() => pictureSpec(tall, request('png', { width: '129' }))).details?.[0]?.field).to.equal('width');
    expect(pictureSpec(tall, request('png', { width: '128' })).picture.geometry.box.height).to.equal(4096);
    expect(pictureSpec(tall, request('png', { height: '8' })).picture.geometry.box.width).to.equal(1);
  });

  it('gives a framed SVG without a size the box of PNG and WebP', () => {
    expect(geometry({ padding: '10' }, 'svg')).to.deep.include({ box: { width: 256, height: 256 }, sized: false });
    expect(geometry({ rotate: '90' }, 'svg')).to.deep.include({ box: { width: 20, height: 40 }, sized: false });
  });
});

describe('picture colors and variants', () => {
  const paint = (query: Readonly<Record<string, string>>, of = MONO) => picture(query, 'png', of).picture.paint;

  it('paints with the own color, a given one, or the brand color', () => {
    expect(paint({})).to.equal('336699ff');
    expect(paint({ color: 'tomato' })).to.equal('ff6347ff');
    expect(paint({ color: '1234' })).to.equal('11223344');
    expect(paint({ color: 'brand' })).to.equal('ff8800ff');
  });

  it('throws 422 for a color that the variant cannot have, and names the variants that can', () => {
    const colorful = entry([variant('default', { recolorable: false }), variant('mono')], null);
    const rejection = thrownBy(() => picture({ color: 'red' }, 'png', colorful));
    expect(rejection.code).to.equal('unprocessable');
    expect(rejection.message).to.include('mono');
    expect(thrownBy(() => picture({ color: 'brand', variant: 'mono' }, 'png', colorful)).code).to.equal(
      'unprocessable',
    );
  });

  it("answers 400 for an unknown variant with the entry's own names", () => {
    const rejection = thrownBy(() =>
      picture({ variant: 'wordmark' }, 'png', entry([variant('default'), variant('mono')])),
    );
    expect(rejection.code).to.equal('invalid_request');
    expect(rejection.details).to.deep.equal([
      { field: 'variant', reason: 'acme has no variant of this name', allowed: ['default', 'mono'] },
    ]);
  });

  it('picks a variant that is visible on the background', () => {
    const both = variant('default', { recolorable: false, on: ['light', 'dark'] });
    const light = variant('default', { recolorable: false });
    const dark = variant('dark', { recolorable: false, on: ['dark'] });
    const chosen = (variants: readonly [Variant, ...Variant[]], on: string) =>
      picture({ on }, 'png', entry(variants)).variant.name;
    expect(chosen([light, dark], 'dark')).to.equal('dark');
    expect(chosen([light, dark], 'light')).to.equal('default');
    expect(chosen([both, dark], 'dark')).to.equal('default');
    expect(chosen([variant('default'), dark], 'dark')).to.equal('dark');
    expect(chosen([both, variant('mono')], 'dark')).to.equal('default');
    expect(chosen([variant('default'), variant('badge', { recolorable: false, on: ['dark'] })], 'dark')).to.equal(
      'default',
    );
    expect(chosen([light, variant('badge', { on: ['dark'] }), variant('mono')], 'dark')).to.equal('mono');
    expect(chosen([light, variant('wordmark', { on: ['dark'] }), variant('line', { on: ['dark'] })], 'dark')).to.equal(
      'line',
    );
    expect(chosen([light, variant('wordmark', { on: ['dark'] }), variant('mono')], 'dark')).to.equal('mono');
    expect(chosen([light, variant('wordmark', { recolorable: false, on: ['dark'] })], 'dark')).to.equal('wordmark');
    expect(chosen([light], 'dark')).to.equal('default');
  });

  it('gives a single-color drawing a visible color: the brand color, or else its own in another lightness', () => {
    const navy = entry([variant('default', { colors: ['#000022'] })], '#000022');
    expect(paint({ on: 'dark' }, navy)).to.equal('ffffffff');
    expect(paint({ on: 'light' }, navy)).to.equal('000022ff');
    const orange = entry([variant('default', { colors: ['#000000'] })]);
    expect(paint({ on: 'dark' }, orange)).to.equal('ff8800ff');
    expect(paint({ on: 'dark', color: '111' }, orange)).to.equal('111111ff');
    // On a dark page, a color is visible if its contrast is at least 3:1, as in the catalog import. If neither the
    // drawing's own color nor the brand color is visible, the drawing gets a lighter color. The contrast of this color
    // is at least 4.5:1.
    const brown = entry([variant('default', { colors: ['#000000'] })], '#7A3E00');
    expect(paint({ on: 'dark' }, brown)).to.equal('ffffffff');
    const blue = entry([variant('default', { colors: ['#003087'] })], '#003087');
    const lighter = paint({ on: 'dark' }, blue);
    expect(contrast(lighter as Color, '121212ff' as Color), 'readable, even if it is thin').to.be.within(4.5, 4.8);
    expect(paint({ on: 'dark', greyscale: '1' }, blue)).to.equal('ffffffff');
  });

  it('gives lettering on a dark page the contrast of text, although a compact symbol keeps its color', () => {
    // This color has a contrast of 3.7:1 on a dark page.
    const hex = '#a8456b';
    const colors = { colors: [hex], on: ['light', 'dark'] } as const;
    const symbol = entry([variant('default', { ...colors, width: 24, height: 24 })], hex);
    expect(paint({ on: 'dark' }, symbol)).to.equal(`${hex.slice(1)}ff`);
    const wide = entry([variant('default', { ...colors, width: 1400, height: 452 })], hex);
    const wordmark = entry([variant('default'), variant('wordmark', colors)], hex);
    for (const [of, query] of [
      [wide, {}],
      [wordmark, { variant: 'wordmark' }],
    ] as const) {
      const lighter = paint({ on: 'dark', ...query }, of);
      expect(contrast(lighter as Color, '121212ff' as Color)).to.be.within(4.5, 4.8);
      expect(paint({ on: 'light', ...query }, of), 'on white').to.equal(`${hex.slice(1)}ff`);
    }
  });

  it('counts a drawing as lettering from two and a half times as long as wide, in both directions', () => {
    const hex = '#a8456b';
    const painted = (width: number, height: number) =>
      paint({ on: 'dark' }, entry([variant('default', { colors: [hex], on: ['light', 'dark'], width, height })], hex));
    for (const [long, short, keeps] of [
      [249, 100, true],
      [250, 100, false],
    ] as const)
      for (const made of [painted(long, short), painted(short, long)])
        expect(made === `${hex.slice(1)}ff`, `${long}:${short}`).to.equal(keeps);
  });

  it('darkens a color on a light page only as far as a graphic needs', () => {
    const pale = entry([variant('default', { colors: ['#aaccff'], on: ['dark'] })], null);
    const darker = paint({ on: 'light' }, pale) as Color;
    expect(contrast(darker, WHITE)).to.be.within(3, 3.1);
    expect(darker, 'the same hue').to.equal('4b94ffff');
  });

  for (const [name, chosen] of [
    ['white', 'white'],
    ['mark-white', 'mark-white'],
    ['white-2', 'white-2'],
    ['inverse', 'inverse'],
    ['inverted', 'inverted'],
    ['negative', 'negative'],
    ['reversed', 'reversed'],
    ['offwhite', 'default'],
    ['whitened', 'default'],
  ] as const)
    it(`takes a variant named ${name} ${chosen === name ? 'as' : 'not as'} the white form for dark pages`, () => {
      const white = variant(name, { recolorable: false, on: ['dark'] });
      expect(picture({ on: 'dark' }, 'png', entry([variant('default'), white])).variant.name).to.equal(chosen);
    });

  it('prefers a white variant of the brand to another shade', () => {
    const navy = variant('default', { colors: ['#000088'], on: ['light'] });
    const white = variant('white', { recolorable: false, colors: ['#ffffff'], on: ['dark'] });
    const mono = variant('mono', { colors: ['#000000'], on: ['light'] });
    expect(picture({ on: 'dark' }, 'png', entry([navy, mono, white])).variant.name).to.equal('white');
    expect(picture({ on: 'light' }, 'png', entry([navy, mono, white])).variant.name).to.equal('default');
  });

  it('leaves a strong color on white unchanged', () => {
    for (const hex of ['#25d366', '#fbc817', '#76b900', '#26a5e4']) {
      const strong = entry([variant('default', { colors: [hex], on: ['light', 'dark'] })], hex);
      expect(paint({ on: 'light' }, strong)).to.equal(`${hex.slice(1)}ff`);
    }
  });

  it('treats on with a variant as the version of that variant', () => {
    const wordmark = variant('wordmark', { recolorable: false });
    const version = variant('wordmark-dark', { recolorable: false, on: ['dark'] });
    const chosen = (variants: readonly [Variant, ...Variant[]], query: Record<string, string>) =>
      picture(query, 'png', entry(variants)).variant.name;
    const all = [variant('default'), wordmark, version] as const;
    expect(chosen(all, { variant: 'wordmark', on: 'dark' })).to.equal('wordmark-dark');
    expect(chosen(all, { variant: 'wordmark', on: 'light' })).to.equal('wordmark');
    expect(chosen([variant('default'), wordmark], { variant: 'wordmark', on: 'dark' })).to.equal('wordmark');
    const mono = entry([variant('default'), variant('mono', { colors: ['#000000'] })], null);
    expect(paint({ variant: 'mono', on: 'dark' }, mono)).to.equal('ffffffff');
    expect(paint({ variant: 'mono', on: 'light' }, mono)).to.equal('000000ff');
  });

  it('cuts existing margins with trim', () => {
    const inked = entry([variant('default', { ink: [10, 0, 10, 10] })]);
    expect(picture({ trim: '1', height: '50' }, 'png', inked).picture.geometry.box).to.deep.equal({
      width: 50,
      height: 50,
    });
    expect(picture({ height: '50' }, 'png', inked).picture.geometry.box).to.deep.equal({ width: 100, height: 50 });
    expect(picture({ trim: '1', height: '50' }).picture.geometry.box).to.deep.equal({ width: 100, height: 50 });
    expect(composeSvg(WIDE, picture({ trim: '1' }, 'svg', inked).picture)).to.include('viewBox="0 5 10 10"');
  });
});

describe('the variant for a page', () => {
  type Drawn = readonly [name: string, facts: Partial<Variant>];
  const seen = { on: ['light', 'dark'], recolorable: false } as const;
  const lost = { on: ['light'], recolorable: false } as const;
  const paintable = { on: ['light'], recolorable: true } as const;
  const chosen = ([first, ...others]: readonly [Drawn, ...Drawn[]], query: Readonly<Record<string, string>>) => {
    const variants = [variant(...first), ...others.map((one) => variant(...one))] as const;
    return picture({ on: 'dark', ...query }, 'png', entry(variants)).variant.name;
  };

  for (const [what, drawn, name, query] of [
    [
      'the default where it is seen',
      [
        ['default', seen],
        ['dark', seen],
        ['mono', seen],
      ],
      'default',
    ],
    [
      'that of the page, before a default that can be painted',
      [
        ['default', paintable],
        ['dark', seen],
      ],
      'dark',
    ],
    [
      'a default that can be painted, before others that are seen',
      [
        ['default', paintable],
        ['line', seen],
        ['dark', lost],
      ],
      'default',
    ],
    [
      'one that is seen, before one that can be painted',
      [
        ['default', lost],
        ['mono', paintable],
        ['line', seen],
      ],
      'line',
    ],
    [
      'one that can be painted, before a wordmark that is seen',
      [
        ['default', lost],
        ['wordmark', seen],
        ['mono', paintable],
      ],
      'mono',
    ],
    [
      'a wordmark that is seen, before a badge that can be painted',
      [
        ['default', lost],
        ['badge-2', paintable],
        ['wordmark', seen],
      ],
      'wordmark',
    ],
    [
      'a badge that can be painted, before that of the page',
      [
        ['default', lost],
        ['dark', lost],
        ['badge', paintable],
      ],
      'badge',
    ],
    [
      'that of the page, though it is not seen',
      [
        ['default', lost],
        ['mono', lost],
        ['dark', lost],
      ],
      'dark',
    ],
    [
      'the default where there is no other',
      [
        ['default', lost],
        ['mono', lost],
      ],
      'default',
    ],
    [
      'one that can be painted, for a color',
      [
        ['default', seen],
        ['mono', paintable],
      ],
      'mono',
      { color: 'f00' },
    ],
    [
      'one in another color, for its grey',
      [
        ['default', { on: ['dark'], colors: ['#0000ff'] }],
        ['dark', seen],
      ],
      'dark',
      { greyscale: '1' },
    ],
    [
      'the same for its color',
      [
        ['default', { on: ['dark'], colors: ['#0000ff'] }],
        ['dark', seen],
      ],
      'default',
    ],
    [
      'one of several colors, by how they are seen as they are',
      [
        ['default', { ...seen, colors: ['#0000ff'] }],
        ['dark', seen],
      ],
      'default',
      { greyscale: '1' },
    ],
    [
      'one that is seen in grey alone',
      [
        ['default', { on: [], colors: ['#00ff00'] }],
        ['dark', seen],
      ],
      'default',
      { greyscale: '1' },
    ],
    [
      'one of no known color, by what is known',
      [
        ['default', { on: ['dark'], colors: [] }],
        ['dark', seen],
      ],
      'default',
      { greyscale: '1' },
    ],
    [
      'the version of a named one',
      [
        ['default', seen],
        ['wordmark', lost],
        ['wordmark-dark', seen],
        ['dark', seen],
      ],
      'wordmark-dark',
      { variant: 'wordmark' },
    ],
    [
      'a named one that is seen',
      [
        ['default', seen],
        ['wordmark', seen],
        ['wordmark-dark', seen],
      ],
      'wordmark',
      { variant: 'wordmark' },
    ],
    [
      'a named one that can be painted',
      [
        ['default', seen],
        ['wordmark', paintable],
        ['wordmark-dark', seen],
      ],
      'wordmark',
      { variant: 'wordmark' },
    ],
  ] satisfies readonly (readonly [string, readonly [Drawn, ...Drawn[]], string, Record<string, string>?])[])
    it(`is ${what}`, () => {
      expect(chosen(drawn, query ?? {})).to.equal(name);
    });

  it('is the first available preferred one, or the symbol, or else the requested one', () => {
    const of = entry([
      variant('default', { ...lost, width: 300, height: 100 }),
      variant('icon', { width: 10, height: 10 }),
      variant('badge', { ...lost, width: 10, height: 10 }),
      variant('dark', seen),
      variant('mono'),
    ]);
    const preferring = (
      preferred: readonly string[] | 'symbol',
      query: Readonly<Record<string, string>> = {},
      from = of,
    ) => pictureSpec(from, { ...request('png', query), preferred }).variant.name;
    expect(preferring(['tiny', 'badge', 'icon'])).to.equal('badge');
    expect(preferring(['tiny'], { variant: 'mono' })).to.equal('mono');
    expect(preferring(['tiny'])).to.equal('default');
    expect(preferring(['default'], { on: 'dark' }), 'for its page').to.equal('dark');
    expect(preferring(['default'], { on: 'light' })).to.equal('default');
    expect(preferring('symbol')).to.equal('icon');
    expect(preferring('symbol', { variant: 'mono' })).to.equal('icon');
    expect(preferring('symbol', { variant: 'mono' }, entry([variant('default'), variant('mono')]))).to.equal('mono');
  });
});

describe('the colors of a picture', () => {
  const colors = (
    query: Readonly<Record<string, string>>,
    { of = MONO, format = 'png', ...more }: { of?: Entry; format?: PictureFormat } & Partial<PictureRequest> = {},
  ) => {
    const { geometry, ...made } = pictureSpec(of, { ...request(format, query), ...more }).picture;
    expect(geometry).to.be.an('object');
    return made;
  };
  const of = (facts: Partial<Variant>, hex: string | null = null) => entry([variant('default', facts)], hex);
  const several = { recolorable: false, on: ['light', 'dark'] } as const;
  const plain = { background: null, greyscale: false };
  const GREEN = parseColor('0f0')!;

  it('are grey by their luma: its paint or the colors of the drawing, and the background', () => {
    expect(colors({ greyscale: '1', background: '369' })).to.deep.equal({
      paint: '5f5f5fff',
      background: '5f5f5fff',
      greyscale: false,
    });
    expect(colors({ greyscale: '1', color: '33669980' })).to.include({ paint: '5f5f5f80' });
    expect(colors({ greyscale: '1' }, { of: of(several) })).to.deep.equal({ ...plain, paint: null, greyscale: true });
    expect(colors({ background: '369' }, { of: of(several) })).to.deep.equal({
      ...plain,
      paint: null,
      background: '336699ff',
    });
    for (const greyscale of ['0', '1'])
      expect(colors({ greyscale, color: 'currentColor' }, { format: 'svg' })).to.deep.equal({
        ...plain,
        paint: 'currentColor',
      });
  });

  it('differ on dark pages if the request has another paint for them', () => {
    const on = (color: string, darkColor: Color | 'brand', query = {}, from = MONO) =>
      colors({ color, ...query }, { darkColor, of: from });
    expect(on('f00', GREEN)).to.deep.equal({ ...plain, paint: 'ff0000ff', darkPaint: '00ff00ff' });
    expect(on('f00', 'brand')).to.deep.equal({ ...plain, paint: 'ff0000ff', darkPaint: 'ff8800ff' });
    expect(on('0f0', GREEN), 'the same').to.deep.equal({ ...plain, paint: '00ff00ff' });
    expect(on('f00', GREEN, { greyscale: '1' })).to.deep.equal({ ...plain, paint: '363636ff', darkPaint: 'b6b6b6ff' });
    expect(colors({ color: 'f00' }, { darkColor: GREEN, preferred: ['default'], of: of(several) })).to.deep.equal({
      ...plain,
      paint: null,
    });
  });

  it('stay unchanged if a preferred variant cannot have the color', () => {
    const preferred = ['default'];
    expect(colors({ color: 'f00' }, { preferred, of: of(several) }).paint).to.equal(null);
    expect(colors({ color: 'brand' }, { preferred, of: of({}) }).paint).to.equal('336699ff');
    expect(colors({ color: 'brand' }, { preferred, of: of({ colors: [] }) }).paint).to.equal('000000ff');
    expect(colors({ color: 'brand' }, { preferred, of: of({}, '#abcdef') }).paint).to.equal('abcdefff');
  });

  it('are black if none is known', () => {
    expect(colors({}, { of: of({ colors: [] }) }).paint).to.equal('000000ff');
    expect(colors({ on: 'light' }, { of: of({ colors: [] }) }).paint).to.equal('000000ff');
  });

  for (const [what, facts, hex, query, paint] of [
    ['black on a light page for white', { colors: ['#ffffff'], on: ['dark'] }, null, { on: 'light' }, '000000ff'],
    ['white on a dark page for grey', { colors: ['#333333'] }, null, { on: 'dark' }, 'ffffffff'],
    [
      'the color of the brand, by how its grey is seen',
      { colors: ['#0000ff'], on: ['dark'] },
      '#ff8800',
      { on: 'dark', greyscale: '1' },
      '979797ff',
    ],
    [
      'white in grey, though another lightness is seen',
      { colors: ['#0000ff'] },
      null,
      { on: 'dark', greyscale: '1' },
      'ffffffff',
    ],
    [
      'its own that is seen, before that of the brand',
      { colors: ['#00ff00'], on: ['light'] },
      '#ff8800',
      { on: 'dark' },
      '00ff00ff',
    ],
  ] satisfies readonly (readonly [string, Partial<Variant>, string | null, Record<string, string>, string])[])
    it(`are ${what}`, () => {
      expect(colors(query, { of: of(facts, hex) }).paint).to.equal(paint);
    });

  it('are rejected with the variants that can have one', () => {
    const message = (variants: readonly [Variant, ...Variant[]], color = 'f00') =>
      thrownBy(() => colors({ color }, { of: entry(variants, null) })).message;
    expect(
      message([variant('default', several), variant('mono'), variant('line', several), variant('badge')]),
    ).to.equal('color: the variant default of acme has several colors. Single-color variants: mono, badge.');
    expect(message([variant('default', several)])).to.equal('color: the variant default of acme has several colors.');
    expect(message([variant('default')], 'brand')).to.equal('color: acme has no known brand color.');
  });

  it('are all in the key', () => {
    const key = (query: Readonly<Record<string, string>>, more: Parameters<typeof colors>[1] = {}) => {
      const asked = { ...request('png', query), ...more };
      return pictureKey('drawing', pictureSpec(more.of ?? MONO, asked).picture, asked);
    };
    expect(key({ size: '64' })).to.equal('drawing|png||64x64@0,16,64|0||336699ff||0');
    expect(key({ size: '64', color: 'f00' }, { darkColor: GREEN })).to.equal(
      'drawing|png||64x64@0,16,64|0||ff0000ff||0|dark 00ff00ff',
    );
    expect(key({ size: '64', greyscale: '1' }, { of: of(several) })).to.equal(
      'drawing|png||64x64@0,16,64|0||||0|greyscale',
    );
  });
});

describe('composed SVG', () => {
  it('is the drawing itself, with its paint, by default', () => {
    expect(svg({})).to.equal(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 5 40 20"><path fill="#336699" d="M0 5h10v10z"/></svg>',
    );
  });

  it('has a size when one is requested', () => {
    expect(svg({ size: '64' })).to.match(/^<svg xmlns="[^"]+" width="64" height="64" viewBox="-10 5 40 20">/);
    expect(svg({ size: '64', scale: '2' })).to.equal(svg({ size: '128' }));
    expect(svg({ size: '64' }, 'png')).to.equal(svg({ size: '64' }));
  });

  it('gives a translucent color to the whole drawing, not to each shape', () => {
    expect(svg({ color: 'f008' }))
      .to.include('<g opacity="0.5333"')
      .and.to.include('fill="#ff0000"');
  });

  it('draws the background over the whole box, under the drawing', () => {
    const composed = svg({ size: '100', background: 'ffd70080', radius: '20', padding: '10', rotate: '90', flip: 'h' });
    expect(composed).to.include(
      '<rect width="100" height="100" rx="20" fill="#ffd700" fill-opacity="0.502"/><g transform="rotate(90 50 50) matrix(-1 0 0 1 100 0)"><svg x="10" y="30" width="80" height="40"',
    );
  });

  it('clips only drawings that need it', () => {
    const clipped = WIDE.replace('viewBox', 'overflow="hidden" viewBox');
    const { picture: square } = picture({ size: '100' });
    expect(composeSvg(clipped, square)).to.match(/<svg x="0" y="25" width="100" height="50" viewBox/);
    expect(composeSvg(WIDE, square)).to.not.include('<svg x=');
    expect(composeSvg(WIDE, picture({ size: '100', padding: '5' }).picture)).to.include('overflow="visible"');
  });

  it('is well-formed, has no currentColor left, and has a key that is equal for equal documents only', () => {
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const color = fc.stringMatching(/^(?:[0-9a-f]{3}|[0-9a-f]{8})$/);
    const query = fc.record({
      size: optional(fc.integer({ min: 8, max: 2048 }).map(String)),
      padding: optional(fc.integer({ min: 0, max: 40 }).map(String)),
      radius: optional(fc.integer({ min: 0, max: 50 }).map(String)),
      color: optional(color),
      background: optional(color),
      rotate: optional(fc.constantFrom('90', '180', '270')),
      flip: optional(fc.constantFrom('h', 'v', 'hv')),
    });
    const documents = new Map<string, string>();
    fc.assert(
      fc.property(query, (given) => {
        const asked = request('svg', pictureQueryOf(given));
        const { picture: made } = pictureSpec(MONO, asked);
        const composed = composeSvg(WIDE, made);
        expect(composed)
          .to.not.include('currentColor')
          .and.not.match(/NaN|undefined|Infinity/);
        const parser = sax.parser(true);
        parser.onerror = (error) => expect.fail(error.message);
        parser.write(composed).close();
        const key = pictureKey('drawing', made, asked);
        expect(documents.get(key) ?? composed).to.equal(composed);
        documents.set(key, composed);
      }),
      { numRuns: 500 },
    );
  });
});

function pictureQueryOf(given: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

describe('monograms', () => {
  it('use the first letters of the first two words', () => {
    expect(
      ['acme', 'big-corp', 'a.b.c', '8ball', 'x_-y'].map((slug) => monogram.monogramOfSlug(slugOf(slug)).letters),
    ).to.deep.equal(['A', 'BC', 'AB', '8', 'XY']);
  });

  it('use letters of a domain that have an outline, in any script, without other accents', () => {
    for (const [domain, letters] of [
      ['big-corp.com', 'BC'],
      ['4chan.org', '4'],
      ['éclair.fr', 'E'],
      ['łódź.pl', 'Ł'],
      ['ﬁn.example', 'F'],
      ['straße-ßa.de', 'SS'],
      ['йога.рф', 'Й'],
      ['ωμέγα.gr', 'Ω'],
      ['שלום.co.il', 'ש'],
      ['مصر.com', 'م'],
      ['भारत.com', 'भ'],
      ['東京24.jp', '2'],
      ['例え.jp', ''],
      ['gov.uk', 'G'],
    ] as const)
      expect(monogram.monogramOfDomain('xn--a.example', domain), domain).to.deep.equal({
        kind: 'domain',
        name: 'xn--a.example',
        letters,
      });
  });

  it('have an outline for every letter and digit, and a globe for a name without', () => {
    for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789АЯΑΩאتกक')
      expect(monogram.monogramSvg({ letters: letter }), letter).to.match(/ d="M[^"]+"/);
    expect(monogram.monogramSvg({ letters: '' })).to.match(/^<svg [^>]*><path fill="none" stroke="currentColor"/);
  });

  it('keep their letters inside the square, centered', () => {
    for (const letters of ['I', 'W', 'L', 'J', 'Й', 'Щ', 'پ', 'II', 'WW', 'MW', 'LT', 'ЖЩ']) {
      const svg = monogram.monogramSvg({ letters });
      const [, left = 0, top = 0, scale = 0] =
        /translate\(([-\d.]+) ([-\d.]+)\) scale\(([\d.]+)\)/.exec(svg)?.map(Number) ?? [];
      const [xs, ys] = [0, 1].map((axis) =>
        [...svg.matchAll(/<path transform="translate\(([\d.]+) 0\)" d="([^"]+)"/g)].flatMap(([, at, path = '']) =>
          path
            .match(/-?[\d.]+/g)!
            .map(Number)
            .filter((_, index) => index % 2 === axis)
            .map((value) => (axis === 0 ? left + (Number(at) + value) * scale : top + value * scale)),
        ),
      );
      const [minX, maxX, minY, maxY] = [Math.min(...xs!), Math.max(...xs!), Math.min(...ys!), Math.max(...ys!)];
      expect(Math.min(minX, minY), letters).to.be.at.least(25);
      expect(Math.max(maxX, maxY), letters).to.be.at.most(231);
      expect((minX + maxX) / 2, letters).to.be.within(118, 138);
      // All letters are on the same baseline, so a letter with a tail or an accent may be off-center.
      expect((minY + maxY) / 2, letters).to.be.within(115, 146);
    }
  });

  it('have their own background on which white is readable, and which is visible on light and dark pages', () => {
    const colors = new Set<string>();
    for (let index = 0; index < 300; index++) {
      const color = monogram.monogramBackground({ name: `brand-${index}` });
      expect(parseColor(color)).to.equal(color);
      expect(contrast(color, WHITE)).to.be.within(4.5, 4.8);
      expect(contrast(color, '0d1117ff' as Color)).to.be.at.least(3);
      colors.add(color);
    }
    expect(colors.size).to.be.greaterThan(40);
    expect(monogram.monogramBackground({ name: 'brand-1' })).to.equal(monogram.monogramBackground({ name: 'brand-1' }));
  });
});
