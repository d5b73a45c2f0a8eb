// How names and queries are read, and where their letters stood.
import { expect } from 'chai';
import fc from 'fast-check';
import { readText } from '../../../src/domain/tokenize.js';

const words = (text: string) =>
  readText(text)
    .words.filter((word) => !word.inner)
    .map((word) => word.text);

describe('text reading', () => {
  const READINGS: readonly (readonly [text: string, words: readonly string[]])[] = [
    ['GitHub', ['github']],
    ['Visual Studio Code', ['visual', 'studio', 'code']],
    ['Node.js', ['node', 'js']],
    ['C++', ['cplusplus']],
    ['C#', ['csharp']],
    ['.NET', ['dot', 'net']],
    ['ASP.NET', ['asp', 'net']],
    ['AT&T', ['at', 'and', 't']],
    ["L'Oréal", ['loreal']],
    ['L’Oréal', ['loreal']],
    ['McDonald’s', ['mcdonalds']],
    ['Citroën', ['citroen']],
    ['Škoda', ['skoda']],
    ['Ørsted', ['orsted']],
    ['Straße', ['strasse']],
    ['ﬁgma', ['figma']],
    ['ＧｉｔＨｕｂ', ['github']],
    ['7-Zip', ['7', 'zip']],
    ['#hashtag', ['hashtag']],
    ['micro:bit', ['micro', 'bit']],
    ['  spaced\tout\n', ['spaced', 'out']],
    ['🤗', ['🤗']],
    ['', []],
    ['   ', []],
  ];
  for (const [text, expected] of READINGS) {
    it(`reads ${JSON.stringify(text)} as ${JSON.stringify(expected)}`, () =>
      expect(words(text)).to.deep.equal(expected));
  }

  it('reads spellings of one name alike', () => {
    const compact = (text: string) => readText(text).compact;
    expect(new Set(['Node.js', 'nodejs', 'node js', 'NODE-JS', 'node_js'].map(compact)).size).to.equal(1);
    expect(compact('구글')).to.equal(compact('구글'.normalize('NFD')));
    expect(compact('é')).to.equal(compact('e\u0301'));
  });

  it('finds the later parts of CamelCase words', () => {
    expect(readText('YouTube').words).to.deep.equal([
      { text: 'youtube', at: 0, inner: false },
      { text: 'tube', at: 3, inner: true },
    ]);
    expect(readText('IBM').words).to.have.length(1);
  });

  it('knows where each letter stood, of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
        const { compact, starts, ends, words: found } = readText(text);
        expect(starts).to.have.length(compact.length);
        expect(ends).to.have.length(compact.length);
        for (let at = 0; at < compact.length; at++) {
          expect(starts[at]).to.be.at.least(at === 0 ? 0 : starts[at - 1]!);
          expect(ends[at]).to.be.above(starts[at]!).and.at.most(text.length);
        }
        for (const word of found) expect(compact.startsWith(word.text, word.at)).to.equal(true);
        expect(
          found
            .filter((word) => !word.inner)
            .map((word) => word.text)
            .join(''),
        ).to.equal(compact);
      }),
      { numRuns: 2000 },
    );
  });
});
