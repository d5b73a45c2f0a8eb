import { expect } from 'chai';
import { compare, isTransparent, isWithin, type Picture } from '../../scripts/drawings/compare-pictures.js';

const SIDE = 40;

type Paint = readonly [red: number, green: number, blue: number, alpha: number];

const NOTHING: Paint = [0, 0, 0, 0];
const BLACK: Paint = [0, 0, 0, 255];

function picture(paintAt: (x: number, y: number) => Paint): Picture {
  const pixels = Array.from({ length: SIDE * SIDE }, (_, at) => paintAt(at % SIDE, Math.floor(at / SIDE)));
  return { width: SIDE, height: SIDE, rgba: Uint8Array.from(pixels.flat()) };
}

const square = (from: number, paint = BLACK): Picture =>
  picture((x, y) => (x >= from && x < from + 20 && y >= 10 && y < 30 ? paint : NOTHING));

describe('comparison of pictures', () => {
  it('finds no difference between equal pictures', () => {
    expect(compare(square(10), square(10))).to.deep.equal({ unexplained: 0, mean: 0 });
  });

  it('explains an edge that is moved by one pixel, and not one that is moved by two', () => {
    expect(compare(square(10), square(11)).unexplained).to.equal(0);
    expect(compare(square(10), square(12)).unexplained).to.be.above(20 / SIDE ** 2);
  });

  it('counts a line that only one of them has, in either order', () => {
    const line = picture((x) => (x === 20 ? BLACK : NOTHING));
    const nothing = picture(() => NOTHING);
    expect(compare(line, nothing).unexplained).to.equal(SIDE / SIDE ** 2);
    expect(compare(nothing, line).unexplained).to.equal(SIDE / SIDE ** 2);
  });

  it('detects a soft black shadow that a black page hides', () => {
    const shadow = compare(
      picture(() => [0, 0, 0, 64]),
      picture(() => NOTHING),
    );
    expect(shadow.mean).to.be.closeTo(64 / 255, 0.001);
    expect(shadow.unexplained).to.equal(1);
    expect(isWithin(shadow)).to.equal(false);
  });

  it('does not see the color of transparent pixels', () => {
    const invisible = picture(() => [255, 0, 0, 0]);
    expect(
      compare(
        invisible,
        picture(() => NOTHING),
      ),
    ).to.deep.equal({ unexplained: 0, mean: 0 });
    expect(isTransparent(invisible)).to.equal(true);
    expect(isTransparent(square(10))).to.equal(false);
  });

  it('rejects pictures of two sizes', () => {
    expect(() => compare(square(10), { width: 1, height: 1, rgba: Uint8Array.from(BLACK) })).to.throw('1 x 1 px');
  });
});
