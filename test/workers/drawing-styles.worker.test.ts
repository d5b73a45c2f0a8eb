// Resolving of styles and references in a drawing. The later steps of the sanitizer are not run.
import { expect } from 'chai';
import { applyStyles } from '../../workers/sanitize/apply-styles.js';
import { readAttribute, readValue, valueOfKeyword } from '../../workers/sanitize/css-values.js';
import { rejectSprite } from '../../workers/sanitize/reject-sprite.js';
import { sanitizeSvg } from '../../workers/sanitize/sanitize-svg.js';
import { rejectExternal, resolveReferences } from '../../workers/sanitize/resolve-references.js';
import { LIMITS } from '../../workers/svg/drawing-limits.js';
import { parseSvg, Rejected, walk, type Element } from '../../workers/svg/svg-tree.js';

const parsed = (content: string) =>
  parseSvg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`);
const SHAPE = '<path d="M0 0h9v9z"';

/** Returns the attributes of the first path after styles are applied. */
function styled(content: string): ReadonlyMap<string, string> {
  const root = parsed(content);
  applyStyles(root);
  return walk(root).find(({ name }) => name === 'path')!.attributes;
}

function referring(content: string): Element {
  const root = parsed(content);
  resolveReferences(root);
  return root;
}

const first = (root: Element, name: string): Element | undefined => walk(root).find((node) => node.name === name);

/** Returns the reason of the rejection, or undefined if the drawing is accepted. */
function rejectionOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof Rejected) return error.reason;
    throw error;
  }
  return undefined;
}

describe('styles of a drawing', () => {
  it('apply in the order of layers, importance, specificity and place', () => {
    const cases: readonly [css: string, attributes: string, fill: string][] = [
      ['path{fill:red}.a{fill:lime}path{fill:blue}', 'class="a"', 'lime'],
      ['#p{fill:red}.a{fill:lime}', 'class="a" id="p"', 'red'],
      ['.a{fill:red}.a{fill:lime}', 'class="a"', 'lime'],
      ['.a{fill:red}', 'class="a" style="fill:lime"', 'lime'],
      ['.a{fill:red!important}', 'class="a" style="fill:lime"', 'red'],
      ['path{fill:red}', 'fill="lime"', 'red'],
      ['path{fill:nonsense}', 'fill="lime"', 'lime'],
      ['@layer x{.a{fill:red}}path{fill:lime}', 'class="a"', 'lime'],
      ['@media print{path{fill:red}}', 'fill="lime"', 'lime'],
      ['path{--ink:red;fill:var(--ink)}', '', 'red'],
      ['path{fill:lime}:where(#p){fill:red}', 'id="p"', 'lime'],
      ['.a{fill:red}:is(#p,g){fill:lime}', 'class="a" id="p"', 'lime'],
      ['path{fill:lime;fill:url(#a\\62)}', '', 'lime'],
    ];
    for (const [css, attributes, fill] of cases)
      expect(styled(`<style>${css}</style>${SHAPE} ${attributes}/>`).get('fill'), css).to.equal(fill);
    expect(styled(`<style media="print">path{fill:red}</style>${SHAPE}/>`).get('fill')).to.equal(undefined);
    expect(styled(`<style type="text/less">path{fill:red}</style>${SHAPE}/>`).get('fill')).to.equal(undefined);
  });

  it('leave no style attribute and no class', () => {
    const attributes = styled(`<style>.a{fill:red}</style>${SHAPE} class="a" style="stroke:url(http://x.example/)"/>`);
    expect([...attributes.keys()]).to.not.include.members(['style']);
    expect(attributes.has('class')).to.equal(false);
  });

  it('replace currentColor by the color of their place', () => {
    expect(styled(`<g color="red">${SHAPE} fill="currentColor"/></g>`).get('fill')).to.equal('red');
    expect(styled(`<g color="red">${SHAPE} color="lime" fill="currentColor"/></g>`).get('fill')).to.equal('lime');
    expect(styled(`${SHAPE} fill="currentColor"/>`).get('fill')).to.equal('#000');
  });

  it('are rejected if they take too long', () => {
    const long = `<style>/*${'x'.repeat(LIMITS.styleChars)}*/path{fill:red}</style>${SHAPE}/>`;
    expect(rejectionOf(() => styled(long))).to.equal('style_too_complex');
    const deep = `<style>${'g '.repeat(12)}path{fill:red}</style>${'<g>'.repeat(30)}${SHAPE}/>${'</g>'.repeat(30)}`;
    expect(rejectionOf(() => styled(deep))).to.equal('style_too_complex');
    // This style sheet slightly exceeds the limit of comparisons, because each element is compared with each ancestor.
    const some = `<style>g g g g path{fill:red}</style>${'<g>'.repeat(40)}${SHAPE}/>${'</g>'.repeat(40)}`;
    expect(rejectionOf(() => styled(some))).to.equal('style_too_complex');
    expect(rejectionOf(() => styled(`<style>g path{fill:red}</style><g>${SHAPE}/></g>`))).to.equal(undefined);
  });

  it('are rejected if each element is compared with all others too often', () => {
    const paths = `<g>${`${SHAPE}/>`.repeat(500)}</g>`;
    for (const state of ['has(g)', 'nth-child(2)', 'first-child', 'last-child', 'only-child']) {
      const list = (count: number) => Array.from({ length: count }, () => `path:${state}`).join();
      expect(
        rejectionOf(() => styled(`<style>${list(20)}{fill:red}</style>${paths}`)),
        state,
      ).to.equal('style_too_complex');
    }
    expect(rejectionOf(() => styled(`<style>${'path{fill:red}'.repeat(10)}</style>${paths}`))).to.equal(undefined);
  });

  it('are ignored if they have more than a thousand characters, except transforms and path data', () => {
    const zeros = '0'.repeat(1000);
    expect(styled(`${SHAPE} style="stroke-width:1.${zeros}"/>`).has('stroke-width')).to.equal(false);
    const transform = `translate(1.${'0'.repeat(30)}px)`.repeat(40);
    expect(styled(`${SHAPE} style="transform:${transform}"/>`).get('transform')).to.equal(transform);
    const path = `M0 0${'h1'.repeat(1000)}`;
    expect(styled(`${SHAPE} style="d:path('${path}')"/>`).get('d')).to.equal(path);
  });

  it('are rejected in units of a font or a window, which a picture does not have', () => {
    const drawn = (width: string) =>
      sanitizeSvg(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${SHAPE} style="stroke:red;stroke-width:${width}"/></svg>`,
      );
    const ofWindow = ['vw', 'vh', 'vi', 'vb', 'vmin', 'vmax'].flatMap((unit) =>
      ['', 's', 'l', 'd'].map((size) => `${size}${unit}`),
    );
    const ofFont = ['rem', 'ex', 'rex', 'ch', 'rch', 'ic', 'ric', 'cap', 'rcap', 'lh', 'rlh'];
    for (const unit of [...ofFont, ...ofWindow])
      expect(drawn(`2${unit}`), unit).to.include({
        reason: 'unsupported_style',
        message: `<path> has stroke-width: 2${unit}`,
      });
    for (const unit of ['', 'px', 'mm', 'q']) expect(drawn(`2${unit}`), unit).to.include({ ok: true });
  });

  it('are read like in browsers', () => {
    const table: readonly [property: string, value: string, read: string | null | undefined][] = [
      ['stroke-width', '-1', undefined],
      ['stroke-width', '2', '2'],
      ['stroke-width', '4q', String((4 * 96) / 101.6)],
      ['fill', 'url(#a) red', 'url(#a) red'],
      ['fill', 'url(#a) no-color', undefined],
      ['fill', 'NONE', 'none'],
      ['fill', 'CurrentColor', 'currentColor'],
      ['fill', 'light-dark(red, lime)', 'red'],
      ['fill', 'color-mix(in srgb, red 25%, blue)', '#4000bfff'],
      ['fill', 'color-mix(in nowhere, red, blue)', undefined],
      ['opacity', '50%', '50%'],
      ['opacity', 'half', undefined],
      ['fill-rule', 'evenodd', 'evenodd'],
      ['fill-rule', 'odd', undefined],
      ['fill', 'revert-layer', 'unset'],
      ['fill', 'INHERIT', 'inherit'],
      ['transform', 'rotate(45)', undefined],
      ['transform', 'rotate(45deg)', 'rotate(45deg)'],
      ['constructor', 'x', null],
      ['behavior', 'url(x)', null],
      ['fill', '', undefined],
    ];
    for (const [property, value, read] of table)
      expect(readValue(property, value), `${property}: ${value}`).to.equal(read);
    expect(readAttribute('transform', 'rotate(45)')).to.equal('rotate(45)');
    expect(readAttribute('d', 'path("M0 0")')).to.equal(null);
    expect(valueOfKeyword('fill', 'initial', 'red')).to.equal('#000');
    expect(valueOfKeyword('opacity', 'inherit', '0.5')).to.equal('0.5');
    expect(valueOfKeyword('opacity', 'unset', '0.5')).to.equal(undefined);
    expect(valueOfKeyword('fill', 'inherit', 'red')).to.equal(undefined);
  });
});

