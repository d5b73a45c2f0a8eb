// Pictures of drawings with filters: like those that librsvg draws as they are, and at a bounded cost.
import { expect } from 'chai';
import { Resvg } from '@resvg/resvg-js';
import sharp, { type Sharp } from 'sharp';
import { draw } from '../../workers/raster/draw.js';
import { boundFilters, SMALL_PX, type Bounded, type Size } from '../../workers/raster/filter-layers.js';
import { straightBytes, type Pixels } from '../../workers/pixels.js';

interface Difference {
  /** Of a channel, 0..1. */
  readonly mean: number;
  /** Share of the channels that differ by more than a quarter. */
  readonly far: number;
}

/** On gray, so that light and dark both show. */
async function look(image: Sharp, { width, height }: Size): Promise<Uint8Array> {
  return image.ensureAlpha().resize(width, height, { fit: 'fill' }).flatten({ background: '#808080' }).raw().toBuffer();
}

function difference(one: Uint8Array, other: Uint8Array): Difference {
  expect(one.length).to.equal(other.length);
  let [sum, far] = [0, 0];
  one.forEach((value, at) => {
    const distance = Math.abs(value - (other[at] ?? 0));
    sum += distance;
    if (distance > 64) far += 1;
  });
  return { mean: sum / one.length / 255, far: far / one.length };
}

const image = (pixels: Pixels): Sharp =>
  sharp(straightBytes(pixels), {
    raw: { width: pixels.width, height: pixels.height, channels: 4 },
  });

function resvg(svg: string, size: Size): Pixels {
  const { pixels } = new Resvg(svg, {
    fitTo: { mode: 'width', value: size.width },
    font: { loadSystemFonts: false },
  }).render();
  return { ...size, bytes: pixels, premultiplied: true };
}

/** What was drawn on the way. */
async function bound(svg: string, size: Size): Promise<{ readonly bounded: Bounded; readonly sizes: readonly Size[] }> {
  const sizes: Size[] = [];
  const draw = (drawing: Size & { readonly svg: string }): Pixels => {
    sizes.push(drawing);
    return resvg(drawing.svg, drawing);
  };
  const bounded = await boundFilters(svg, size, { drawDocument: draw, drawLayer: draw });
  return { bounded, sizes };
}

/** The document as it is, by librsvg alone. */
const asItIs = (svg: string): Sharp => sharp(Buffer.from(svg));

