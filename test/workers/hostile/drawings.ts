// Drawings that attack parsers, renderers, or pages that embed them, each with the expected result.
import type { DrawingRejectionCode } from '../../../src/platform/drawing-rejections.js';

/**
 * Expected result: the reason of the rejection, or `cleaned`. `cleaned`: the drawing is accepted without its forbidden
 * parts, and still visible.
 */
type Fate = DrawingRejectionCode | 'cleaned';
/** Name → drawing, or function that returns the drawing. */
type Drawings = Readonly<Record<string, string | (() => string)>>;
type DrawingsByFate = Readonly<Partial<Record<Fate, Drawings>>>;

interface HostileDrawing {
  readonly name: string;
  readonly svg: () => string;
  readonly fate: Fate;
}

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const SQUARE = '<path d="M0 0h24v24H0z" fill="#c00"/>';
const icon = (inside: string, attributes = 'viewBox="0 0 24 24"'): string => `<svg ${NS} ${attributes}>${inside}</svg>`;
const repeat = (text: string, times: number): string => text.repeat(times);

/** Returns nested groups. Each level uses the level below ten times, so the path is drawn 10^levels times. */
function useBomb(levels: number): string {
  const groups = Array.from({ length: levels }, (_, level) => {
    const below = level === 0 ? '<path d="M0 0h1v1z"/>' : repeat(`<use href="#l${level - 1}"/>`, 10);
    return `<g id="l${level}">${below}</g>`;
  });
  return icon(`<defs>${groups.join('')}</defs><use href="#l${levels - 1}"/>`);
}

function maskBomb(levels: number): string {
  const masks = Array.from({ length: levels }, (_, level) => {
    const own = level === 0 ? '' : ` mask="url(#m${level - 1})"`;
    return `<mask id="m${level}">${repeat(`<rect width="24" height="24" fill="#fff"${own}/>`, 8)}</mask>`;
  });
  return icon(`${masks.join('')}<rect width="24" height="24" mask="url(#m${levels - 1})"/>`);
}

function named(names: readonly string[], what: string, inside: (name: string) => string): Drawings {
  return Object.fromEntries(names.map((name) => [`${what} ${name}`, inside(name)]));
}

const ADDRESSES = [
  'http://evil.example/x.svg#g',
  'javascript:alert(1)',
  'data:image/svg+xml,%3Csvg/%3E#g',
  '//evil.example/x.svg#g',
];
const STOPS = '<stop stop-color="#c00"/><stop offset="1" stop-color="#00c"/>';

/** Returns gradients and patterns with a reference to each URL. If `isPainted` is true, a shape uses them as paint. */
const paintServers = (isPainted: boolean): Drawings =>
  Object.fromEntries(
    ['linearGradient', 'radialGradient', 'pattern'].flatMap((element) =>
      ['href', 'xlink:href'].flatMap((attribute) =>
        ADDRESSES.map((address) => {
          const inside = element === 'pattern' ? SQUARE : STOPS;
          const server = `<${element} id="g" ${attribute}="${address}" xmlns:xlink="http://www.w3.org/1999/xlink">${inside}</${element}>`;
          const painted = isPainted ? '<path d="M0 0h24v24H0z" fill="url(#g)"/>' : '';
          return [
            `${isPainted ? 'painted' : 'unused'} ${element} with ${attribute} ${address}`,
            server + painted + SQUARE,
          ];
        }),
      ),
    ),
  );

