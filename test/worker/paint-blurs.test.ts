// Forms of drawings for small pictures: blurs as pictures, other filters where both renderers agree on them.
import { expect } from 'chai';
import { paintBlurs } from '../../workers/raster/paint-blurs.js';

const svg = (body: string): string => `<svg viewBox="0 0 100 100" xmlns="http://www.w3.org/2000/svg">${body}</svg>`;
const blur = (deviation: number): string => `<filter id="f"><feGaussianBlur stdDeviation="${deviation}"/></filter>`;
const BOX = '<rect x="20" y="30" width="50" height="40" fill="#c02040" filter="url(#f)"/>';

describe('painted blurs', () => {
  it('leave no filter, and no size', async () => {
    const painted = await paintBlurs(svg(`${blur(10)}<path d="M0 0h90v9z" fill="#00ff00"/>${BOX}`));
    expect(painted)
      .to.be.a('string')
      .and.match(/^<svg viewBox="0 0 100 100" xmlns="http:\/\/www\.w3\.org\/2000\/svg">.*<image .*<\/svg>$/)
      .and.not.include('filter');
  });

  it('leave narrow filters as they are, where both renderers draw them alike', async () => {
    expect(await paintBlurs(svg(blur(0.5) + BOX)))
      .to.include('<filter')
      .and.not.include('<image');
    expect(
      await paintBlurs(
        svg(
          `${blur(0.5)}<filter id="g"><feGaussianBlur stdDeviation="12"/></filter>${BOX}<path d="M0 0h1v1z"/>${BOX.replace('#f', '#g')}`,
        ),
      ),
    )
      .to.include('<filter')
      .and.include('<image');
  });

  for (const [name, body] of [
    [
      'filters with a direction are turned',
      `<filter id="f"><feOffset dx="9"/></filter><g transform="rotate(40)">${BOX}</g>`,
    ],
    [
      'they are turned in a mask',
      `<filter id="f"><feOffset dx="9"/></filter><mask id="m">${BOX}</mask><g transform="rotate(40)" mask="url(#m)"><path d="M0 0h99v99z"/></g>`,
    ],
    [
      'there would be too many pictures',
      blur(10) + Array.from({ length: 9 }, (_, at) => `${BOX}<path d="M${at} 0h1v1z"/>`).join(''),
    ],
  ] as const) {
    it(`are none where ${name}`, async () => {
      expect(await paintBlurs(svg(body))).to.equal(undefined);
    });
  }
});