const svg = (body: string, { width, height }: Size, viewBox = '0 0 100 100'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${viewBox}">${body}</svg>`;

const BLUR = '<filter id="f"><feGaussianBlur stdDeviation="3"/></filter>';
const SHADOW =
  '<filter id="f" color-interpolation-filters="sRGB"><feOffset in="SourceAlpha" dy="3"/><feGaussianBlur stdDeviation="2" result="s"/><feBlend in="SourceGraphic" in2="s"/></filter>';
const MERGED =
  '<filter id="f"><feGaussianBlur in="SourceAlpha" stdDeviation="2" result="s"/><feMerge><feMergeNode in="s"/><feMergeNode in="SourceGraphic"/></feMerge></filter>';
const INNER =
  '<filter id="f"><feGaussianBlur in="SourceAlpha" stdDeviation="3"/><feComposite in2="SourceAlpha" operator="arithmetic" k2="-1" k3="1" result="s"/><feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="s"/></feMerge></filter>';
const CLIP = '<clipPath id="c"><circle cx="50" cy="50" r="30"/></clipPath>';
const MASK =
  '<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="100" height="100"><path d="M0 0H60V90H0z" fill="#ffffff"/></mask>';
const BACK = '<rect width="100" height="50" fill="#ffcc00"/>';
const BOX = 'x="20" y="30" width="50" height="40" fill="#c02040"';

const LAYERED: readonly (readonly [name: string, body: string])[] = [
  ['a blur', `${BLUR}${BACK}<rect ${BOX} filter="url(#f)"/>`],
  ['a shadow', `${SHADOW}${BACK}<rect ${BOX} filter="url(#f)"/>`],
  ['a shadow by feMerge', `${MERGED}${BACK}<rect ${BOX} filter="url(#f)"/>`],
  [
    'a shadow by feMerge, in linear light, of something translucent',
    `${MERGED}${BACK}<rect ${BOX} fill-opacity=".4" filter="url(#f)"/>`,
  ],
  ['an inner shadow', `${INNER}${BACK}<rect ${BOX} filter="url(#f)"/>`],
  [
    'transforms',
    `${BLUR}<g transform="translate(10 5)scale(.8)"><rect ${BOX} transform="rotate(30 45 50)skewX(10)" filter="url(#f)"/></g>`,
  ],
  [
    'a shadow with a transform',
    `${SHADOW}<g transform="matrix(.8 .2 -.2 .8 20 0)"><rect ${BOX} transform="rotate(30 45 50)" filter="url(#f)"/></g>`,
  ],
  ['its own clip', `${BLUR}${CLIP}${BACK}<rect ${BOX} clip-path="url(#c)" filter="url(#f)"/>`],
  [
    'its own clip and a transform',
    `${SHADOW}${CLIP}${BACK}<rect ${BOX} clip-path="url(#c)" transform="rotate(20)" filter="url(#f)"/>`,
  ],
  ['its own mask', `${BLUR}${MASK}${BACK}<rect ${BOX} mask="url(#m)" filter="url(#f)"/>`],
  [
    'masks of neighbors',
    `${BLUR}${MASK}${BACK}<rect ${BOX} mask="url(#m)" filter="url(#f)"/><circle cx="60" cy="60" r="20" fill="#0000ff" mask="url(#m)" filter="url(#f)"/>`,
  ],
  [
    'a translucent mask of neighbors',
    `${BLUR}${MASK.replace('/></mask>', ' fill-opacity=".5"/></mask>')}<rect ${BOX} mask="url(#m)" filter="url(#f)"/><circle cx="60" cy="60" r="20" fill="#0000ff" mask="url(#m)" filter="url(#f)"/>`,
  ],
  [
    'a clip in its box',
    `${BLUR}<clipPath id="c" clipPathUnits="objectBoundingBox"><circle cx=".5" cy=".5" r=".4"/></clipPath><rect ${BOX} clip-path="url(#c)" filter="url(#f)"/>`,
  ],
  [
    'a mask in the box of a group around',
    `${BLUR}<mask id="m"><rect width="100" height="55" fill="#ffffff"/></mask><g mask="url(#m)"><rect ${BOX} filter="url(#f)"/></g>`,
  ],
  [
    'in a mask in a box',
    `${BLUR}<mask id="m"><rect x="20" y="30" width="50" height="40" fill="#ffffff" filter="url(#f)"/></mask><rect width="100" height="100" mask="url(#m)"/>`,
  ],
  [
    'opacity',
    `${SHADOW.replace('dy="3"', 'dx="25" dy="20"').replace('id="f"', 'id="f" width="3" height="3"')}${BACK}<rect ${BOX} opacity=".5" filter="url(#f)"/>`,
  ],
  [
    'opacity, clip, mask and blending around',
    `${BLUR}${CLIP}${MASK}${BACK}<g opacity=".6" clip-path="url(#c)"><g mask="url(#m)"><g mix-blend-mode="multiply"><rect ${BOX} filter="url(#f)"/></g></g></g>`,
  ],
  ['its own blending', `${BLUR}${BACK}<rect ${BOX} mix-blend-mode="multiply" filter="url(#f)"/>`],
  [
    'inherited paint',
    `${SHADOW}<linearGradient id="g"><stop stop-color="#ff0000"/><stop offset="1" stop-color="#0000ff"/></linearGradient><g fill="url(#g)" stroke="#00ff00" stroke-width="4"><path d="M20 20H70V70z" filter="url(#f)"/></g>`,
  ],
  [
    'a filter in a filter',
    `${BLUR}<filter id="h"><feOffset dx="10" dy="10"/><feGaussianBlur stdDeviation="1"/></filter><g filter="url(#h)">${BACK}<rect ${BOX} filter="url(#f)"/></g>`,
  ],
  ['one around everything', `${SHADOW}<g filter="url(#f)">${BACK}<rect ${BOX}/></g>`],
  [
    'something used',
    `${SHADOW}<defs><g id="u"><rect ${BOX}/></g></defs>${BACK}<use href="#u" x="5" filter="url(#f)"/><use href="#u" y="9"/>`,
  ],
  [
    'a region in its box',
    `<filter id="f" x=".2" y="0" width=".5" height="1"><feGaussianBlur stdDeviation="3"/></filter><rect ${BOX} filter="url(#f)"/>`,
  ],
  [
    'primitives in its box',
    `<filter id="f" primitiveUnits="objectBoundingBox"><feGaussianBlur stdDeviation=".05"/></filter><rect ${BOX} filter="url(#f)"/>`,
  ],
  [
    'neighbors, one after the other',
    `${BLUR}${BACK}<rect ${BOX} filter="url(#f)"/><circle cx="60" cy="60" r="20" fill="#0000ff" opacity=".7" filter="url(#f)"/><path d="M0 90H100" stroke="#000000" stroke-width="5"/>`,
  ],
  [
    'a nested svg, rotated and flipped',
    `<rect width="100" height="100" rx="9" fill="#eeeeee"/><g transform="rotate(90 50 50) matrix(-1 0 0 1 100 0)" opacity=".8"><svg x="20" y="10" width="60" height="80" overflow="visible" viewBox="0 0 100 100">${SHADOW}${BACK}<rect ${BOX} filter="url(#f)"/></svg></g>`,
  ],
  [
    'a nested svg that clips',
    `<g><svg x="20" y="10" width="60" height="60" viewBox="0 0 100 100">${BLUR}<rect x="-20" y="30" width="80" height="40" filter="url(#f)"/></svg></g>`,
  ],
  [
    'a mask whose filter paints white',
    `<defs><filter id="f" x="0" y="0" width="1" height="1"><feColorMatrix values="0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 0"/></filter><mask id="m"><g filter="url(#f)"><circle cx="50" cy="50" r="25" fill-opacity=".5"/></g></mask></defs><rect ${BOX} mask="url(#m)"/>`,
  ],
  ['a transform that leaves nothing', `${BLUR}${BACK}<g transform="scale(0)"><rect ${BOX} filter="url(#f)"/></g>`],
];

const WHOLE: readonly (readonly [name: string, body: string])[] = [
  [
    'in a mask',
    `${BLUR}<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="100" height="100"><rect x="20" y="30" width="50" height="40" fill="#ffffff" filter="url(#f)"/></mask><rect width="100" height="100" mask="url(#m)"/>`,
  ],
  [
    'in a pattern',
    `${BLUR}<pattern id="p" width="50" height="50" patternUnits="userSpaceOnUse"><circle cx="25" cy="25" r="15" filter="url(#f)"/></pattern><rect width="100" height="100" fill="url(#p)"/>`,
  ],
  [
    'in something used',
    `${BLUR}<g id="u"><rect x="10" y="10" width="20" height="20" filter="url(#f)"/></g><use href="#u" x="40" y="40"/>`,
  ],
  [
    'in a symbol',
    `${BLUR}<symbol id="u"><rect x="10" y="10" width="20" height="20" filter="url(#f)"/></symbol><use href="#u" width="100" height="100"/>`,
  ],
];

describe('filters in pictures', () => {
  /** Compared with a small picture that is drawn as it is. */
  async function likeDirect(body: string, size: Size): Promise<void> {
    const scale = Math.min(1, SMALL_PX / Math.max(size.width, size.height));
    const small = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
    const drawn = await draw({ svg: svg(body, size), ...size });
    const { mean, far } = difference(await look(image(drawn), small), await look(asItIs(svg(body, small)), small));
    expect(mean, 'mean').to.be.lessThan(0.006);
    expect(far, 'far').to.be.lessThan(0.003);
  }

  for (const [name, body] of LAYERED) {
    it(`are like those in small ones: ${name}`, async () => {
      await likeDirect(body, { width: 1500, height: 1500 });
      const { bounded } = await bound(svg(body, { width: 1500, height: 1500 }), { width: 1500, height: 1500 });
      expect(bounded.kind).to.equal('document');
    });

    it(`are like those drawn as they are: ${name}, at ${SMALL_PX} px`, () =>
      likeDirect(body, { width: SMALL_PX, height: SMALL_PX }));
  }

  for (const [name, body] of WHOLE) {
    it(`are like those in small ones, all of the picture enlarged: ${name}`, async () => {
      await likeDirect(body, { width: 1500, height: 1500 });
      const { bounded } = await bound(svg(body, { width: 1500, height: 1500 }), { width: 1500, height: 1500 });
      expect(bounded.kind).to.equal('picture');
    });
  }

  it('are like those in small ones in a picture that is not square', () =>
    likeDirect(`${SHADOW}${BACK}<rect ${BOX} filter="url(#f)"/>`, { width: 1600, height: 800 }));

  it('are painted smaller in small pictures where they are blurs of a wide area, else with all the rest', async () => {
    const sidesOf = async (side: number, deviation: number, rest = ''): Promise<number[]> => {
      const size = { width: side, height: side };
      const blurred = `${BLUR.replace('"3"', `"${deviation}"`)}${BACK}<rect ${BOX} filter="url(#f)"/>${rest}`;
      const { bounded, sizes } = await bound(svg(blurred, size), size);
      expect(bounded).to.have.deep.property('size', size);
      expect(bounded)
        .to.have.property('svg')
        .that.matches(sizes.length > 0 ? /<image/ : /filter="url/);
      return sizes.map(({ width }) => width);
    };
    expect(await sidesOf(512, 10)).to.deep.equal([64]);
    expect(await sidesOf(512, 3)).to.deep.equal([256]);
    expect(await sidesOf(256, 10)).to.deep.equal([64]);
    expect(await sidesOf(256, 3)).to.deep.equal([]);
    expect(await sidesOf(512, 1)).to.deep.equal([]);
    const inPattern = '<pattern id="p" width="9" height="9"><path d="M0 0h5v5z" filter="url(#f)"/></pattern>';
    expect(await sidesOf(512, 10, `${inPattern}<path d="M0 0h9v9z" fill="url(#p)"/>`)).to.deep.equal([]);
  });

  it('leave what goes on top of a shadow as sharp as anything', async () => {
    const size = { width: 2000, height: 2000 };
    const { bytes } = await draw({
      svg: svg(`${SHADOW}<rect width="100" height="100" fill="#ffffff"/><rect ${BOX} filter="url(#f)"/>`, size),
      ...size,
    });
    // Across the left edge, at x = 20 of 100.
    const reds = [398, 399, 400, 401].map((x) => bytes[(1000 * 2000 + x) * 4 + 1] ?? 0);
    expect(Math.abs((reds[1] ?? 0) - (reds[0] ?? 0)), reds.join()).to.be.lessThan(8);
    expect(reds.slice(2)).to.deep.equal([0x20, 0x20]);
  });

  it('are worked out for no more pixels than a limit, however large the picture', async () => {
    const size = { width: 4096, height: 4096 };
    const many = (count: number, filter: string): string =>
      `<filter id="f">${filter}</filter>${`<rect ${BOX} filter="url(#f)"/><path d="M0 0H9"/>`.repeat(count)}`;
    const primitives = (count: number): string =>
      '<feColorMatrix values="0 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0"/><feMorphology radius=".3"/>'.repeat(count);
    for (const [body, steps] of [
      [many(1, '<feOffset dx="1"/>'.repeat(3)), 3],
      [many(1, primitives(1)), 2],
      [many(1, primitives(10)), 20],
      [many(30, primitives(2)), 4],
      [many(32, primitives(1)), 2],
    ] as const) {
      const { sizes } = await bound(svg(body, size), size);
      expect(Math.max(...sizes.map(({ width }) => width))).to.be.at.most(1024);
      const pixels = sizes.reduce((sum, { width, height }) => sum + width * height * steps, 0);
      expect(pixels).to.be.at.most(40 * 2 ** 20);
    }
  });

  it('are enlarged, before they are placed, to no more pixels than a limit, however many there are', async () => {
    const runs = Array.from(
      { length: 10 },
      (_, at) => `<circle cx="50" cy="50" r="45" fill="#08f" filter="url(#f)"/><path d="M${at} 0h1v1z"/>`,
    ).join('');
    const full = { width: 2048, height: 2048 };
    const { bounded } = await bound(svg(BLUR + runs, full), full);
    const images = bounded.kind === 'document' ? [...bounded.svg.matchAll(/base64,([^"]+)/g)] : [];
    expect(images).to.have.length(10);
    const sizes = await Promise.all(images.map(([, data = '']) => sharp(Buffer.from(data, 'base64')).metadata()));
    expect(sizes.reduce((sum, { width, height }) => sum + width * height, 0)).to.be.below(5 * 2 ** 20);
  });

  it('are placed in a document that is the smaller the more canvases they cover', async () => {
    const runs = (count: number, attributes: string): string =>
      Array.from(
        { length: count },
        (_, at) => `<rect ${attributes} fill="#08f" filter="url(#f)"/><path d="M${at} 0h1v1z"/>`,
      ).join('');
    const full = { width: 2048, height: 2048 };
    const pxOf = async (body: string): Promise<number | undefined> => {
      const { bounded } = await bound(svg(BLUR + body, full), full);
      return bounded.kind === 'document' ? bounded.size.width : undefined;
    };
    const cover = 'width="100" height="100"';
    expect(await pxOf(runs(2, cover))).to.equal(2048);
    expect(await pxOf(runs(12, cover))).to.equal(1024);
    expect(await pxOf(runs(30, cover))).to.be.at.most(704);
    expect(await pxOf(runs(30, 'x="20" y="20" width="10" height="10"'))).to.equal(2048);
  });

  it('that do nothing are gone from the document that is drawn', async () => {
    const white = '<feColorMatrix values="0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 0"/>';
    const body = `<filter id="f" x="0" y="0" width="1" height="1">${white}</filter><mask id="m"><g filter="url(#f)"><circle cx="50" cy="50" r="25"/></g></mask><rect ${BOX} mask="url(#m)"/>`;
    const full = { width: 1500, height: 1500, svg: svg(body, { width: 1500, height: 1500 }) };
    const { bounded } = await bound(full.svg, full);
    expect(bounded).to.have.property('svg').that.does.not.include('filter="');
    expect(bounded).to.have.deep.property('size', { width: 1500, height: 1500 });
  });

  it('with blurs are painted smaller than with as many cheaper steps', async () => {
    const full = { width: 2048, height: 2048 };
    const pxOf = async (step: string): Promise<number> => {
      const filter = `<filter id="f">${step.repeat(40)}</filter>`;
      const { sizes } = await bound(svg(`${filter}<rect ${BOX} filter="url(#f)"/>`, full), full);
      return sizes[0]?.width ?? NaN;
    };
    const blurred = await pxOf('<feGaussianBlur stdDeviation=".02"/>');
    expect(blurred).to.be.below(0.6 * (await pxOf('<feComponentTransfer/>')));
  });

  it('are enlarged with the whole picture when there are too many of them', async () => {
    const size = { width: 4096, height: 2048 };
    const body = `${SHADOW}${`<rect ${BOX} filter="url(#f)"/><path d="M0 0H9"/>`.repeat(1000)}`;
    const { bounded, sizes } = await bound(svg(body, size), size);
    expect(bounded.kind).to.equal('picture');
    expect(sizes).to.have.lengthOf(1);
    expect(sizes[0]?.width).to.be.at.most(1024);
  });

  it('bring in what lies outside of the picture, where blurs are wide', async () => {
    const body =
      '<filter id="f"><feGaussianBlur stdDeviation="10"/></filter>' +
      '<path fill="#c02040" filter="url(#f)" d="M-60-60H160V160H-60z"/>';
    for (const side of [256, 512, 1500]) {
      const size = { width: side, height: side };
      const { bytes } = await draw({ svg: svg(body, size), ...size });
      for (const [at, value] of [0xc0, 0x20, 0x40, 0xff].entries())
        expect(bytes[at], `channel ${at} at ${side}`).to.be.closeTo(value, 4);
    }
  });

  it('go in the direction of their object when it is turned', async () => {
    const size = { width: 600, height: 600 };
    const offset = '<filter id="f" x="-1" y="-1" width="3" height="3"><feOffset dx="20"/></filter>';
    const turned = `<g transform="rotate(90 50 50)"><path d="M40 40h20v20H40z" filter="url(#f)"/></g>`;
    const { bytes } = await draw({ svg: svg(offset + turned, size), ...size });
    const alphaAt = (x: number, y: number): number | undefined => bytes[(y * 600 + x) * 4 + 3];
    expect([alphaAt(300, 420), alphaAt(420, 300)]).to.deep.equal([255, 0]);
  });

  it('may lie anywhere where import has found that the renderer draws them', async () => {
    const size = { width: 600, height: 600 };
    for (const transform of ['translate(120 0)', 'scale(1e-7)', 'matrix(1 1 1 1 0 0)', 'scale(1 0)', 'rotate(1e7)']) {
      const body = `${BLUR}${BACK}<g transform="${transform}"><rect ${BOX} filter="url(#f)"/></g>`;
      expect((await draw({ svg: svg(body, size), ...size })).width, transform).to.equal(600);
    }
  });
});
