// Badges with any label. They are well-formed XML, and a label cannot inject elements. Invalid labels and colors are
// rejected.
import { expect } from 'chai';
import fc from 'fast-check';
import sax from 'sax';
import { badgeData, badgeQuery, badgeSvg } from '../../src/visitor-counters/badge.js';
import { repeated } from '../support/extent.js';

const VISITS = { total: 1_234_567, today: 42, uniqueToday: 7, label: 'visitors' };
const ELEMENTS = [
  'svg',
  'title',
  'filter',
  'feGaussianBlur',
  'linearGradient',
  'stop',
  'clipPath',
  'rect',
  'g',
  'text',
];
const ATTRIBUTES =
  /^(xmlns|width|height|role|aria-label|aria-hidden|id|x|y|x2|y2|rx|offset|stop-color|stop-opacity|fill|fill-opacity|clip-path|filter|stdDeviation|transform|textLength|text-anchor|font-family|font-size|text-rendering|shape-rendering)$/;

interface Document {
  readonly elements: readonly sax.Tag[];
  readonly texts: readonly string[];
}

function parsed(svg: string): Document {
  const parser = sax.parser(true);
  const elements: sax.Tag[] = [];
  const texts: string[] = [];
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = (tag) => elements.push(tag as sax.Tag);
  parser.ontext = (text) => texts.push(text);
  parser.onprocessinginstruction =
    parser.ondoctype =
    parser.oncomment =
    parser.onopencdata =
      () => {
        throw new Error('no such markup in a badge');
      };
  parser.write(svg).close();
  return { elements, texts };
}

const query = (parameters: Record<string, string>) => badgeQuery.safeParse(parameters);
const reasonOf = (parameters: Record<string, string>) => query(parameters).error?.issues[0]?.message;

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><script>alert(1)</script><svg x="',
  "' onload='alert(1)",
  ']]>',
  '<!--',
  '-->',
  '&lt;&amp;&#x3c;&#0;',
  '&xxe;',
  '<![CDATA[',
  '<?xml version="1.0"?>',
  '${alert(1)}',
  'javascript:alert(1)',
  'שלום עולם',
  '\u202eabc',
  '👩‍👩‍👧‍👦',
  'W'.repeat(100),
];

describe('a badge', () => {
  const character = fc.oneof(
    fc.constantFrom('<', '>', '&', '"', "'", ']', '-', '!', '/', '=', ' ', '#', ';', '\u202e', '\u05d0', '\u0627'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  const labels = fc.oneof(
    fc.constantFrom('', ' ', ...HOSTILE),
    fc.array(character, { maxLength: 100 }).map((characters) => characters.join('')),
  );

  it('is a well-formed document of its own elements only, for any label', () => {
    let rendered = 0;
    fc.assert(
      fc.property(
        labels,
        fc.constantFrom('flat', 'flat-square'),
        fc.constantFrom('total', 'today', 'unique'),
        fc.constantFrom('1d9bf0', '#0f08', 'rebeccapurple', 'fff', undefined),
        (label, style, count, color) => {
          const read = query({ label, style, count, ...(color !== undefined && { color, labelColor: color }) });
          if (!read.success) return;
          rendered++;
          const looks = read.data;
          const { elements, texts } = parsed(badgeSvg(looks, VISITS));
          for (const { name, attributes } of elements) {
            expect(ELEMENTS).to.include(name);
            for (const attribute of Object.keys(attributes)) expect(attribute).to.match(ATTRIBUTES);
          }
          const { message } = badgeData(looks, VISITS);
          const shown = label.trim();
          expect(texts).to.include(shown === '' ? message : `${shown}: ${message}`);
          if (shown !== '') expect(texts).to.include(shown);
        },
      ),
      { numRuns: repeated(300, 1500) },
    );
    expect(rendered).to.be.above(repeated(100, 700));
  });

  it('shows the requested number', () => {
    for (const [count, text] of [
      ['total', '1,234,567'],
      ['today', '42'],
      ['unique', '7'],
    ] as const)
      expect(badgeData({ count }, VISITS).message).to.equal(text);
  });

  it("has the counter's label and shields' colors by default, in both forms", () => {
    expect(badgeData({}, VISITS)).to.deep.equal({
      schemaVersion: 1,
      label: 'visitors',
      message: '1,234,567',
      color: 'brightgreen',
      style: 'flat',
    });
    const looks = badgeQuery.parse({ label: '', color: '1D9BF0', labelColor: '#0f08', style: 'flat-square' });
    expect(badgeData(looks, VISITS)).to.deep.equal({
      schemaVersion: 1,
      label: '',
      message: '1,234,567',
      color: '#1d9bf0',
      labelColor: '#00ff0088',
      style: 'flat-square',
    });
    expect(badgeSvg({}, VISITS)).to.include('fill="#4b0"').and.include('fill="#555"');
    expect(badgeSvg(looks, VISITS)).to.include('fill="#1d9bf0"');
  });

  it('rejects control characters, characters that XML forbids, and more than 100 characters', () => {
    for (const label of [
      'a\u0000',
      '\n',
      '\u001b[31m',
      '\u007f',
      '\u0085',
      '\ufffe',
      '\uffff',
      'x'.repeat(101),
      '👩'.repeat(101),
    ])
      expect(reasonOf({ label }), JSON.stringify(label)).to.equal('does not have the allowed format');
    for (const label of ['', 'x'.repeat(100), '👩'.repeat(100), 'שלום', '\u200f\u202e'])
      expect(reasonOf({ label }), JSON.stringify(label)).to.equal(undefined);
  });
});
