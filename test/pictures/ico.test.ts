// ICO files, read with the decoder of another project.
import { expect } from 'chai';
import decodeIco from 'decode-ico';
import sharp from 'sharp';
import { icoFile } from '../../src/pictures/ico.js';

describe('ICO file', () => {
  const picture = async (side: number) => ({
    side,
    png: await sharp({
      create: { width: side, height: side, channels: 4, background: { r: side, g: 0, b: 0, alpha: 1 } },
    })
      .png()
      .toBuffer(),
  });

  it('contains each picture unchanged, the smallest first', async () => {
    const pictures = await Promise.all([48, 16, 256, 32].map(picture));
    const decoded = decodeIco(icoFile(pictures));
    expect(decoded.map(({ width, height, type, bpp }) => [width, height, type, bpp])).to.deep.equal(
      [16, 32, 48, 256].map((side) => [side, side, 'png', 32]),
    );
    for (const { width, data } of decoded)
      expect(Buffer.compare(Buffer.from(data), pictures.find(({ side }) => side === width)!.png)).to.equal(0);
  });
});