/** Contents of an <svg> element, by expected result. */
const INSIDE: DrawingsByFate = {
  cleaned: {
    ...paintServers(false),
    ...named(
      ['constructor', 'toString', '__proto__', 'hasOwnProperty'],
      'an element called',
      (name) => `<${name} d="M0 0h1v1z" ${name}="1"/>${SQUARE}`,
    ),
    ...named(
      ['constructor(1)', '__proto__(1)', 'toString(1 2)'],
      'the transform',
      (call) =>
        `<g transform="${call}" transform-origin="constructor valueOf" fill="${call}" stroke="constructor">${SQUARE}</g>`,
    ),
    'script element': `<script>alert(1)</script>${SQUARE}`,
    'script in CDATA': `<script><![CDATA[alert(1)]]></script>${SQUARE}`,
    'XHTML script': `<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>${SQUARE}`,
    'script by default namespace': `<script xmlns="http://www.w3.org/1999/xhtml" src="//evil.example/x.js"/>${SQUARE}`,
    'onclick, mixed case': '<path d="M0 0h24v24z" onClick="alert(1)" ONFOCUSIN="alert(2)"/>',
    'javascript: link': `<a href="javascript:alert(1)">${SQUARE}</a>`,
    'javascript: link with entities': `<a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="java&#10;script:alert(1)">${SQUARE}</a>`,
    'dash bomb': '<path d="M0 12h24" stroke="#000" stroke-width="4" stroke-dasharray="0.0000001"/>',
    'unfinished transform': () => `<path d="M0 0h24v24H0z" transform="${repeat('a', 50_000)}"/>`,
    'CSS import': `<style>@import url("http://evil.example/x.css");.a{fill:#c00}</style><path class="a" d="M0 0h24v24z"/>`,
    'CSS font and background': `<style>@font-face{font-family:x;src:url(http://evil.example/f)}.a{background:url(http://evil.example/b);fill:#c00}</style><path class="a" d="M0 0h24v24z"/>`,
    'CSS escape': String.raw`<path d="M0 0h24v24z" style="fill:#c00;background:\75rl(http://evil.example/x)"/>`,
    'CSS expression and behavior':
      '<path d="M0 0h24v24z" style="width:expression(alert(1));behavior:url(x.htc);-moz-binding:url(x)"/>',
    'style breaking out':
      '<style>&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;.a{fill:red}</style><path class="a" d="M0 0h24v24z"/>',
    'attribute breaking out': '<path d="M0 0h24v24z" id="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"/>',
    'paint breaking out': '<path d="M0 0h24v24z" fill="#fff&quot; onload=&quot;alert(1)"/>',
    'CSS keyframes': `<style>@keyframes x{to{opacity:0}}.a{fill:#c00;animation:x 1s}</style><path class="a" d="M0 0h24v24z"/>`,
  },
  malformed: {
    'undeclared entity': `<path d="M0 0h24v24z" fill="&red;"/>`,
  },
  too_large: {
    'very large': () => `<!--${repeat('x', 1_100_000)}-->${SQUARE}`,
  },
  too_many_elements: {
    'ten thousand elements': () => repeat('<path d="M0 0h1v1z"/>', 10_000),
  },
  too_deep: {
    'deep nesting': () => repeat('<g>', 3000) + SQUARE + repeat('</g>', 3000),
    'deep nesting of unknown elements': () => repeat('<x>', 3000) + repeat('</x>', 3000) + SQUARE,
  },
  path_too_long: {
    'half a megabyte of path': () => `<path d="M0 0${repeat('l1 1', 120_000)}"/>`,
  },
  too_costly: {
    'a canvas in a canvas in a canvas': () => repeat('<g opacity=".9">', 40) + SQUARE + repeat('</g>', 40),
    'hundred blurs of the whole picture': () =>
      `<filter id="f">${repeat('<feGaussianBlur stdDeviation="1"/>', 100)}</filter><rect width="24" height="24" filter="url(#f)"/>`,
    'hundred blurs, enlarged by a transform': () =>
      `<filter id="f">${repeat('<feGaussianBlur stdDeviation=".01"/>', 100)}</filter><g transform="scale(100)"><rect width=".24" height=".24" filter="url(#f)"/></g>`,
    'blurs whose regions are far larger than the picture': () =>
      `<filter id="f" x="-3" y="-3" width="7" height="7">${repeat('<feGaussianBlur stdDeviation="1"/>', 20)}</filter><rect width="24" height="24" filter="url(#f)"/>`,
  },
  filter_too_costly: {
    'enormous blur':
      '<filter id="f"><feGaussianBlur stdDeviation="100000"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    'noise filter':
      '<filter id="f"><feTurbulence baseFrequency=".01" numOctaves="1000"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    convolution: '<filter id="f"><feConvolveMatrix order="500"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    'thousand primitives': () =>
      `<filter id="f">${repeat('<feOffset dx="1"/>', 1000)}</filter><rect width="9" height="9" filter="url(#f)"/>`,
    'one filter used a thousand times': () =>
      `<filter id="f"><feOffset dx="1"/></filter><rect id="r" width="9" height="9" filter="url(#f)"/>${repeat('<use href="#r"/>', 1000)}`,
    'filter region of a hundred objects':
      '<filter id="f" width="100" height="100"><feGaussianBlur stdDeviation="1"/></filter><rect width="9" height="9" filter="url(#f)"/>',
  },
  style_too_complex: {
    'selector bomb': () =>
      `<style>${Array.from({ length: 200 }, () => '* * * * * * * * .a{fill:red}').join('')}</style>${repeat('<g>', 30)}${repeat('<path class="a" d="M0 0h1v1z"/>', 500)}${repeat('</g>', 30)}`,
    'megabyte-like style': () => `<style>${repeat('.a{fill:red}', 20_000)}</style>${SQUARE}`,
  },
  embedded_image: {
    'embedded raster': '<image width="24" height="24" href="data:image/png;base64,iVBORw0KGgo="/>',
    'remote image': '<image width="24" height="24" href="http://evil.example/pixel.png"/>',
    'SVG in data: image': '<image width="24" height="24" href="data:image/svg+xml,&lt;svg onload=alert(1)&gt;"/>',
    feImage:
      '<filter id="f"><feImage href="http://evil.example/x"/></filter><rect width="9" height="9" filter="url(#f)"/>',
  },
  external_reference: {
    ...paintServers(true),
    'use of another file': '<use href="http://evil.example/x.svg#a"/>',
    'use of data:': '<use href="data:image/svg+xml,&lt;svg id=\'a\'/&gt;#a"/>',
    'paint from elsewhere': '<rect width="24" height="24" fill="url(http://evil.example/p.svg#a)"/>',
    'filter from elsewhere, in style': `<rect width="24" height="24" style="filter:url('https://evil.example/f.svg#a')"/>`,
  },
  animation: {
    SMIL: `<rect width="24" height="24"><animate attributeName="width" to="0" dur="1s"/></rect>`,
    'SMIL set of href': `<a><set attributeName="href" to="javascript:alert(1)"/>${SQUARE}</a>`,
  },
  foreign_object: {
    foreignObject: `<foreignObject width="24" height="24"><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="//evil.example"/></body></foreignObject>${SQUARE}`,
    'foreignObject in switch': `<switch><foreignObject width="1" height="1"><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject><g>${SQUARE}</g></switch>`,
  },
  text: {
    text: '<text x="1" y="12">Brand</text>',
  },
  unsupported_element: {
    'HTML elements in the SVG namespace': `<iframe src="//evil.example"/><object data="x"/><embed src="x"/><video src="x"/>${SQUARE}`,
  },
  empty: {
    'nothing to see': '<path d="M0 0h24v24z" fill="none"/>',
    'everything outside the viewBox': '<path d="M900 900h24v24z"/>',
    'only a script': '<script>alert(1)</script>',
  },
};