describe('references of a drawing', () => {
  const gradient = (id: string) => `<linearGradient id="${id}"><stop/></linearGradient>`;

  it('lead to new names inside the file', () => {
    const root = referring(`${gradient('a b')}${SHAPE} fill="url(#a%20b) red"/>`);
    const { attributes } = first(root, 'linearGradient')!;
    expect(attributes.get('id')).to.match(/^n\d+$/);
    expect(first(root, 'path')!.attributes.get('fill')).to.equal(`url(#${attributes.get('id')}) red`);
  });

  it('have their fallback, or nothing, if the target is missing or of the wrong kind', () => {
    const fillOf = (fill: string) =>
      first(referring(`${gradient('a')}${SHAPE} id="p" fill="${fill}"/>`), 'path')!.attributes.get('fill');
    expect(fillOf('url(#gone)')).to.equal('none');
    expect(fillOf('url(#gone) red')).to.equal('red');
    expect(fillOf('url(#p) red')).to.equal('red');
    const stroked = first(referring(`${SHAPE} stroke="url(#gone) red"/>`), 'path')!;
    expect(stroked.attributes.get('stroke')).to.equal('red');
    expect(first(referring('<use href="#gone"/>'), 'use')).to.equal(undefined);
    expect(first(referring(`${SHAPE} mask="url(#gone)"/>`), 'path')!.attributes.has('mask')).to.equal(false);
  });

  it('are rejected if they leave the file, even with a # in them', () => {
    for (const address of [
      'http://x.example/a.svg#b',
      '//x.example#b',
      'a.svg#b',
      'data:image/svg+xml,#b',
      'javascript:#b',
    ])
      for (const node of [
        `${SHAPE} fill="url(${address})"/>`,
        `${SHAPE} mask="url('${address}')"/>`,
        `<use href="${address}"/>`,
      ]) {
        const root = referring(`${gradient('b')}${node}`);
        expect(
          rejectionOf(() => walk(root).forEach(rejectExternal)),
          node,
        ).to.equal('external_reference');
      }
    expect(
      rejectionOf(() => walk(referring(`${gradient('b')}${SHAPE} fill="url(#b)"/>`)).forEach(rejectExternal)),
    ).to.equal(undefined);
  });

  it('select the content for an English reader', () => {
    const shown = (attributes: string) =>
      first(referring(`${SHAPE} ${attributes}/><circle r="1"/>`), 'path') !== undefined;
    expect(['en', 'en-US', 'de, en', 'EN'].map((one) => shown(`systemLanguage="${one}"`))).to.not.include(false);
    expect(['de', 'enm', 'eng', ''].map((one) => shown(`systemLanguage="${one}"`))).to.not.include(true);
    expect(shown('requiredExtensions="http://www.w3.org/1999/xhtml"')).to.equal(true);
    expect(shown('requiredExtensions=""')).to.equal(false);
    expect(shown('requiredExtensions="http://x.example/"')).to.equal(false);
    expect(shown('display="none"')).to.equal(false);
    const { children } = first(
      referring(`<switch>${SHAPE} systemLanguage="de"/><circle r="1"/><rect/></switch>`),
      'g',
    )!;
    expect(children.map(({ name }) => name)).to.deep.equal(['circle']);
  });

  it('belong to a sprite if symbols are the only content', () => {
    const reasonOf = (content: string) => rejectionOf(() => rejectSprite(parsed(content)));
    const symbol = `<symbol id="a">${SHAPE}/></symbol>`;
    expect(reasonOf(symbol)).to.equal('sprite');
    expect(reasonOf(`<g><g>${symbol}</g><defs>${symbol}</defs></g>`)).to.equal('sprite');
    expect(reasonOf(`<g>${symbol}<g>${SHAPE}/></g></g>`)).to.equal(undefined);
    expect(reasonOf(`${symbol}<use href="#a"/>`)).to.equal(undefined);
    expect(reasonOf(`<g/>`)).to.equal(undefined);
  });
});
