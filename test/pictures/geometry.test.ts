// Geometry of pictures: exact boxes and positions, and properties that hold for every layout.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Color } from '../../src/platform/text/color.js';
import { pictureGeometry, type DrawingExtent } from '../../src/pictures/geometry.js';
import type { PictureLayout } from '../../src/pictures/picture-request.js';
import { thrownBy } from '../support/thrown.js';

const WHITE = 'ffffffff' as Color;
const LAYOUT: PictureLayout = {
  width: null,
  height: null,
  scale: 1,
  maxSide: 4096,
  paddingPercent: 0,
  background: null,
  radiusPercent: 0,
  rotate: 0,
  trim: false,
  flip: false,
};
const WIDE: DrawingExtent = { width: 40, height: 20, ink: [4, 2, 30, 10] };

describe('the geometry of a picture', () => {
  type Row = readonly [
    layout: Partial<PictureLayout>,
    box: readonly [width: number, height: number],
    content: readonly [x: number, y: number, width: number, height: number],
  ];
  const ROWS: readonly Row[] = [
    [{}, [40, 20], [0, 0, 40, 20]],
    [{ trim: true }, [30, 10], [0, 0, 30, 10]],
    [{ rotate: 90 }, [20, 40], [-10, 10, 40, 20]],
    [{ rotate: 180 }, [40, 20], [0, 0, 40, 20]],
    [{ rotate: 270, trim: true }, [10, 30], [-10, 10, 30, 10]],
    [{ width: 100, height: 100 }, [100, 100], [0, 25, 100, 50]],
    [{ width: 100, height: 100, scale: 2 }, [200, 200], [0, 50, 200, 100]],
    [{ width: 100, height: 30 }, [100, 30], [20, 0, 60, 30]],
    [{ width: 100, height: 30, rotate: 90 }, [100, 30], [35, 7.5, 30, 15]],
    [{ width: 100 }, [100, 50], [0, 0, 100, 50]],
    [{ width: 100, trim: true }, [100, 33], [0.5, 0, 99, 33]],
    [{ width: 100, rotate: 270 }, [100, 200], [-50, 50, 200, 100]],
    [{ width: 11, scale: 3 }, [33, 17], [0, 0.25, 33, 16.5]],
    [{ height: 100 }, [200, 100], [0, 0, 200, 100]],
    [{ height: 100, rotate: 90 }, [50, 100], [-25, 25, 100, 50]],
    [{ height: 11, scale: 3 }, [66, 33], [0, 0, 66, 33]],
    [{ height: 8, trim: true, rotate: 90 }, [3, 8], [-2.5, 8 / 3, 8, 8 / 3]],
    [{ width: 200, height: 100, paddingPercent: 10 }, [200, 100], [20, 10, 160, 80]],
    [{ width: 100, height: 200, paddingPercent: 40 }, [100, 200], [40, 95, 20, 10]],
    [{ paddingPercent: 25 }, [256, 256], [64, 96, 128, 64]],
    [{ background: WHITE }, [256, 256], [0, 64, 256, 128]],
    [{ background: WHITE, height: 100 }, [200, 100], [0, 0, 200, 100]],
  ];

  for (const [layout, [width, height], place] of ROWS)
    it(`has this box and position with ${JSON.stringify(layout)}`, () => {
      const { box, content, crop } = pictureGeometry(WIDE, { ...LAYOUT, ...layout });
      expect(box).to.deep.equal({ width, height });
      const found = [content.x, content.y, content.width, content.height];
      for (const [at, value] of found.entries()) expect(value, found.join()).to.be.closeTo(place[at]!, 1e-9);
      expect(crop).to.deep.equal(layout.trim === true ? WIDE.ink : null);
    });

  it('is rotated and mirrored by the layout', () => {
    const { rotate, flip } = pictureGeometry(WIDE, { ...LAYOUT, rotate: 270, flip: true });
    expect({ rotate, flip }).to.deep.equal({ rotate: 270, flip: true });
  });

  it('has its own size only with a width or a height', () => {
    const isSized = (layout: Partial<PictureLayout>) => pictureGeometry(WIDE, { ...LAYOUT, ...layout }).sized;
    expect(
      [{}, { paddingPercent: 5 }, { width: 9 }, { height: 9 }, { width: 9, height: 9 }].map(isSized),
    ).to.deep.equal([false, false, true, true, true]);
  });

  it('has corners relative to the shorter side of its box, only with a background', () => {
    const radius = (layout: Partial<PictureLayout>) =>
      pictureGeometry(WIDE, { ...LAYOUT, radiusPercent: 20, ...layout }).cornerRadius;
    expect(radius({ width: 200, height: 100, background: WHITE })).to.equal(20);
    expect(radius({ width: 100, height: 300, scale: 2, background: WHITE })).to.equal(40);
    expect(radius({ width: 200, height: 100 })).to.equal(0);
  });

  it('covers the whole drawing if its ink was not measured', () => {
    const { crop, box } = pictureGeometry({ width: 40, height: 20 }, { ...LAYOUT, trim: true });
    expect({ crop, box }).to.deep.equal({ crop: null, box: { width: 40, height: 20 } });
  });

  for (const [given, following] of [
    ['width', 'height'],
    ['height', 'width'],
  ] as const)
    it(`has a ${following} between 1 px and the limit, by the ${given}`, () => {
      const of = (across: number, down: number, side: number) =>
        pictureGeometry(given === 'width' ? { width: across, height: down } : { width: down, height: across }, {
          ...LAYOUT,
          [given]: side,
          maxSide: 512,
        }).box[following];
      expect([of(1000, 1, 8), of(1, 64, 8), of(2, 127, 8)]).to.deep.equal([1, 512, 508]);
      const error = thrownBy(() => of(1, 65, 8));
      expect(error).to.include({ code: 'invalid_request' });
      expect(error.details).to.deep.equal([
        { field: given, reason: 'the other side of the picture would be 520 px, but at most 512 px are allowed' },
      ]);
    });

  it('keeps the shape of the drawing, in the middle, as large as the padding allows', () => {
    const side = fc.integer({ min: 8, max: 2048 });
    const extent = fc.double({ min: 0.5, max: 500, noNaN: true });
    fc.assert(
      fc.property(
        fc.record({ width: extent, height: extent }),
        fc.record({
          width: side,
          height: side,
          scale: fc.integer({ min: 1, max: 4 }),
          paddingPercent: fc.integer({ min: 0, max: 40 }),
          rotate: fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const),
        }),
        (drawing, layout) => {
          const { box, content } = pictureGeometry(drawing, { ...LAYOUT, ...layout });
          expect(box).to.deep.equal({ width: layout.width * layout.scale, height: layout.height * layout.scale });
          expect(content.width / content.height / (drawing.width / drawing.height)).to.be.closeTo(1, 1e-9);
          expect(content.x + content.width / 2).to.be.closeTo(box.width / 2, 1e-9);
          expect(content.y + content.height / 2).to.be.closeTo(box.height / 2, 1e-9);
          const isSideways = layout.rotate === 90 || layout.rotate === 270;
          const [across, down] = isSideways ? [content.height, content.width] : [content.width, content.height];
          const padding = (Math.min(box.width, box.height) * layout.paddingPercent) / 100;
          const free = [box.width - across - 2 * padding, box.height - down - 2 * padding];
          expect(Math.min(...free), 'touches the padding').to.be.closeTo(0, 1e-6);
        },
      ),
    );
  });
});
