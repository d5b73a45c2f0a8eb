// Splitting of names and queries into words, with offsets.
import { expect } from 'chai';
import fc from 'fast-check';
import { tokenize } from '../../../src/platform/text/tokenize.js';
import { repeated } from '../../support/extent.js';

const words = (text: string) =>
  tokenize(text)
    .words.filter((word) => !word.isSubword)
    .map((word) => word.text);

describe('tokenize', () => {
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

  it('normalizes spellings of one name alike', () => {
    const compact = (text: string) => tokenize(text).normalized;
    expect(new Set(['Node.js', 'nodejs', 'node js', 'NODE-JS', 'node_js'].map(compact)).size).to.equal(1);
    expect(compact('구글')).to.equal(compact('구글'.normalize('NFD')));
    expect(compact('é')).to.equal(compact('e\u0301'));
  });

  it('splits CamelCase words into subwords', () => {
    expect(tokenize('YouTube').words).to.deep.equal([
      { text: 'youtube', at: 0, isSubword: false },
      { text: 'tube', at: 3, isSubword: true },
    ]);
    expect(tokenize('IBM').words).to.have.length(1);
  });

  it('maps each letter to its offset in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
        const { normalized, starts, ends, words: found } = tokenize(text);
        expect(starts).to.have.length(normalized.length);
        expect(ends).to.have.length(normalized.length);
        for (let at = 0; at < normalized.length; at++) {
          expect(starts[at]).to.be.at.least(at === 0 ? 0 : starts[at - 1]!);
          expect(ends[at]).to.be.above(starts[at]!).and.at.most(text.length);
        }
        for (const word of found) expect(normalized.startsWith(word.text, word.at)).to.equal(true);
        expect(
          found
            .filter((word) => !word.isSubword)
            .map((word) => word.text)
            .join(''),
        ).to.equal(normalized);
      }),
      { numRuns: repeated(400, 2000) },
    );
  });
});
