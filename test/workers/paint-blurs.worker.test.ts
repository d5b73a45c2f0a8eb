// Pictures of drawings with filters. They must look like librsvg's pictures of the original drawing, at a limited cost.
import { expect } from 'chai';
import sharp, { type Sharp } from 'sharp';
import { pixelsOf } from '../../workers/rasterize/svg-pixels.js';
import { boundedPx } from '../../workers/rasterize/filter-cost.js';
import { paintBlurs } from '../../workers/rasterize/paint-blurs.js';
import { straightBytes, toGreyscale, type Pixels } from '../../workers/pixels.js';

interface Size {
  readonly width: number;
  readonly height: number;
}

const SMALL_PX = 512;
const NS = 'xmlns="http://www.w3.org/2000/svg"';
const drawing = (body: string): string => `<svg viewBox="0 0 100 100" ${NS}>${body}</svg>`;
const document = (svg: string, { width, height }: Size): string =>
  svg.replace(`viewBox="0 0 100 100" ${NS}`, `${NS} width="${width}" height="${height}" viewBox="0 0 100 100"`);
const square = (side: number): Size => ({ width: side, height: side });
const drawn = (svg: string, size: Size): Promise<Pixels> => pixelsOf({ svg: document(svg, size), ...size });

/** Returns the pixels on a gray background, on which both light and dark parts are visible. */
const look = (image: Sharp, { width, height }: Size): Promise<Uint8Array> =>
  image.ensureAlpha().resize(width, height, { fit: 'fill' }).flatten({ background: '#808080' }).raw().toBuffer();

/**
 * Returns the mean difference of color channels, 0 to 1. `far`: share of the channels that differ by more than a
 * quarter of the range.
 */
function difference(one: Uint8Array, other: Uint8Array): { readonly mean: number; readonly far: number } {
  expect(one.length).to.equal(other.length);
  const distances = one.map((value, at) => Math.abs(value - (other[at] ?? 0)));
  const far = distances.filter((distance) => distance > 64).length / one.length;
  return { mean: distances.reduce((sum, distance) => sum + distance, 0) / one.length / 255, far };
}

const blur = (deviation: number): string =>
  `<filter id="f" x="-1" y="-1" width="3" height="3"><feGaussianBlur stdDeviation="${deviation}"/></filter>`;
const SHADOW =
  '<filter id="f" color-interpolation-filters="sRGB"><feOffset in="SourceAlpha" dy="3"/><feGaussianBlur stdDeviation="2" result="s"/><feBlend in="SourceGraphic" in2="s"/></filter>';
const CLIP = '<clipPath id="c"><circle cx="50" cy="50" r="30"/></clipPath>';
const MASK =
  '<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="100" height="100"><path d="M0 0H60V90H0z" fill="#ffffff"/></mask>';
const BACK = '<rect width="100" height="50" fill="#ffcc00"/>';
const BOX = 'x="20" y="30" width="50" height="40" fill="#c02040"';
const BLURRED = `<rect ${BOX} filter="url(#f)"/>`;
const masked = (attributes = ''): string =>
  `<rect ${BOX} mask="url(#m)" filter="url(#f)"/><circle cx="60" cy="60" r="20" fill="#0000ff" mask="url(#m)" filter="url(#f)" ${attributes}/>`;

