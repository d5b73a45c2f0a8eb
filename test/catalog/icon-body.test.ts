// Bodies of imported icons: unchanged if the sanitizer has only changed the notation, and otherwise made of sanitized
// content.
import { expect } from 'chai';
import type { CleanDrawing } from '../../src/catalog/drawing.js';
import { iconBody } from '../../src/catalog/icon-body.js';
import { sanitizeSvg } from '../../workers/sanitize/sanitize-svg.js';

function clean(body: string): CleanDrawing {
  const outcome = sanitizeSvg(`<svg viewBox="0 0 24 24">${body}</svg>`);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}
const bodyOf = (body: string): string | undefined => iconBody({ body, props: {} }, clean(body));
const D = 'd="M2 2h20v20H2z"';

describe('the body of an icon', () => {
  it('is the text of its set if only its spelling was canonicalized', () => {
    for (const body of [
      `<path fill="currentColor" ${D}/>`,
      `<path ${D}/>`,
      `<path fill="red" ${D}/>`,
      `<g fill="none" stroke="#FFF" stroke-width="2"><path ${D}/></g>`,
      `<path fill="currentColor" ${D}/><path fill="#ff0000" d="M4 4h3v3z"/>`,
      `<path fill="#000" ${D} transform="rotate(45, 12 12)"/>`,
      `<path fill="currentColor" ${D}></path>`,
      `\n  <g>\n<path fill="currentColor" ${D}/></g>`,
      `<path fill="#123456" fill-opacity=".50" ${D}/>`,
    ])
      expect(bodyOf(body)).to.equal(body);
  });

  it('has unique ids', () => {
    const body = bodyOf(
      `<defs><linearGradient id="fff"><stop offset="0%" stop-color="#fff"/><stop offset="100%" stop-color="red"/>` +
        `</linearGradient></defs><path id="unused" fill="url(#fff)" ${D}/><path fill="#fff" d="M1 1h4v4z"/>`,
    );
    expect(body).to.match(/id="(b[0-9a-f]{10}-0)".*fill="url\(#\1\)"/);
    expect(body).to.include('fill="#fff"').and.include('stop-color="#fff"').and.not.include('unused');
  });

  it('contains nothing that the sanitizer removes, in any spelling', () => {
    for (const body of [
      `<path fill="red" ${D} onclick="alert(1)"/>`,
      `<script>alert(1)</script><path fill="red" ${D}/>`,
      `<path fill="red" ${D}/><!-- --><foreignObject><p>x</p></foreignObject>`,
      `<path fill='red' onload='x' ${D}/>`,
      `<style>path{fill:red}</style><path ${D}/>`,
      `<path fill="red" style="fill:blue" ${D}/>`,
      `<a href="javascript:alert(1)"><path fill="red" ${D}/></a>`,
      `<path fill="red" ${D} data-x="&quot;&gt;"/>`,
      `<path fill="red" ${D} xlink:href="x"/>`,
      `<path fill="red" ${D}/><![CDATA[<script>]]>`,
    ]) {
      const result = bodyOf(body);
      expect(result, body).to.not.match(/on\w+=|script|foreignObject|style|javascript|data-|href|CDATA|<!/);
      expect(result, body).to.match(/<path /);
    }
  });

  it('keeps a single color that its set does not leave to the page', () => {
    expect(bodyOf(`<path fill="red" ${D} data-name="x"/>`))
      .to.include('#ff0000')
      .and.not.include('currentColor');
    expect(bodyOf(`<path fill="currentColor" ${D} data-name="x"/>`)).to.include('currentColor');
  });

  it('is the body before the icon is rotated', () => {
    const body = `<path fill="currentColor" ${D}/>`;
    const turned = clean(`<g transform="rotate(90 12 12)">${body}</g>`);
    expect(iconBody({ body, props: { rotate: 1 } }, turned)).to.equal(body);
    expect(iconBody({ body, props: { rotate: 1 } }, clean(body))).to.equal(undefined);
  });
});
