// decodeSvg: encodings of SVG files, .svgz, and rejected files.
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { decodeSvg } from '../../src/catalog/svg-bytes.js';
import { rejectionText } from '../../src/catalog/rejection-text.js';

const MAX_BYTES = 2 ** 20;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><title>Größe</title></svg>';
const utf16 = (text: string, mark = '\uFEFF') => Buffer.from(mark + text, 'utf16le');
const declared = (encoding: string, text = SVG) => `<?xml version="1.0" encoding="${encoding}"?>\n${text}`;
const decode = (bytes: Buffer) => decodeSvg(bytes, MAX_BYTES);

async function rejectionOf(bytes: Buffer) {
  const { svg, rejected } = await decode(bytes);
  expect(svg).to.equal('');
  return rejected;
}

describe('decodeSvg', () => {
  const files: Readonly<Record<string, readonly [Buffer, text?: string]>> = {
    'UTF-8': [Buffer.from(SVG)],
    'UTF-8 with a byte order mark': [Buffer.from(`\uFEFF${SVG}`)],
    'UTF-16 LE with a byte order mark': [utf16(SVG)],
    'UTF-16 BE with a byte order mark': [utf16(SVG).swap16()],
    'UTF-16 LE without one': [utf16(SVG, '')],
    'UTF-16 BE without one': [utf16(SVG, '').swap16()],
    'a byte order mark before the declaration of another encoding': [
      utf16(declared('iso-8859-1')),
      declared('iso-8859-1'),
    ],
    'declared latin-1': [Buffer.from(declared('ISO-8859-1'), 'latin1'), declared('ISO-8859-1')],
    'declared windows-1252, in single quotes and after blanks': [
      Buffer.from(`\n ${declared('Windows-1252').replaceAll('"', "'")}`, 'latin1'),
      `\n ${declared('Windows-1252').replaceAll('"', "'")}`,
    ],
    'declared koi8-r': [
      Buffer.concat([
        Buffer.from('<?xml version="1.0" encoding="KOI8-R" standalone="no"?><svg id="'),
        Buffer.from([0xc1, 0x22, 0x2f, 0x3e]),
      ]),
      '<?xml version="1.0" encoding="KOI8-R" standalone="no"?><svg id="а"/>',
    ],
    'UTF-8 that declares UTF-16, as .NET writes it': [Buffer.from(declared('utf-16')), declared('utf-16')],
    'an encoding that a comment names': [
      Buffer.from(`<!-- encoding="klingon" -->${SVG}`),
      `<!-- encoding="klingon" -->${SVG}`,
    ],
    '.svgz': [gzipSync(SVG)],
    '.svgz of UTF-16': [gzipSync(utf16(SVG))],
  };
  for (const [name, [bytes, text = SVG]] of Object.entries(files))
    it(`reads ${name}`, async () => {
      expect(await decode(bytes)).to.deep.equal({ svg: text });
    });

  it('names an encoding that is not supported', async () => {
    for (const encoding of ['klingon', 'UTF-7', 'UTF-32'])
      expect(await rejectionOf(Buffer.from(declared(encoding)))).to.deep.equal({
        ...{ ok: false, reason: 'bad_encoding', line: 1 },
        message: `the encoding of the file is "${encoding}", which is not supported`,
      });
    const wide = Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]);
    expect(await rejectionOf(wide)).to.deep.include({
      message: 'the encoding of the file is "utf-32", which is not supported',
    });
  });

  it('names the line of bytes that are not of the encoding', async () => {
    const rejected = await rejectionOf(Buffer.from(`<svg>\n\n<title>Größe</title></svg>`, 'latin1'));
    expect(rejected).to.include({ ok: false, reason: 'bad_encoding', line: 3 });
    expect(rejected && rejectionText(rejected)).to.equal(
      'The SVG has an encoding that cannot be read (the file is not valid UTF-8, the default encoding, line 3). ' +
        'Save the file as UTF-8, or declare its encoding, for example <?xml version="1.0" encoding="windows-1252"?>.',
    );
    for (const [bytes, line] of [
      [Buffer.from(declared('Shift_JIS', '\u00ff'), 'latin1'), 2],
      [Buffer.concat([utf16('<svg>\n\n\n'), Buffer.from([0, 0xd8, 0x41, 0])]), 4],
      [Buffer.concat([utf16('<svg>\n'), Buffer.from([0x41])]), 2],
      [Buffer.from(declared('UTF-8', '\n<svg>\xc3'), 'latin1'), 3],
    ] as const)
      expect(await rejectionOf(bytes)).to.include({ reason: 'bad_encoding', line });
  });

  it('reports that a bitmap is not an SVG', async () => {
    for (const first of ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff\xe0', '%PDF-1.4\n\xff'])
      expect(await rejectionOf(Buffer.from(first, 'latin1'))).to.include({ reason: 'not_svg' });
    expect(await rejectionOf(gzipSync(gzipSync(SVG)))).to.include({ reason: 'not_svg' });
  });

  it('unzips no more than the limit', async () => {
    const exact = SVG.padEnd(MAX_BYTES - 2);
    expect((await decode(gzipSync(exact))).svg).to.have.length(MAX_BYTES - 2);
    expect(await rejectionOf(gzipSync(Buffer.alloc(MAX_BYTES + 1)))).to.include({
      ...{ reason: 'too_large', message: 'the file is larger than 1,048,576 bytes when unzipped' },
    });
    // 512 MiB that are compressed to 520 KB. The file consists of 512 gzip members, so the test itself needs little
    // memory.
    const bomb = Buffer.concat(Array<Buffer>(512).fill(gzipSync(Buffer.alloc(2 ** 20))));
    const before = process.resourceUsage().maxRSS;
    expect(await rejectionOf(bomb)).to.include({ reason: 'too_large' });
    expect(process.resourceUsage().maxRSS - before).to.be.below(64 * 1024);
  });

  it('rejects damaged gzip', async () => {
    const zipped = gzipSync(SVG);
    const damaged = Buffer.from(zipped);
    damaged.writeUInt8(damaged.readUInt8(20) ^ 0xff, 20);
    for (const bytes of [zipped.subarray(0, -12), zipped.subarray(0, 2), damaged])
      expect(await rejectionOf(bytes)).to.include({
        ...{ reason: 'bad_encoding', message: 'the gzip data of the file is damaged or incomplete' },
      });
  });
});