const DRAWINGS: readonly (readonly [name: string, body: string])[] = [
  ['a blur', `${blur(3)}${BACK}${BLURRED}`],
  ['a shadow under its object', `${SHADOW}${BACK}${BLURRED}`],
  [
    'transforms',
    `${blur(3)}<g transform="translate(10 5)scale(.8)"><rect ${BOX} transform="rotate(30 45 50)skewX(10)" filter="url(#f)"/></g>`,
  ],
  ['a turned shadow', `${SHADOW}<g transform="matrix(.8 .2 -.2 .8 20 0)">${BLURRED}</g>`],
  [
    'its own clip and a transform',
    `${blur(3)}${CLIP}${BACK}<rect ${BOX} clip-path="url(#c)" transform="rotate(20)" filter="url(#f)"/>`,
  ],
  ['masks of neighbors', `${blur(3)}${MASK}${BACK}${masked()}`],
  ['translucent masks of neighbors', `${blur(3)}${MASK.replace('#ffffff', '#888888')}${masked()}`],
  ['masks of neighbors, one of them translucent', `${blur(3)}${MASK}${masked('opacity=".5"')}`],
  [
    'a clip in its box',
    `${blur(3)}<clipPath id="c" clipPathUnits="objectBoundingBox"><circle cx=".5" cy=".5" r=".4"/></clipPath><rect ${BOX} clip-path="url(#c)" filter="url(#f)"/>`,
  ],
  [
    'a mask in the box of a group around',
    `${blur(3)}<mask id="m"><rect width="100" height="55" fill="#ffffff"/></mask><g mask="url(#m)">${BLURRED}</g>`,
  ],
  [
    'opacity, clip, mask and blending around',
    `${blur(3)}${CLIP}${MASK}${BACK}<g opacity=".6" clip-path="url(#c)"><g mask="url(#m)"><g style="mix-blend-mode:multiply">${BLURRED}</g></g></g>`,
  ],
  [
    'blending with what is below, beside another',
    `${blur(3)}${BACK}<rect ${BOX} style="mix-blend-mode:multiply" filter="url(#f)"/><circle cx="60" cy="60" r="20" filter="url(#f)"/>`,
  ],
  [
    'inherited paint',
    `${blur(2)}<linearGradient id="g"><stop stop-color="#ff0000"/><stop offset="1" stop-color="#0000ff"/></linearGradient><g fill="url(#g)" stroke="#00ff00" stroke-width="4"><path d="M20 20H70V70z" filter="url(#f)"/></g>`,
  ],
  [
    'a filter in a filter',
    `${blur(3)}<filter id="h"><feGaussianBlur stdDeviation="2"/></filter><g filter="url(#h)">${BACK}${BLURRED}</g>`,
  ],
  [
    'something used, in two places',
    `${blur(3)}<g id="u">${BLURRED}</g><use href="#u" x="5" y="20"/><path d="M0 0h9v9H0z"/>`,
  ],
  [
    'primitives in its box',
    `<filter id="f" primitiveUnits="objectBoundingBox"><feGaussianBlur stdDeviation=".05"/></filter>${BLURRED}`,
  ],
  [
    'unfiltered elements between',
    `${blur(3)}${BLURRED}<path d="M0 45H100v2H0z"/><circle cx="70" cy="75" r="12" filter="url(#f)"/>`,
  ],
  ['a transform that leaves nothing', `${blur(3)}${BACK}<g transform="scale(0)">${BLURRED}</g>`],
  ['in a mask', `${blur(3)}<mask id="m">${BLURRED}</mask><rect width="100" height="100" mask="url(#m)"/>`],
  [
    'in a pattern',
    `${blur(3)}<pattern id="p" width="50" height="50" patternUnits="userSpaceOnUse"><circle cx="25" cy="25" r="15" filter="url(#f)"/></pattern><rect width="100" height="100" fill="url(#p)"/>`,
  ],
];

