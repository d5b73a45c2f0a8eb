// Drawings that attack their readers, renderers and embedding pages, and what must become of each.
import type { SvgRejection } from '../../../workers/sanitizer-protocol.js';

export interface HostileDrawing {
  readonly name: string;
  readonly svg: string | (() => string);
  /** Rejected for this reason, or cleaned: then nothing forbidden is left and it still draws. */
  readonly expect: SvgRejection | 'cleaned';
}

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const SQUARE = '<path d="M0 0h24v24H0z" fill="#c00"/>';
const icon = (inside: string, attributes = 'viewBox="0 0 24 24"'): string => `<svg ${NS} ${attributes}>${inside}</svg>`;
const repeat = (text: string, times: number): string => text.repeat(times);

/** `<g id=level…>` with ten uses of the level below: 10^levels drawings. */
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

export const HOSTILE: readonly HostileDrawing[] = [
  // Scripts and handlers
  { name: 'script element', svg: icon(`<script>alert(1)</script>${SQUARE}`), expect: 'cleaned' },
  { name: 'script in CDATA', svg: icon(`<script><![CDATA[alert(1)]]></script>${SQUARE}`), expect: 'cleaned' },
  {
    name: 'script under a prefix',
    svg: `<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><s:script>alert(1)</s:script><s:path d="M0 0h24v24z"/></s:svg>`,
    expect: 'cleaned',
  },
  {
    name: 'XHTML script',
    svg: icon(`<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>${SQUARE}`),
    expect: 'cleaned',
  },
  {
    name: 'script by default namespace',
    svg: icon(`<script xmlns="http://www.w3.org/1999/xhtml" src="//evil.example/x.js"/>${SQUARE}`),
    expect: 'cleaned',
  },
  { name: 'onload on the root', svg: icon(SQUARE, 'viewBox="0 0 24 24" onload="alert(1)"'), expect: 'cleaned' },
  {
    name: 'onclick, mixed case',
    svg: icon('<path d="M0 0h24v24z" onClick="alert(1)" ONFOCUSIN="alert(2)"/>'),
    expect: 'cleaned',
  },
  { name: 'javascript: link', svg: icon(`<a href="javascript:alert(1)">${SQUARE}</a>`), expect: 'cleaned' },
  {
    name: 'javascript: link with entities',
    svg: icon(`<a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="java&#10;script:alert(1)">${SQUARE}</a>`),
    expect: 'cleaned',
  },
  {
    name: 'foreignObject',
    svg: icon(
      `<foreignObject width="24" height="24"><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="//evil.example"/></body></foreignObject>${SQUARE}`,
    ),
    expect: 'cleaned',
  },
  {
    name: 'foreignObject in switch',
    svg: icon(
      `<switch><foreignObject width="1" height="1"><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject><g>${SQUARE}</g></switch>`,
    ),
    expect: 'cleaned',
  },
  {
    name: 'HTML elements in the SVG namespace',
    svg: icon(`<iframe src="//evil.example"/><object data="x"/><embed src="x"/><video src="x"/>${SQUARE}`),
    expect: 'cleaned',
  },
  // The document itself
  {
    name: 'entity bomb',
    svg: `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${icon('<path d="&b;"/>')}`,
    expect: 'entities',
  },
  {
    name: 'external entity',
    svg: `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${icon('<desc>&x;</desc>')}`,
    expect: 'entities',
  },
  {
    name: 'parameter entity',
    svg: `<!DOCTYPE svg [<!ENTITY % p SYSTEM "http://evil.example/p.dtd">%p;]>${icon(SQUARE)}`,
    expect: 'entities',
  },
  {
    name: 'attribute defaults in the DOCTYPE',
    svg: `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>${icon(SQUARE)}`,
    expect: 'entities',
  },
  { name: 'undeclared entity', svg: icon(`<path d="M0 0h24v24z" fill="&red;"/>`), expect: 'malformed' },
  {
    name: 'plain DOCTYPE',
    svg: `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${icon(SQUARE)}`,
    expect: 'cleaned',
  },
  {
    name: 'stylesheet instruction',
    svg: `<?xml-stylesheet href="http://evil.example/x.css"?>${icon(SQUARE)}`,
    expect: 'cleaned',
  },
  { name: 'not closed', svg: `<svg ${NS} viewBox="0 0 24 24"><path d="M0 0h24v24z"/>`, expect: 'malformed' },
  { name: 'two roots', svg: icon(SQUARE) + icon(SQUARE), expect: 'not-svg' },
  { name: 'HTML', svg: '<html><body><svg viewBox="0 0 1 1"/></body></html>', expect: 'not-svg' },
  {
    name: 'another namespace',
    svg: `<svg xmlns="http://evil.example/" viewBox="0 0 24 24">${SQUARE}</svg>`,
    expect: 'not-svg',
  },
  { name: 'empty text', svg: '', expect: 'not-svg' },
  { name: 'binary', svg: '\u0000\u0001\u0002GIF89a', expect: 'malformed' },
  { name: 'very large', svg: () => icon(`<!--${repeat('x', 1_100_000)}-->${SQUARE}`), expect: 'too-large' },
  // What it would cost
  {
    name: 'ten thousand elements',
    svg: () => icon(repeat('<path d="M0 0h1v1z"/>', 10_000)),
    expect: 'too-many-elements',
  },
  { name: 'deep nesting', svg: () => icon(repeat('<g>', 3000) + SQUARE + repeat('</g>', 3000)), expect: 'too-deep' },
  {
    name: 'deep nesting of unknown elements',
    svg: () => icon(repeat('<x>', 3000) + repeat('</x>', 3000) + SQUARE),
    expect: 'too-deep',
  },
  {
    name: 'half a megabyte of path',
    svg: () => icon(`<path d="M0 0${repeat('l1 1', 120_000)}"/>`),
    expect: 'path-too-long',
  },
  { name: 'use bomb', svg: () => useBomb(8), expect: 'too-costly' },
  { name: 'mask bomb', svg: () => maskBomb(6), expect: 'too-costly' },
  {
    name: 'use of itself',
    svg: icon('<g id="a"><use href="#a"/><path d="M0 0h9v9z"/></g>'),
    expect: 'reference-cycle',
  },
  {
    name: 'masks in a circle',
    svg: icon(
      '<mask id="a"><rect width="9" height="9" mask="url(#b)"/></mask><mask id="b"><rect width="9" height="9" mask="url(#a)"/></mask><rect width="9" height="9" mask="url(#a)"/>',
    ),
    expect: 'reference-cycle',
  },
  {
    name: 'gradients in a circle',
    svg: icon(
      '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><rect width="9" height="9" fill="url(#a)"/>',
    ),
    expect: 'reference-cycle',
  },
  {
    name: 'a canvas in a canvas in a canvas',
    svg: () => icon(repeat('<g opacity=".9">', 40) + SQUARE + repeat('</g>', 40)),
    expect: 'too-costly',
  },
  {
    name: 'enormous blur',
    svg: icon(
      '<filter id="f"><feGaussianBlur stdDeviation="100000"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    ),
    expect: 'filter-too-costly',
  },
  {
    name: 'noise filter',
    svg: icon(
      '<filter id="f"><feTurbulence baseFrequency=".01" numOctaves="1000"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    ),
    expect: 'filter-too-costly',
  },
  {
    name: 'lighting filter',
    svg: icon(
      '<filter id="f"><feSpecularLighting><fePointLight x="1" y="1" z="1"/></feSpecularLighting></filter><rect width="9" height="9" filter="url(#f)"/>',
    ),
    expect: 'filter-too-costly',
  },
  {
    name: 'convolution',
    svg: icon('<filter id="f"><feConvolveMatrix order="500"/></filter><rect width="9" height="9" filter="url(#f)"/>'),
    expect: 'filter-too-costly',
  },
  {
    name: 'wide morphology',
    svg: icon(
      '<filter id="f"><feMorphology operator="dilate" radius="4.9"/></filter><rect width="10" height="10" filter="url(#f)"/>',
      'viewBox="0 0 10 10"',
    ),
    expect: 'filter-too-costly',
  },
  {
    name: 'twenty morphologies',
    svg: () =>
      icon(
        `<filter id="f">${repeat('<feMorphology operator="dilate" radius=".03"/>', 20)}</filter><rect width="10" height="10" filter="url(#f)"/>`,
        'viewBox="0 0 10 10"',
      ),
    expect: 'filter-too-costly',
  },
  {
    name: 'thousand primitives',
    svg: () =>
      icon(
        `<filter id="f">${repeat('<feOffset dx="1"/>', 1000)}</filter><rect width="9" height="9" filter="url(#f)"/>`,
      ),
    expect: 'filter-too-costly',
  },
  {
    name: 'one filter used a thousand times',
    svg: () =>
      icon(
        `<filter id="f"><feOffset dx="1"/></filter><rect id="r" width="9" height="9" filter="url(#f)"/>${repeat('<use href="#r"/>', 1000)}`,
      ),
    expect: 'filter-too-costly',
  },
  {
    name: 'hundred blurs of the whole picture',
    svg: () =>
      icon(
        `<filter id="f">${repeat('<feGaussianBlur stdDeviation="1"/>', 100)}</filter><rect width="24" height="24" filter="url(#f)"/>`,
      ),
    expect: 'too-costly',
  },
  {
    name: 'hundred blurs, enlarged by a transform',
    svg: () =>
      icon(
        `<filter id="f">${repeat('<feGaussianBlur stdDeviation=".01"/>', 100)}</filter><g transform="scale(100)"><rect width=".24" height=".24" filter="url(#f)"/></g>`,
      ),
    expect: 'too-costly',
  },
  {
    name: 'blurs whose regions are far larger than the picture',
    svg: () =>
      icon(
        `<filter id="f" x="-3" y="-3" width="7" height="7">${repeat('<feGaussianBlur stdDeviation="1"/>', 20)}</filter><rect width="24" height="24" filter="url(#f)"/>`,
      ),
    expect: 'too-costly',
  },
  {
    name: 'dash bomb',
    svg: icon('<path d="M0 12h24" stroke="#000" stroke-width="4" stroke-dasharray="0.0000001"/>'),
    expect: 'cleaned',
  },
  {
    name: 'selector bomb',
    svg: () =>
      icon(
        `<style>${Array.from({ length: 200 }, () => '* * * * * * * * .a{fill:red}').join('')}</style>${repeat('<g>', 30)}${repeat('<path class="a" d="M0 0h1v1z"/>', 500)}${repeat('</g>', 30)}`,
      ),
    expect: 'style-too-complex',
  },
  {
    name: 'megabyte-like style',
    svg: () => icon(`<style>${repeat('.a{fill:red}', 20_000)}</style>${SQUARE}`),
    expect: 'style-too-complex',
  },
  {
    name: 'unfinished transform',
    svg: () => icon(`<path d="M0 0h24v24H0z" transform="${repeat('a', 50_000)}"/>`),
    expect: 'cleaned',
  },
  {
    name: 'filter region of a hundred objects',
    svg: icon(
      '<filter id="f" width="100" height="100"><feGaussianBlur stdDeviation="1"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    ),
    expect: 'filter-too-costly',
  },
  // Sizes
  { name: 'no size at all', svg: icon(SQUARE, ''), expect: 'no-viewbox' },
  { name: 'size in per cent', svg: icon(SQUARE, 'width="100%" height="100%"'), expect: 'no-viewbox' },
  { name: 'zero viewBox', svg: icon(SQUARE, 'viewBox="0 0 0 0"'), expect: 'bad-viewbox' },
  { name: 'negative viewBox', svg: icon(SQUARE, 'viewBox="0 0 -24 24"'), expect: 'bad-viewbox' },
  { name: 'NaN viewBox', svg: icon(SQUARE, 'viewBox="0 0 NaN 24"'), expect: 'bad-viewbox' },
  { name: 'infinite viewBox', svg: icon(SQUARE, 'viewBox="0 0 1e999 24"'), expect: 'bad-viewbox' },
  { name: 'enormous viewBox', svg: icon(SQUARE, 'viewBox="0 0 1e9 1e9"'), expect: 'bad-viewbox' },
  { name: 'hair-thin viewBox', svg: icon(SQUARE, 'viewBox="0 0 100000 1"'), expect: 'bad-viewbox' },
  { name: 'three numbers', svg: icon(SQUARE, 'viewBox="0 0 24"'), expect: 'bad-viewbox' },
  // What lies outside
  {
    name: 'embedded raster',
    svg: icon('<image width="24" height="24" href="data:image/png;base64,iVBORw0KGgo="/>'),
    expect: 'embedded-image',
  },
  {
    name: 'remote image',
    svg: icon('<image width="24" height="24" href="http://evil.example/pixel.png"/>'),
    expect: 'embedded-image',
  },
  {
    name: 'SVG in data: image',
    svg: icon('<image width="24" height="24" href="data:image/svg+xml,&lt;svg onload=alert(1)&gt;"/>'),
    expect: 'embedded-image',
  },
  ...['constructor', 'toString', '__proto__', 'hasOwnProperty'].map((name) => ({
    name: `an element called ${name}`,
    svg: icon(`<${name} d="M0 0h1v1z" ${name}="1"/>${SQUARE}`),
    expect: 'cleaned' as const,
  })),
  ...['constructor(1)', '__proto__(1)', 'toString(1 2)'].map((call) => ({
    name: `the transform ${call}`,
    svg: icon(
      `<g transform="${call}" transform-origin="constructor valueOf" fill="${call}" stroke="constructor">${SQUARE}</g>`,
    ),
    expect: 'cleaned' as const,
  })),
  {
    name: 'feImage',
    svg: icon(
      '<filter id="f"><feImage href="http://evil.example/x"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    ),
    expect: 'embedded-image',
  },
  { name: 'use of another file', svg: icon('<use href="http://evil.example/x.svg#a"/>'), expect: 'external-reference' },
  {
    name: 'use of data:',
    svg: icon('<use href="data:image/svg+xml,&lt;svg id=\'a\'/&gt;#a"/>'),
    expect: 'external-reference',
  },
  {
    name: 'paint from elsewhere',
    svg: icon('<rect width="24" height="24" fill="url(http://evil.example/p.svg#a)"/>'),
    expect: 'external-reference',
  },
  {
    name: 'filter from elsewhere, in style',
    svg: icon(`<rect width="24" height="24" style="filter:url('https://evil.example/f.svg#a')"/>`),
    expect: 'external-reference',
  },
  {
    name: 'CSS import',
    svg: icon(`<style>@import url("http://evil.example/x.css");.a{fill:#c00}</style><path class="a" d="M0 0h24v24z"/>`),
    expect: 'cleaned',
  },
  {
    name: 'CSS font and background',
    svg: icon(
      `<style>@font-face{font-family:x;src:url(http://evil.example/f)}.a{background:url(http://evil.example/b);fill:#c00}</style><path class="a" d="M0 0h24v24z"/>`,
    ),
    expect: 'cleaned',
  },
  {
    name: 'CSS escape',
    svg: icon(String.raw`<path d="M0 0h24v24z" style="fill:#c00;background:\75rl(http://evil.example/x)"/>`),
    expect: 'cleaned',
  },
  {
    name: 'CSS expression and behavior',
    svg: icon('<path d="M0 0h24v24z" style="width:expression(alert(1));behavior:url(x.htc);-moz-binding:url(x)"/>'),
    expect: 'cleaned',
  },
  {
    name: 'style breaking out',
    svg: icon(
      '<style>&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;.a{fill:red}</style><path class="a" d="M0 0h24v24z"/>',
    ),
    expect: 'cleaned',
  },
  {
    name: 'attribute breaking out',
    svg: icon('<path d="M0 0h24v24z" id="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"/>'),
    expect: 'cleaned',
  },
  {
    name: 'paint breaking out',
    svg: icon('<path d="M0 0h24v24z" fill="#fff&quot; onload=&quot;alert(1)"/>'),
    expect: 'cleaned',
  },
  // What changes under the eye
  {
    name: 'SMIL',
    svg: icon(`<rect width="24" height="24"><animate attributeName="width" to="0" dur="1s"/></rect>`),
    expect: 'animation',
  },
  {
    name: 'SMIL set of href',
    svg: icon(`<a><set attributeName="href" to="javascript:alert(1)"/>${SQUARE}</a>`),
    expect: 'animation',
  },
  {
    name: 'CSS keyframes',
    svg: icon(
      `<style>@keyframes x{to{opacity:0}}.a{fill:#c00;animation:x 1s}</style><path class="a" d="M0 0h24v24z"/>`,
    ),
    expect: 'cleaned',
  },
  { name: 'text', svg: icon('<text x="1" y="12">Brand</text>'), expect: 'text' },
  {
    name: 'markers',
    svg: icon('<marker id="m"><path d="M0 0h1v1z"/></marker><path d="M0 0h24v24z" marker-mid="url(#m)"/>'),
    expect: 'unsupported-element',
  },
  { name: 'nothing to see', svg: icon('<path d="M0 0h24v24z" fill="none"/>'), expect: 'empty' },
  { name: 'everything outside the viewBox', svg: icon('<path d="M900 900h24v24z"/>'), expect: 'empty' },
  { name: 'only a script', svg: icon('<script>alert(1)</script>'), expect: 'empty' },
];

/** Drawings on which the renderer ends the process, so that only a process of its own can reject them. */
export const ABORTING: readonly Pick<HostileDrawing, 'name' | 'svg'>[] = [
  {
    name: 'a layer far away, which makes the renderer abort its process',
    svg: icon(
      '<clipPath id="c"><path d="M600 0h9v9z"/></clipPath><path d="M0 0h9v9z"/><path d="M600 0h9v9z" clip-path="url(#c)"/>',
    ),
  },
  { name: 'nothing but a layer far away', svg: icon('<path d="M600 0h9v9z" opacity=".5"/>') },
  {
    name: 'a layer far away, drawn by use',
    svg: icon(`<defs><g id="a" opacity=".5"><path d="M0 0h9v9z"/></g></defs><use href="#a" x="400"/>${SQUARE}`),
  },
  { name: 'translucent, far to the left', svg: icon(`<g opacity=".5"><path d="M-900 0h9v9z"/></g>${SQUARE}`) },
  {
    name: 'a layer inside a mask',
    svg: icon(
      '<mask id="m"><g opacity=".5"><path fill="#fff" d="M-900 0h9v9z"/></g><path fill="#fff" d="M0 0h24v24z"/></mask><path d="M0 0h24v24z" mask="url(#m)"/>',
    ),
  },
  {
    name: 'a layer inside the picture, in one that begins far to the left',
    svg: icon(`<g opacity=".5"><path d="M-46 0h5v5z"/><g opacity=".5"><path d="M20 0h2v2z"/></g></g>${SQUARE}`),
  },
  {
    name: 'filter region far away',
    svg: icon(
      '<filter id="f" filterUnits="userSpaceOnUse" x="400" y="0" width="9" height="9"><feGaussianBlur stdDeviation="1"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    ),
  },
  {
    name: 'filter region far away, in boxes',
    svg: icon(
      '<filter id="f" x="50" width="1"><feGaussianBlur stdDeviation="1"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    ),
  },
];
