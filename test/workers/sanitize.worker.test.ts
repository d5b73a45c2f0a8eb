// The sanitizer with malicious drawings, and guarantees for all accepted drawings.
import { expect } from 'chai';
import fc from 'fast-check';
import { sanitizeSvg } from '../../workers/sanitize/sanitize-svg.js';
import type { CleanSvg } from '../../workers/sanitizer-protocol.js';
import { HOSTILE } from './hostile/drawings.js';
import { repeated } from '../support/extent.js';

const FORBIDDEN = [
  /<script|<style|<foreignObject|<image|<text|<a[\s>]|<animate|<set[\s>]|<iframe|<object|<embed|<!|<\?/i,
  /\son[a-z]+\s*=/i,
  /\s(?:style|class|xml:base|xlink:href)=/i,
  /(?:javascript|data|https?|file):/i,
  /url\((?!#)/i,
  /href="(?!#)/i,
  /expression|@import|behavior/i,
];

function clean(svg: string): CleanSvg {
  const outcome = sanitizeSvg(svg);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome;
}

const drawing = (inside: string, attributes = 'viewBox="0 0 24 24"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`;

describe('sanitizeSvg', () => {
  describe('hostile drawings', () => {
    for (const { name, svg, fate } of HOSTILE) {
      it(`${name}: ${fate}`, () => {
        const outcome = sanitizeSvg(svg());
        if (fate !== 'cleaned') {
          expect(outcome).to.include({ ok: false, reason: fate });
          expect(outcome).to.have.property('message').that.is.a('string').and.not.empty;
          return;
        }
        expect(outcome, JSON.stringify(outcome)).to.include({ ok: true });
        // Removes the namespace, the only URL that a drawing may contain.
        const text = (outcome as CleanSvg).svg.replace('xmlns="http://www.w3.org/2000/svg"', '');
        for (const pattern of FORBIDDEN) expect(text).not.to.match(pattern);
      });
    }
  });

  it('name the element and the line of a rejection', () => {
    const source = drawing('\n<g>\n<path d="M0 0h24v24z"/>\n<text\n x="1">Brand</text></g>');
    expect(sanitizeSvg(source)).to.include({ ok: false, reason: 'text', element: 'text', line: 4 });
  });

  it('rejects a sprite by name, with the number of its symbols', () => {
    const symbol = (id: string) => `<symbol id="${id}" viewBox="0 0 24 24"><path d="M0 0h24v24z"/></symbol>`;
    const styled = 'style="display:none"';
    for (const [inside, attributes, message] of [
      [`\n${symbol('a')}${symbol('b')}`, '', 'the file contains 2 symbols and draws none'],
      [`<title>Icons</title>\n<defs>${symbol('a')}</defs>`, styled, 'the file contains 1 symbol and does not draw it'],
      [
        `<g>\n${symbol('a')}<symbol id="b"><text>B</text></symbol></g>`,
        undefined,
        'the file contains 2 symbols and draws none',
      ],
    ] as const)
      expect(sanitizeSvg(drawing(inside, attributes))).to.deep.equal({
        ...{ ok: false, reason: 'sprite', message, element: 'symbol', line: 2 },
      });
    const used = clean(drawing(`${symbol('a')}<use href="#a" width="24" height="24"/>`));
    expect(used.svg).to.contain('<path');
    expect(sanitizeSvg(drawing('<defs><path id="a" d="M0 0h24v24z"/></defs>'))).to.include({ reason: 'empty' });
  });

  describe('shapes of files that browsers show', () => {
    const path = '<path d="M4 4h16v16z"/>';
    const plain = clean(drawing(path)).svg;
    for (const [name, source] of Object.entries({
      'entities of HTML': drawing(`<desc>a&nbsp;b &copy; &eacute;</desc>${path}`),
      'a declared entity of a character':
        `<!DOCTYPE svg [<!ENTITY nbsp '&#160;'><!ENTITY e "caf&#xE9;"><!ENTITY box "0 0 24 24">]>` +
        drawing(`<desc>a&nbsp;&e;</desc>${path}`, 'viewBox="&box;"'),
      'prefixes without a namespace': drawing(
        `<sodipodi:namedview a="1"><inkscape:grid/></sodipodi:namedview>${path}`,
        'viewBox="0 0 24 24" inkscape:version="1" sketch:type="MSPage"',
      ),
      'blanks before the declaration': `\n  <?xml version="1.0" encoding="utf-8"?>\n${drawing(path)}`,
      'a byte order mark before the declaration': `\uFEFF<?xml version="1.0"?>${drawing(path)}`,
      'a viewBox with units, beside a size': drawing(path, 'viewBox="0 0 24px 24px" width="24" height="24"'),
      'an animation from nothing': drawing(
        `<style>@keyframes in{from{opacity:0}to{opacity:1}} path{animation:in 1s forwards}</style>${path}`,
      ),
    }))
      it(`accepts ${name}`, () => expect(clean(source).svg).to.equal(plain));

    it('accepts an animation of an element that is transparent before it', () => {
      const style = '@keyframes in{from{opacity:0}to{opacity:1}} path{opacity:0;animation:in 1s forwards}';
      expect(clean(drawing(`<style>${style}</style>${path}`)).svg).to.contain('opacity="1"');
    });

    it('rejects a drawing without a size, with the advice to add a viewBox', () => {
      for (const [attributes, reason] of [
        ['width="100%" height="100%"', 'no_viewbox'],
        ['viewBox="0 0 24px 24px"', 'bad_viewbox'],
      ] as const)
        expect(sanitizeSvg(drawing(path, attributes))).to.include({ ok: false, reason, element: 'svg', line: 1 });
    });

    it('rejects an entity that stands for markup', () => {
      for (const value of ['&#60;path/>', '&#x3C;path/>', '&#38;lt;', '&#0038;', '<path/>', '&other;', '%other;'])
        expect(sanitizeSvg(`<!DOCTYPE svg [<!ENTITY a "${value}">]>${drawing(path)}`), value).to.include({
          reason: 'entities',
        });
    });
  });

  it('answers with the canonical form', () => {
    const { svg, width, height } = clean(
      drawing('<title>x</title><path  d="M0 0h24v24H0z"\n fill="RED" />', 'width="48px" height="24" x="3"'),
    );
    expect(svg).to.equal(
      '<svg viewBox="0 0 48 24" xmlns="http://www.w3.org/2000/svg"><path d="M0 0h24v24H0z" fill="currentColor"/></svg>',
    );
    expect([width, height]).to.deep.equal([48, 24]);
  });

  it('resolves class rules, inline style and inheritance as a browser would', () => {
    const { svg, colors } = clean(
      drawing(
        '<style>.a{fill:#0f0} g .b{fill:#00f}</style><g fill="#f00"><path class="a" d="M0 0h8v24H0z"/><path class="b" style="fill:#ff0!important" d="M8 0h8v24H8z"/><path d="M16 0h8v24h-8z"/></g>',
      ),
    );
    expect(new Set(colors)).to.deep.equal(new Set(['#00ff00', '#ffff00', '#ff0000']));
    expect(svg).to.include('<g fill="#ff0000">');
  });

  it('resolves a wide color', () => {
    expect(clean(drawing('<path d="M0 0h24v24H0z" fill="color(display-p3 1 0 0)"/>')).colors[0]).to.match(
      /^#[ef][0-9a-f]0[0-9a-f]{3}$/,
    );
  });

  describe('writes every notation of a color as #rrggbb and an opacity, which greyscale relies on', () => {
    const SHAPE = 'd="M4 4h16v16H4z"';
    const table: readonly [notation: string, inside: string, wanted: string][] = [
      ['a name', `<path ${SHAPE} fill="Red"/>`, 'fill="#ff0000"'],
      ['short hex', `<path ${SHAPE} fill="#F00"/>`, 'fill="#ff0000"'],
      [
        'hex with alpha',
        `<path ${SHAPE} fill="#ff000080" fill-opacity=".5"/>`,
        'fill="#ff0000" fill-opacity="0.25098"',
      ],
      ['rgb()', `<path ${SHAPE} fill="rgb(255, 0, 0)"/>`, 'fill="#ff0000"'],
      ['rgb() in percent', `<path ${SHAPE} fill="rgb(100% 0% 0% / 50%)"/>`, 'fill="#ff0000" fill-opacity="0.5"'],
      ['hsl()', `<path ${SHAPE} fill="hsl(0 100% 50%)"/>`, 'fill="#ff0000"'],
      ['a style attribute', `<path ${SHAPE} style="fill: red"/>`, 'fill="#ff0000"'],
      ['a rule', `<style>.a{fill:red}</style><path ${SHAPE} class="a"/>`, 'fill="#ff0000"'],
      ['currentColor', `<g color="red"><path ${SHAPE} fill="currentColor"/></g>`, 'fill="#ff0000"'],
      ['a stroke', `<path ${SHAPE} fill="none" stroke="red"/>`, 'stroke="#ff0000"'],
      [
        'a stop',
        `<linearGradient id="a"><stop style="stop-color:red;stop-opacity:.5"/><stop offset="1"/></linearGradient><path ${SHAPE} fill="url(#a)"/>`,
        'stop-color="#ff0000" stop-opacity="0.5"',
      ],
      [
        'a flood',
        `<filter id="a"><feDropShadow dx="1" dy="1" stdDeviation="1" style="flood-color:rgb(255 0 0)"/></filter><path ${SHAPE} fill="red" filter="url(#a)"/>`,
        'flood-color="#ff0000"',
      ],
    ];
    for (const [notation, inside, wanted] of table)
      it(notation, () =>
        expect(clean(drawing(`<path d="M0 0h4v4H0z" fill="#111111"/>${inside}`)).svg).to.include(wanted),
      );
  });

  it('assigns unique ids, only to referenced elements', () => {
    const gradient = (color: string): string =>
      drawing(
        `<defs><linearGradient id="a"><stop stop-color="${color}"/><stop offset="1" stop-color="#00f"/></linearGradient></defs><path id="unused" d="M0 0h24v24H0z" fill="url(#a)"/>`,
      );
    const ids = ['#f00', '#0f0'].flatMap((color) =>
      [...clean(gradient(color)).svg.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id),
    );
    expect(ids).to.have.length(2);
    expect(new Set(ids).size).to.equal(2);
    expect(ids[0]).to.match(/^[a-z][a-z0-9-]+$/);
  });

  it('resolves a nested svg, the viewBox and its percentages', () => {
    const { svg } = clean(
      drawing('<svg x="4" y="4" width="16" height="16" viewBox="0 0 8 8"><rect width="100%" height="50%"/></svg>'),
    );
    expect(svg).to.not.match(/<svg.*<svg|<symbol|<use|%/);
    expect(svg).to.include('d="M0 0h8v4H0Z"').and.include('transform="matrix(2 0 0 2 4 4)"');
  });

  describe('one paint', () => {
    it('is exchangeable wherever it was said, black by default included', () => {
      const { svg, colors, recolorable } = clean(
        drawing('<g stroke="#000"><path d="M0 0h9v9z"/></g><circle cx="9" cy="9" r="4" fill="black"/>'),
      );
      expect({ colors, recolorable }).to.deep.equal({ colors: ['#000000'], recolorable: true });
      expect(svg).to.not.include('#000');
      expect(svg.match(/currentColor/g)).to.have.length(3);
    });

    it('stays unchanged inside a mask', () => {
      const { svg, recolorable } = clean(
        drawing(
          '<mask id="m"><rect width="24" height="24" fill="#fff"/></mask><path d="M0 0h24v24H0z" fill="#fff" mask="url(#m)"/>',
        ),
      );
      expect(recolorable).to.equal(true);
      expect(svg.match(/#ffffff/g)).to.have.length(1);
      expect(svg.match(/currentColor/g)).to.have.length(1);
    });

    it('is replaceable if it and a mask use the same element, which becomes two', () => {
      const shared =
        '<defs><path id="p" d="M0 0h24v24H0z" fill="#fff"/></defs><mask id="m"><use href="#p"/></mask><use href="#p"/><g mask="url(#m)"><path fill="#fff" d="M0 0h9v9z"/></g>';
      const { svg, recolorable } = clean(drawing(shared));
      expect(recolorable).to.equal(true);
      expect(svg.match(/currentColor/g)).to.have.length(2);
      expect(svg.match(/#ffffff/g)).to.have.length(1);
    });

    for (const [what, inside] of [
      [
        'a gradient',
        '<linearGradient id="g"><stop stop-color="#f00"/></linearGradient><path d="M0 0h24v24H0z" fill="url(#g)"/>',
      ],
      ['a second color', '<path d="M0 0h24v24H0z" fill="#f00"/><path d="M0 0h9v9H0z" fill="#fff"/>'],
      [
        'a filter',
        '<filter id="f"><feDropShadow dx="1" dy="1" stdDeviation="1" flood-color="#00f"/></filter><path d="M0 0h20v20H0z" fill="#f00" filter="url(#f)"/>',
      ],
      [
        'a mask that has the same fill from the same group',
        '<g fill="#fff"><mask id="m"><path d="M0 0h24v24H0z"/></mask><path mask="url(#m)" d="M4 4h16v16H4z"/></g>',
      ],
      [
        'a mask that has the same stroke from the same group',
        '<g fill="none" stroke="#fff" stroke-width="4"><mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="24" height="24"><path d="M0 12h24"/></mask><path mask="url(#m)" d="M4 12h16"/></g>',
      ],
    ] as const) {
      it(`is not replaceable together with ${what}`, () => {
        const outcome = clean(drawing(inside));
        expect(outcome.recolorable).to.equal(false);
        expect(outcome.svg).to.not.include('currentColor');
      });
    }
  });

  it('orders colors by the area they cover', () => {
    expect(
      clean(drawing('<path d="M0 0h2v24H0z" fill="#f00"/><path d="M2 0h22v24H2z" fill="#00f"/>')).colors,
    ).to.deep.equal(['#0000ff', '#ff0000']);
  });

  it('accepts a filter that reaches far for its drawing, if it costs little', () => {
    clean(
      drawing(
        '<filter id="f"><feMorphology in="SourceAlpha" radius="2" operator="dilate"/><feGaussianBlur stdDeviation="2"/></filter><circle cx="99" cy="99" r="20" filter="url(#f)"/>',
        'viewBox="0 0 256 256"',
      ),
    );
  });

  describe('ink outside of the viewBox', () => {
    const isClipped = (inside: string): boolean => /^<svg[^>]* overflow="hidden"/.test(clean(drawing(inside)).svg);

    it('is cut off, as a browser does with a document', () => {
      expect(isClipped('<path d="M-5 0h34v24H-5z"/>'), 'beside it').to.equal(true);
      expect(isClipped('<path d="M0 0h24v24H0z"/><circle cx="50" cy="12" r="4"/>'), 'further away').to.equal(true);
      expect(isClipped('<path d="M0 0h24.2v24H0z"/>'), 'one part in a hundred').to.equal(true);
      expect(
        isClipped(
          '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><path d="M1 1h22v22H1z" filter="url(#f)"/>',
        ),
        'blurred',
      ).to.equal(true);
      expect(isClipped('<path d="M0 12h24" stroke="#000" stroke-width="30"/>'), 'a stroke').to.equal(true);
    });

    it('adds no clip if nothing is outside', () => {
      expect(isClipped('<path d="M0 0h24v24H0z"/>')).to.equal(false);
      expect(isClipped('<path d="M-.01 0h24.02v24.01H0z"/>'), 'rounded numbers').to.equal(false);
      expect(
        isClipped(
          '<clipPath id="c"><path d="M0 0h24v24H0z"/></clipPath><path clip-path="url(#c)" d="M-9 0h50v24H0z"/>',
        ),
        'clipped by itself',
      ).to.equal(false);
    });
  });

  it('rejects layers that would take too long at 2048 px, and accepts as many as real drawings have', () => {
    const layered = (count: number): string =>
      drawing('<g opacity=".9"><path d="M0 0h24v24H0z" fill="#f00"/></g>'.repeat(count));
    expect(sanitizeSvg(layered(100))).to.include({ ok: false, reason: 'too_costly' });
    clean(layered(12));
    // Small layers cost little, even in large numbers.
    clean(drawing('<path d="M0 0h20v20H0z"/>' + '<g opacity=".9"><path d="M9 9h1v1H9z" fill="#f00"/></g>'.repeat(80)));
  });

  describe('a drawing without filters and layers, which is drawn as it is up to 4096 px', () => {
    const GRADIENT =
      '<radialGradient id="g"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f" stop-opacity=".4"/></radialGradient>';
    const FULL = 'd="M0 0h24v24H0z"';
    const cases: readonly (readonly [name: string, one: string, rejected: number, accepted: number])[] = [
      ['gradients', `<path ${FULL} fill="url(#g)"/>`, 60, 6],
      ['translucent shapes', `<path ${FULL} fill="#f00" fill-opacity=".5"/>`, 200, 12],
      ['opaque shapes', `<path ${FULL} fill="#f00"/>`, 3500, 50],
      [
        'dashes',
        '<circle cx="12" cy="12" r="10" fill="none" stroke="#f00" stroke-width="4" stroke-dasharray=".02"/>',
        20,
        0,
      ],
    ];
    for (const [name, one, rejected, accepted] of cases) {
      it(`rejects ${rejected} ${name} that fill it, accepts ${accepted}`, () => {
        expect(sanitizeSvg(drawing(GRADIENT + one.repeat(rejected)))).to.include({ ok: false, reason: 'too_costly' });
        clean(drawing(`${GRADIENT}<path d="M0 0h9v9z"/>${one.repeat(accepted)}`));
      });
    }

    it('may be long', () => {
      const wave = Array.from({ length: 8000 }, (_, at) => `c.${at % 9}1-.2.${at % 7}3.1-.${at % 8}2.2`).join('');
      clean(drawing(`<path d="M2 2${wave}z"/>`));
    });
  });

  describe('layers in a drawing with filters, which are drawn at full size while filters are not', () => {
    const BLUR = '<filter id="f"><feGaussianBlur stdDeviation=".2"/></filter>';
    const MASK =
      '<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="24" height="24"><path d="M0 0h24v24H0z" fill="#888"/></mask>';
    const FULL = '<path d="M0 0h24v24H0z" fill="#f00"/>';
    const tiny = `${BLUR}<rect x="1" y="1" width="1" height="1" filter="url(#f)"/>`;
    const shadow =
      '<filter id="f" x="0" y="0" width="1" height="1"><feGaussianBlur in="SourceAlpha" stdDeviation=".1" result="s"/><feBlend in="SourceGraphic" in2="s"/></filter>';
    const cases: readonly (readonly [name: string, body: (layer: string, count: number) => string])[] = [
      ['beside a tiny filter', (layer, count) => tiny + MASK + layer.repeat(count)],
      ['in a filtered group', (layer, count) => `${BLUR}${MASK}<g filter="url(#f)">${layer.repeat(count)}</g>`],
      [
        'in a group over its shadow',
        (layer, count) => `${shadow}${MASK}<g filter="url(#f)">${layer.repeat(count)}</g>`,
      ],
    ];
    for (const [name, body] of cases) {
      for (const attribute of ['opacity=".9"', 'mask="url(#m)"']) {
        it(`${name}: rejects many with ${attribute}, accepts a few`, () => {
          const layer = `<g ${attribute}>${FULL}</g>`;
          const rejected = sanitizeSvg(drawing(body(layer, 150)));
          expect(rejected).to.include({ ok: false, reason: 'too_costly' });
          expect(!rejected.ok && rejected.message).to.match(
            /^drawing it without its filters costs as much as [\d.]+ blurs/,
          );
          clean(drawing(body(layer, 4)));
        });
      }
    }
  });

  it('leaves no reference to removed elements', () => {
    const { svg } = clean(
      drawing(
        '<mask clip-path="url(#c)"><clipPath id="c"/><g id="b"/></mask><use href="#b"/><path d="M0 0h20v20H0z"/>',
      ),
    );
    expect(svg).not.to.include('url(#c)');
    expect(clean(svg).svg).to.equal(svg);
  });

  it('draws a <use> of something inside an element that is not drawn', () => {
    const { svg } = clean(
      drawing(
        '<linearGradient><use href="#b"><rect id="a" width="9" height="9"/></use></linearGradient><use href="#a"/><g id="b"/>',
      ),
    );
    expect(svg).to.match(/^<svg [^>]*><g fill="currentColor"><path d="M0 0h9v9H0Z"\/><\/g><\/svg>$/);
    expect(clean(svg).svg).to.equal(svg);
  });

  describe('for any input', () => {
    const attribute = fc.constantFrom(
      'fill="#f00"',
      'fill="url(#a)"',
      'opacity=".5"',
      'mask="url(#b)"',
      'clip-path="url(#c)"',
      'style="fill:red;stroke:var(--x,blue)"',
      'transform="rotate(45)"',
      'id="a"',
      'id="b"',
      'id="c"',
      'class="k"',
      'stroke="currentColor"',
      'display="none"',
      'href="#a"',
      'href="#b"',
    );
    const name = fc.constantFrom(
      'g',
      'path',
      'rect',
      'use',
      'mask',
      'clipPath',
      'linearGradient',
      'defs',
      'symbol',
      'svg',
      'switch',
      'a',
      'foo',
    );
    const attributes = fc.uniqueArray(attribute, { maxLength: 4, selector: (text) => text.split('=')[0] });
    const write = ([tag, own, children]: readonly [string, readonly string[], readonly string[]]): string =>
      `<${tag} d="M0 0h20v20H0z" width="9" height="9" ${own.join(' ')}>${children.join('')}</${tag}>`;
    const { node } = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.tuple(name, attributes, fc.constant([])).map(write),
        fc.tuple(name, attributes, fc.array(tie('node'), { maxLength: 3 })).map(write),
      ),
    }));

    it('never throws', () => {
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string(),
            fc.string().map((text) => drawing(text)),
            fc.string().map((text) => drawing(`<path d="M0 0h9v9z" style="${text}" transform="${text}"/>`)),
          ),
          (text) => {
            expect(sanitizeSvg(text)).to.have.property('ok');
          },
        ),
        { numRuns: repeated(200, 500) },
      );
    });

    it('answers a drawing that it would not change again', () => {
      fc.assert(
        fc.property(fc.array(node, { minLength: 1, maxLength: 4 }), (nodes) => {
          const first = sanitizeSvg(drawing(`<style>.k{fill:#0f0}</style>${nodes.join('')}`));
          if (!first.ok) return;
          const second = sanitizeSvg(first.svg);
          expect(second.ok && second.svg).to.equal(first.svg);
        }),
        { numRuns: repeated(400, 1500) },
      );
    });
  });
});