describe('pictures of drawings with filters', () => {
  for (const [name, body] of DRAWINGS) {
    it(`are like librsvg's pictures, small and large: ${name}`, async () => {
      const svg = drawing(body);
      const painted = (await paintBlurs(svg)) ?? svg;
      const small = square(SMALL_PX);
      const expected = await look(sharp(Buffer.from(document(svg, small))), small);
      for (const size of [small, square(1700)]) {
        const raw = { ...size, channels: 4 } as const;
        const { mean, far } = difference(
          await look(sharp(straightBytes(await drawn(painted, size)), { raw }), small),
          expected,
        );
        expect(mean, `mean at ${size.width}`).to.be.lessThan(0.006);
        expect(far, `far at ${size.width}`).to.be.lessThan(0.003);
      }
    });
  }

  it('are drawn from one bitmap for neighbors, and keep masks and adjacent parts sharp', async () => {
    const body = `${blur(9)}${MASK}<g mask="url(#m)">${BLURRED}<circle cx="60" cy="60" r="20" filter="url(#f)"/></g>`;
    const painted = await paintBlurs(drawing(body));
    expect(painted)
      .to.match(/^<svg viewBox="0 0 100 100" xmlns="[^"]*">.*<\/svg>$/)
      .and.not.include('filter');
    expect(painted?.match(/<image /g)).to.have.length(1);
    const { bytes } = await drawn(painted ?? '', square(2000));
    // Alpha of pixels on both sides of the mask's edge, which is at x = 60 of 100.
    const alphas = [1198, 1199, 1200, 1201].map((x) => bytes[(1000 * 2000 + x) * 4 + 3] ?? 0);
    expect(alphas.slice(2)).to.deep.equal([0, 0]);
    expect(Math.abs((alphas[0] ?? 0) - (alphas[1] ?? 0)), alphas.join()).to.be.lessThan(8);
  });

  it('need larger bitmaps for narrow blurs, and none for edges', async () => {
    const widthOf = async (deviation: number): Promise<number> =>
      Number(/<image [^>]*width="(\d+)"/.exec((await paintBlurs(drawing(blur(deviation) + BLURRED))) ?? '')?.[1]);
    expect(await widthOf(10)).to.be.below(await widthOf(1.5));
    expect(await widthOf(0.05)).to.be.NaN;
    expect(await paintBlurs(drawing(`${SHADOW}${BLURRED}`))).to.equal(undefined);
  });

  it('have a limited number of bitmaps, by their area', async () => {
    const blurs = (count: number, shape: string): string =>
      blur(10) + Array.from({ length: count }, (_, at) => `${shape}<path d="M${at} 0h9v90H0z"/>`).join('');
    expect(await paintBlurs(drawing(blurs(14, BLURRED)))).to.equal(undefined);
    expect(await paintBlurs(drawing(blurs(14, '<circle r="5" filter="url(#f)"/>')))).to.be.a('string');
  });

  it('are drawn with a limited number of pixels for any number of filter uses', () => {
    const many = (steps: string, uses = 1): string =>
      drawing(
        `<filter id="f">${steps}</filter><g id="u"><g id="w">${BLURRED.repeat(10)}</g><use href="#w"/></g>${'<use href="#u"/>'.repeat(uses)}`,
      );
    const pixels = (svg: string): number => boundedPx(svg) ** 2;
    expect(boundedPx(many('<feOffset/>', 0))).to.be.at.most(1536);
    expect(pixels(many('<feGaussianBlur stdDeviation="1"/>')) * 40 * 4).to.be.at.most(20 * 2 ** 20);
    expect(boundedPx(many('<feMorphology radius=".3"/>', 30))).to.equal(128);
    expect(boundedPx(many('<feOffset/>'))).to.be.above(boundedPx(many('<feGaussianBlur stdDeviation="1"/>')));
  });

  it('are drawn with fewer pixels, the more their primitives cost', () => {
    const limit = (step: string, uses = 40, attributes = ''): number =>
      boundedPx(drawing(`<filter id="f" ${attributes}>${step}</filter>${BLURRED.repeat(uses)}`));
    // The limit is the root of 20 MiPx divided by the weight of all uses, rounded down to a multiple of 32.
    for (const [step, px] of [
      ['<feOffset/>', 704],
      ['<feGaussianBlur/>', 352],
      ['<feDropShadow/>', 320],
      ['<feOffset/><feOffset/>', 512],
      ['<feMerge><feMergeNode/></feMerge>', 512],
      ['<feMorphology/>', 128],
    ] as const)
      expect(limit(step), step).to.equal(px);
    expect(limit('<feMorphology/>', 1)).to.equal(704);
    expect(limit('<feOffset/>', 1)).to.equal(1536);
    const region = (place: string) => limit('<feOffset/>', 40, `filterUnits="userSpaceOnUse" ${place}`);
    expect(region('x="0" y="0" width="100" height="100"'), 'the whole picture').to.equal(704);
    expect(region('x="0" y="0" width="100" height="50"'), 'half of it').to.equal(832);
    expect(region('x="50" y="-50" width="100" height="100"'), 'a quarter of it').to.equal(896);
    expect(region('x="-50" y="50" width="100" height="100"'), 'another quarter of it').to.equal(896);
    expect(region('x="200" y="0" width="100" height="100"'), 'nothing of it').to.equal(1024);
    expect(region('width="10%" height="10%"'), 'an unknown part of it').to.equal(704);
    expect(limit('<feOffset/>', 40, 'x="0" y="0" width=".1" height=".1"'), 'a part of the element').to.equal(704);
  });

  it('are drawn by resvg if they have effects that librsvg draws unlike browsers, or bitmaps', async () => {
    // resvg returns premultiplied pixels, and librsvg does not.
    const isResvg = async (body: string): Promise<boolean> => (await drawn(drawing(body), square(16))).premultiplied;
    const filtered = (step: string) => `<filter id="f">${step}</filter>${BLURRED}`;
    for (const name of ['Blend', 'ColorMatrix', 'Composite', 'DropShadow', 'Flood', 'GaussianBlur', 'Merge', 'Offset'])
      expect(await isResvg(filtered(`<fe${name}/>`)), name).to.equal(false);
    for (const name of [
      ...['ComponentTransfer', 'ConvolveMatrix', 'DiffuseLighting', 'DisplacementMap', 'Morphology'],
      ...['SpecularLighting', 'Turbulence'],
    ])
      expect(await isResvg(filtered(`<fe${name}/>`)), name).to.equal(true);
    expect(await isResvg(`${filtered('<feOffset/>')}<image width="1" height="1"/>`), 'a bitmap').to.equal(true);
    expect(await isResvg(BACK), 'no filter').to.equal(true);
  });

  it('are blurred by less than two pixels like in browsers', async () => {
    // Standard deviation of the blur in px → alpha of four pixels across an edge, as Chromium renders them.
    const EDGES = [
      [0.5, [0, 0, 255, 255]],
      [1, [21, 85, 170, 234]],
      [1.6, [38, 94, 161, 217]],
      [1.9, [64, 105, 150, 191]],
    ] as const;
    for (const [deviation, alphas] of EDGES) {
      const half = '<g filter="url(#f)"><path d="M50-50h200v200h-200z"/></g>';
      const { bytes } = await drawn(drawing(`${blur(deviation / 2)}${half}`), square(200));
      for (const [at, alpha] of alphas.entries())
        expect(bytes[(100 * 200 + 98 + at) * 4 + 3], `${deviation} px, pixel ${at}`).to.be.closeTo(alpha, 18);
    }
  });

  it('are drawn larger if their filters cover little of the picture', () => {
    const many = (region: string): string =>
      drawing(`<filter id="f" filterUnits="userSpaceOnUse" ${region}><feOffset/></filter>${BLURRED.repeat(200)}`);
    const small = boundedPx(many('x="0" y="0" width="10" height="10"'));
    expect(small).to.be.above(boundedPx(many('x="0" y="0" width="100" height="100"')));
  });

  it('include what is outside of the picture if blurs are wide', async () => {
    const painted = await paintBlurs(
      drawing(`${blur(10)}<path fill="#c02040" filter="url(#f)" d="M-60-60H160V160H-60z"/>`),
    );
    for (const side of [256, 1500]) {
      const { bytes } = await drawn(painted ?? '', square(side));
      for (const [at, value] of [0xc0, 0x20, 0x40, 0xff].entries())
        expect(bytes[at], `channel ${at} at ${side}`).to.be.closeTo(value, 4);
    }
  });

  it('may be anywhere that import has accepted', async () => {
    for (const transform of ['translate(120 0)', 'scale(1e-7)', 'matrix(1 1 1 1 0 0)', 'scale(1 0)', 'rotate(1e7)']) {
      const svg = drawing(`${blur(3)}${BACK}<g transform="${transform}">${BLURRED}</g>`);
      expect((await drawn((await paintBlurs(svg)) ?? svg, square(600))).width, transform).to.equal(600);
    }
  });

  it('without filters are drawn in a smaller size if they are larger than 2048 px and have layers', async () => {
    const isSharp = async (body: string, width = 2100): Promise<boolean> => {
      const svg = `<svg ${NS} width="${width}" height="20" viewBox="0 0 ${width} 20">${body}</svg>`;
      const { bytes } = await pixelsOf({ svg, width, height: 20 });
      const alphas = [998, 999, 1000, 1001].map((x) => bytes[(10 * width + x) * 4 + 3]);
      return alphas[0] === alphas[1] && alphas[2] === 0 && alphas[3] === 0;
    };
    const EDGE = 'd="M0 0H1000V20H0z"';
    const png =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQMAAAAl21bKAAAAA1BMVEUAAACnej3aAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';
    for (const body of [
      `<path ${EDGE} opacity=".5"/>`,
      `<path ${EDGE} style="isolation:isolate"/>`,
      `<clipPath id="c"><path ${EDGE}/></clipPath><path d="M0 0H2000V20H0z" clip-path="url(#c)"/>`,
      `<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="2000" height="20"><path ${EDGE} fill="#fff"/></mask><path d="M0 0H2000V20H0z" mask="url(#m)"/>`,
      `<path ${EDGE}/><image x="1500" width="2" height="2" href="${png}"/>`,
      `<path ${EDGE}/><pattern id="p" width="2" height="2" patternUnits="userSpaceOnUse"/>`,
    ]) {
      expect(await isSharp(body), body).to.equal(false);
      expect(await isSharp(body, 2048), body).to.equal(true);
    }
    const line = `<svg ${NS} width="4000" height="1" viewBox="0 0 4000 1"><path ${EDGE} opacity=".5"/></svg>`;
    expect(await pixelsOf({ svg: line, width: 4000, height: 1 })).to.include({ width: 4000, height: 1 });
    expect(await isSharp(`<path ${EDGE}/>`)).to.equal(true);
    expect(await isSharp(`<path ${EDGE} fill-opacity=".5"/>`)).to.equal(true);
  });

  it('become grey after they are drawn', async () => {
    const painted = await paintBlurs(drawing(`${blur(9)}${BACK}${BLURRED}`));
    const pixels = await drawn(painted ?? '', square(64));
    toGreyscale(pixels);
    const yellow = pixels.bytes.subarray(64 * 2 * 4 + 4 * 50, 64 * 2 * 4 + 4 * 50 + 4);
    expect([...yellow]).to.deep.equal([200, 200, 200, 255]);
  });
});
