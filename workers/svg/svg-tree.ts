// A document as a small tree of elements. Text is kept only in style sheets and drawn elements.
import sax, { type QualifiedAttribute, type QualifiedTag } from 'sax';
import { LIMITS } from './drawing-limits.js';
import type { DrawingRejectionCode } from '../../src/platform/drawing-rejections.js';

export interface Element {
  name: string;
  readonly attributes: Map<string, string>;
  children: Element[];
  /** Text content: the CSS in a `<style>`, the text in a `<text>`, and `x` for any content in a `<foreignObject>`. */
  text: string;
  /** Line in the source file, counted from 1. */
  readonly line?: number;
}

/**
 * Reason to reject a drawing. Only code of the sanitizer throws this error, and the sanitizer converts it to a reply.
 */
export class Rejected extends Error {
  override readonly name = 'Rejected';
  constructor(
    readonly reason: DrawingRejectionCode,
    message: string,
    readonly at?: Pick<Element, 'name' | 'line'>,
  ) {
    super(message);
  }
}

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
/** Elements for which the tree keeps the text. */
const WITH_TEXT = new Set(['style', 'a', 'text', 'tspan', 'textPath', 'tref', 'foreignObject']);
/** Accepted namespaces: the namespace of SVG, `svg` (a prefix without a definition), and none. */
const SVG_NAMESPACES = [SVG_NAMESPACE, 'svg', ''];
const XLINK_NAMESPACES = ['http://www.w3.org/1999/xlink', 'xlink'];

export function element(
  name: string,
  attributes: Iterable<readonly [string, string]> = [],
  children: Element[] = [],
): Element {
  return { name, attributes: new Map(attributes), children, text: '' };
}

export function svgDocument(viewBox: readonly number[], children: Element[]): Element {
  const attributes = { xmlns: SVG_NAMESPACE, viewBox: viewBox.map(formatNumber).join(' ') };
  return element('svg', Object.entries(attributes), children);
}

/**
 * Parses a document. Omits foreign elements, comments, processing instructions and text between elements. Throws
 * `Rejected`.
 */
export function parseSvg(source: string): Element {
  if (source.length > LIMITS.sourceChars) {
    throw new Rejected('too_large', `the file has ${source.length} characters (limit: ${LIMITS.sourceChars})`);
  }
  const parser = sax.parser(true, { xmlns: true, position: true });
  const text = source.replace(/^\uFEFF?\s*/, '');
  const skippedLines = source.slice(0, source.length - text.length).split('\n').length - 1;
  const document = element('#document');
  const open: Element[] = [document];
  /**
   * Number of open elements that are skipped: a foreign element and its open descendants. 0 if no element is skipped.
   */
  let skipping = 0;
  let count = 0;
  let line = 0;

  parser.onerror = (error) => {
    const message = error.message.split('\n')[0] ?? '';
    if (!message.startsWith('Unbound namespace prefix'))
      throw new Rejected('malformed', `not well-formed XML: ${message}`, {
        name: '',
        line: skippedLines + parser.line + 1,
      });
    // Some editors use namespace prefixes that they do not declare. An undeclared prefix is accepted, and the parser
    // uses the prefix itself as its namespace.
    parser.resume();
  };
  parser.ondoctype = (doctype) => {
    Object.assign(parser.ENTITIES, plainEntities(doctype, text));
  };
  parser.onopentagstart = () => {
    // The parser has read one character after the name. If this character is a line break, the parser already counts
    // the next line.
    line = skippedLines + parser.line + (parser.column === 0 ? 0 : 1);
  };
  parser.onopentag = (tag) => {
    if (++count > LIMITS.elements)
      throw new Rejected('too_many_elements', `the file has more than ${LIMITS.elements} elements`);
    if (open.length + skipping > LIMITS.depth)
      throw new Rejected('too_deep', `the elements are nested deeper than ${LIMITS.depth} levels`);
    const { local, uri, attributes } = tag as QualifiedTag;
    const parent = open.at(-1);
    if (skipping > 0 || !SVG_NAMESPACES.includes(uri)) {
      if (parent?.name === 'foreignObject') parent.text = 'x';
      skipping += 1;
      return;
    }
    const child: Element = { ...element(local, svgAttributes(Object.values(attributes))), line };
    parent?.children.push(child);
    open.push(child);
  };
  parser.onclosetag = () => {
    if (skipping > 0) skipping -= 1;
    else open.pop();
  };
  const addText = (chunk: string): void => {
    const parent = open.at(-1);
    if (skipping === 0 && parent !== undefined && WITH_TEXT.has(parent.name)) parent.text += chunk;
  };
  parser.ontext = addText;
  parser.oncdata = addText;

  parser.write(text).close();
  const [root] = document.children;
  if (root?.name !== 'svg' || document.children.length !== 1)
    throw new Rejected('not_svg', 'the root element is not <svg>');
  return root;
}