const DOCUMENTS: DrawingsByFate = {
  cleaned: {
    'script under a prefix': `<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><s:script>alert(1)</s:script><s:path d="M0 0h24v24z"/></s:svg>`,
    'onload on the root': icon(SQUARE, 'viewBox="0 0 24 24" onload="alert(1)"'),
    'plain DOCTYPE': `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${icon(SQUARE)}`,
    'stylesheet instruction': `<?xml-stylesheet href="http://evil.example/x.css"?>${icon(SQUARE)}`,
  },
  entities: {
    'entity bomb': `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${icon('<path d="&b;"/>')}`,
    'external entity': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${icon('<desc>&x;</desc>')}`,
    'parameter entity': `<!DOCTYPE svg [<!ENTITY % p SYSTEM "http://evil.example/p.dtd">%p;]>${icon(SQUARE)}`,
    'attribute defaults in the DOCTYPE': `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>${icon(SQUARE)}`,
  },
  malformed: {
    'not closed': `<svg ${NS} viewBox="0 0 24 24"><path d="M0 0h24v24z"/>`,
    binary: '\u0000\u0001\u0002GIF89a',
  },
  not_svg: {
    'two roots': icon(SQUARE) + icon(SQUARE),
    HTML: '<html><body><svg viewBox="0 0 1 1"/></body></html>',
    'another namespace': `<svg xmlns="http://evil.example/" viewBox="0 0 24 24">${SQUARE}</svg>`,
    'empty text': '',
  },
  too_costly: {
    'use bomb': () => useBomb(8),
    'mask bomb': () => maskBomb(6),
  },
  filter_too_costly: {
    'wide morphology': icon(
      '<filter id="f"><feMorphology operator="dilate" radius="4.9"/></filter><rect width="10" height="10" filter="url(#f)"/>',
      'viewBox="0 0 10 10"',
    ),
    'twenty morphologies': () =>
      icon(
        `<filter id="f">${repeat('<feMorphology operator="dilate" radius=".03"/>', 20)}</filter><rect width="10" height="10" filter="url(#f)"/>`,
        'viewBox="0 0 10 10"',
      ),
  },
  no_viewbox: {
    'no size at all': icon(SQUARE, ''),
    'size in per cent': icon(SQUARE, 'width="100%" height="100%"'),
  },
  bad_viewbox: {
    'zero viewBox': icon(SQUARE, 'viewBox="0 0 0 0"'),
    'negative viewBox': icon(SQUARE, 'viewBox="0 0 -24 24"'),
    'NaN viewBox': icon(SQUARE, 'viewBox="0 0 NaN 24"'),
    'infinite viewBox': icon(SQUARE, 'viewBox="0 0 1e999 24"'),
    'enormous viewBox': icon(SQUARE, 'viewBox="0 0 1e9 1e9"'),
    'hair-thin viewBox': icon(SQUARE, 'viewBox="0 0 100000 1"'),
    'three numbers': icon(SQUARE, 'viewBox="0 0 24"'),
  },
};

/** Contents of an <svg> element that crash the rasterizer. The sanitizer can only detect this in a separate process. */
const ENDING: Drawings = {
  'a layer far away, which makes the rasterizer abort its process':
    '<clipPath id="c"><path d="M600 0h9v9z"/></clipPath><path d="M0 0h9v9z"/><path d="M600 0h9v9z" clip-path="url(#c)"/>',
  'nothing but a layer far away': '<path d="M600 0h9v9z" opacity=".5"/>',
  'a layer far away, drawn by use': `<defs><g id="a" opacity=".5"><path d="M0 0h9v9z"/></g></defs><use href="#a" x="400"/>${SQUARE}`,
  'translucent, far to the left': `<g opacity=".5"><path d="M-900 0h9v9z"/></g>${SQUARE}`,
  'a layer inside a mask':
    '<mask id="m"><g opacity=".5"><path fill="#fff" d="M-900 0h9v9z"/></g><path fill="#fff" d="M0 0h24v24z"/></mask><path d="M0 0h24v24z" mask="url(#m)"/>',
  'a layer inside the picture, in one that begins far to the left': `<g opacity=".5"><path d="M-46 0h5v5z"/><g opacity=".5"><path d="M20 0h2v2z"/></g></g>${SQUARE}`,
  'filter region far away':
    '<filter id="f" filterUnits="userSpaceOnUse" x="400" y="0" width="9" height="9"><feGaussianBlur stdDeviation="1"/></filter><rect width="9" height="9" filter="url(#f)"/>',
  'filter region far away, in boxes':
    '<filter id="f" x="50" width="1"><feGaussianBlur stdDeviation="1"/></filter><rect width="9" height="9" filter="url(#f)"/>',
};

function listed(drawings: Drawings, documentOf: (text: string) => string): Pick<HostileDrawing, 'name' | 'svg'>[] {
  return Object.entries(drawings).map(([name, text]) => ({
    name,
    svg: () => documentOf(typeof text === 'string' ? text : text()),
  }));
}

function listedByFate(drawings: DrawingsByFate, documentOf: (text: string) => string): HostileDrawing[] {
  return Object.entries(drawings).flatMap(([fate, of]) =>
    listed(of, documentOf).map((drawing) => ({ ...drawing, fate: fate as Fate })),
  );
}

export const HOSTILE: readonly HostileDrawing[] = [
  ...listedByFate(INSIDE, icon),
  ...listedByFate(DOCUMENTS, (text) => text),
];

/** Contents of a wide <svg> element. They crash the rasterizer only when the picture is rotated. */
const ENDING_TURNED: Drawings = {
  'a layer in a pattern that is too far away when the picture is turned':
    '<pattern id="p" width="24" height="12" patternUnits="userSpaceOnUse"><path opacity=".5" d="M40 0h4v4z"/><path d="M0 0h24v12H0z"/></pattern><path d="M0 0h24v12H0z" fill="url(#p)"/>',
};

export const ABORTING: readonly Pick<HostileDrawing, 'name' | 'svg'>[] = [
  ...listed(ENDING, icon),
  ...listed(ENDING_TURNED, (inside) => icon(inside, 'viewBox="0 0 24 12"')),
];
