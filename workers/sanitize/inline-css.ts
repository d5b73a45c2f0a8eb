// CSS as presentation attributes: <style> blocks first, then each style attribute. Afterwards there is no CSS left.
import { optimize } from 'svgo/browser';
import { WIDE_COLOR } from '../svg/css-color.js';
import { LIMITS } from '../svg/drawing-limits.js';
import { parseSvg, Rejected, walk, writeTree, type Element } from '../svg/svg-tree.js';

/** The tree without <style>, what they said written onto the elements; `class` and `style` attributes gone. */
export function inlineStyles(root: Element): Element {
  const blocks = walk(root).filter((node) => node.name === 'style');
  const css = blocks.map((node) => node.text).join('\n');
  const styled = css.includes('{') ? matchSelectors(root, css) : root;
  for (const node of walk(styled)) {
    node.children = node.children.filter((child) => child.name !== 'style');
    const style = node.attributes.get('style');
    if (style !== undefined) applyDeclarations(node, style);
    node.attributes.delete('style');
    node.attributes.delete('class');
  }
  return styled;
}

function matchSelectors(root: Element, css: string): Element {
  rejectCostly(root, css);
  root.attributes.set('xmlns', 'http://www.w3.org/2000/svg');
  let inlined: string;
  try {
    inlined = optimize(writeTree(root), {
      plugins: [
        {
          name: 'inlineStyles',
          params: { onlyMatchedOnce: false, removeMatchedSelectors: true, useMqs: ['', 'screen'], usePseudos: [''] },
        },
      ],
    }).data;
  } catch (error) {
    throw new Rejected(
      'style_too_complex',
      `its <style> cannot be read: ${error instanceof Error ? error.message.slice(0, 120) : ''}`,
    );
  }
  return parseSvg(inlined);
}

/** A selector with combinators is tried against every ancestor path, so its cost is bounded before it is run. */
function rejectCostly(root: Element, css: string): void {
  if (css.length > LIMITS.styleChars)
    throw new Rejected('style_too_complex', `${css.length} characters of CSS; at most ${LIMITS.styleChars}`);
  if (/:(?:has|is|where|not|nth)/i.test(css))
    throw new Rejected('style_too_complex', 'its <style> has computed selectors');
  const nodes = walk(root).length;
  const depth = depthOf(root);
  let matches = 0;
  for (const rule of css
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .split('{')
    .slice(0, -1)) {
    for (const selector of rule.slice(Math.max(rule.lastIndexOf('}'), rule.lastIndexOf(';')) + 1).split(',')) {
      const combinators = selector.trim().split(/[\s>+~]+/).length - 1;
      matches += nodes * depth ** Math.min(combinators, 10);
    }
  }
  if (matches > LIMITS.styleMatches)
    throw new Rejected('style_too_complex', 'its <style> would take too long to apply');
}

function depthOf(node: Element): number {
  return 1 + node.children.reduce((most, child) => Math.max(most, depthOf(child)), 0);
}

/** Writes a style attribute's declarations as attributes; later ones win, and all win over attributes. */
function applyDeclarations(node: Element, style: string): void {
  const said = new Set<string>();
  for (const [property, value] of declarations(style)) {
    // The color before it is what the author wrote for those who do not know the wide one.
    if (WIDE_COLOR.test(value) && said.has(property)) continue;
    node.attributes.set(property, value);
    said.add(property);
  }
}

function* declarations(style: string): Iterable<[property: string, value: string]> {
  for (const part of split(style.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ''))) {
    const colon = part.indexOf(':');
    // A CSS escape may spell anything, `url(` among it.
    if (colon === -1 || part.includes('\\')) continue;
    const property = part.slice(0, colon).trim().toLowerCase();
    const value = withoutVariables(
      part
        .slice(colon + 1)
        .replace(/!\s*important\s*$/i, '')
        .trim(),
    );
    if (/^[a-z-]+$/.test(property) && value !== undefined && value !== '') yield [property, value];
  }
}

/** At semicolons outside of quotes and parentheses; by hand, because it must be linear on any input. */
function split(style: string): string[] {
  const parts: string[] = [];
  let quote = '';
  let depth = 0;
  let start = 0;
  for (let at = 0; at < style.length; at += 1) {
    const character = style.charAt(at);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (character === ';' && depth === 0) {
      parts.push(style.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(style.slice(start));
  return parts;
}

/** `var(--x, red)` is red here, as nothing defines variables; without a fallback the declaration is void. */
export function withoutVariables(value: string): string | undefined {
  if (!/var\(/i.test(value)) return value;
  if (value.length > 1000) return undefined;
  const plain = value
    .replace(/var\(\s*--[\w-]+\s*,([^()]*(?:\([^()]*\)[^()]*)?)\)/gi, (_, fallback: string) => fallback.trim())
    .trim();
  return /var\(/i.test(plain) ? undefined : plain;
}