/** Pattern of a character reference, except references to `&` and `<`. */
const CHARACTER = '&#(?!0*(?:38|60);|x0*(?:26|3c);)(?:\\d{1,6}|x[\\da-f]{1,5});';
/** Matches the declaration of an entity with only text and character references. */
const DECLARATION = new RegExp(
  `<!ENTITY\\s+([A-Za-z_][\\w.-]*)\\s+(?:"((?:[^"&%<]|${CHARACTER})*)"|'((?:[^'&%<]|${CHARACTER})*)')\\s*>`,
  'gi',
);

/**
 * Returns the entities of a DOCTYPE that contain plain text, such as Illustrator's namespaces. Throws `Rejected` for
 * other entities, because they could expand without limit (CWE-776).
 */
function plainEntities(doctype: string, source: string): Readonly<Record<string, string>> {
  const entities = new Map(
    [...doctype.matchAll(DECLARATION)].map(([, name = '', one, other]) => [name, withCharacters(one ?? other ?? '')]),
  );
  if (/<!(?:ENTITY|ATTLIST)/i.test(doctype.replace(DECLARATION, '')))
    throw new Rejected('entities', 'the DOCTYPE declares entities or attributes that are not plain text');
  let expanded = 0;
  for (const [name, value] of entities) expanded += (source.split(`&${name};`).length - 1) * value.length;
  if (expanded > LIMITS.sourceChars)
    throw new Rejected('entities', 'the entities of the DOCTYPE expand to too much text');
  return Object.fromEntries(entities);
}

/** Replaces character references, such as `&#160;`, by characters. */
function withCharacters(value: string): string {
  return value.replace(/&#(?:(\d+)|x([\da-f]+));/gi, (_, decimal?: string, hex?: string) =>
    String.fromCodePoint(decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)),
  );
}

function* svgAttributes(attributes: readonly QualifiedAttribute[]): Iterable<[string, string]> {
  // A plain `href` takes precedence over `xlink:href`.
  for (const { local, uri, value } of attributes)
    if (local === 'href' && XLINK_NAMESPACES.includes(uri)) yield ['href', value];
  for (const { prefix, local, value } of attributes) if (prefix === '') yield [local, value];
}

/** Parses a sanitized drawing. Its `style` attributes may contain only the two properties in CSS_PROPERTIES. */
export function parseDrawing(svg: string): Element {
  const root = parseSvg(svg);
  for (const { attributes } of walk(root)) {
    for (const declaration of attributes.get('style')?.split(';') ?? []) {
      const [property = '', value = ''] = declaration.split(':');
      attributes.set(property, value);
    }
    attributes.delete('style');
  }
  return root;
}

/** Returns this element and all its descendants, parents first. */
export function walk(root: Element): Element[] {
  const found = [root];
  const descend = (node: Element): void => {
    for (const child of node.children) {
      found.push(child);
      descend(child);
    }
  };
  descend(root);
  return found;
}

/** Properties that renderers read only from CSS. The tree stores them like attributes. */
const CSS_PROPERTIES = ['mix-blend-mode', 'isolation'];

export function writeTree(root: Element): string {
  const parts: string[] = [];
  const write = (node: Element): void => {
    parts.push('<', node.name);
    // Sorts the attributes, so that equal drawings have equal texts.
    const css = CSS_PROPERTIES.filter((name) => node.attributes.has(name));
    const names = [...node.attributes.keys()].filter((name) => !css.includes(name));
    if (css.length > 0) names.push('style');
    for (const name of names.sort()) {
      const value =
        name === 'style'
          ? css.map((of) => `${of}:${node.attributes.get(of) ?? ''}`).join(';')
          : node.attributes.get(name);
      parts.push(' ', name, '="', escape(value ?? ''), '"');
    }
    if (node.children.length === 0 && node.text === '') {
      parts.push('/>');
      return;
    }
    parts.push('>', escape(node.text));
    for (const child of node.children) write(child);
    parts.push('</', node.name, '>');
  };
  write(root);
  return parts.join('');
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '') : text;
}

/** Returns the number as text, with at most six decimals. */
export function formatNumber(value: number): string {
  return String(Number(value.toFixed(6)));
}
