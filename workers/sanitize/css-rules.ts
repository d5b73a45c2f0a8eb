// Parses style sheets to a flat list of rules for a light screen. Nesting, layers and conditions are resolved.
import { Rejected } from '../svg/svg-tree.js';

export interface Rule {
  /** Selector after nesting is resolved. */
  readonly selector: string;
  readonly declarations: readonly Declaration[];
  /** Rank of the rule's layer. Rules outside layers have the highest rank. */
  readonly layer: number;
}

export interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
}

export interface StyleSheet {
  readonly rules: readonly Rule[];
  /** Name of an animation → declarations of its last frame. */
  readonly lastFrames: ReadonlyMap<string, readonly Declaration[]>;
}

const MAX_NESTING = 8;
const MAX_SELECTOR_CHARS = 2000;
const STYLE = { name: 'style' };

interface Block {
  /** Text before the block: a selector or an at-rule. */
  readonly prelude: string;
  /** Content of the block, or undefined for a statement without a block. */
  readonly body: string | undefined;
}

/** Cascade layer. The whole style sheet is the outermost layer. */
interface Layer {
  /** Name → inner layer. The generated names of anonymous layers contain a space, which cannot be in other names. */
  readonly inner: Map<string, Layer>;
}

interface Scope {
  /** Selector of the enclosing rule, or undefined outside rules. */
  readonly parent: string | undefined;
  readonly layer: Layer;
  readonly depth: number;
}

export function parseStyleSheet(css: string): StyleSheet {
  const outermost: Layer = { inner: new Map() };
  const rules: (Omit<Rule, 'layer'> & { readonly layer: Layer })[] = [];
  const lastFrames = new Map<string, readonly Declaration[]>();
  const addRule = (selector: string, body: string, layer: Layer): void => {
    rules.push({ selector, declarations: [...parseDeclarations(body)], layer });
  };

  // oxlint-disable-next-line complexity -- one line for each kind of at-rule
  const read = (text: string, scope: Scope): void => {
    if (scope.depth > MAX_NESTING)
      throw new Rejected('style_too_complex', `the <style> is nested deeper than ${MAX_NESTING} levels`, STYLE);
    const inside = { ...scope, depth: scope.depth + 1 };
    for (const { prelude, body } of blocksOf(text)) {
      const at = /^@[\w-]+/.exec(prelude)?.[0];
      const name = at?.slice(1);
      const condition = prelude.slice(at?.length ?? 0).trim();
      if (name === undefined) readRule(prelude, body, inside);
      else if (name === 'layer') {
        const layers = condition.split(',').map((part) => layerOf(scope.layer, part.trim()));
        if (body !== undefined) read(body, { ...inside, layer: layers[0] ?? scope.layer });
      } else if (body === undefined) continue;
      else if (name.endsWith('keyframes')) readFrames(condition, body);
      else if (name === 'media' ? matchesMedia(condition) : name === 'supports' && isSupported(condition))
        read(body, inside);
    }
  };
  const readRule = (prelude: string, body: string | undefined, scope: Scope): void => {
    if (body === undefined) {
      // The statement is a declaration between nested rules.
      if (scope.parent !== undefined) addRule(scope.parent, prelude, scope.layer);
      return;
    }
    const selector = nested(prelude, scope.parent);
    if (selector.length > MAX_SELECTOR_CHARS)
      throw new Rejected('style_too_complex', 'the <style> has a selector that is too long', STYLE);
    if (body.includes('{')) read(body, { ...scope, parent: selector });
    else addRule(selector, body, scope.layer);
  };
  const readFrames = (name: string, body: string): void => {
    for (const { prelude, body: declarations } of blocksOf(body))
      if (/(?:^|,)\s*(?:to|100%)\s*(?:,|$)/.test(prelude))
        lastFrames.set(name, [...parseDeclarations(declarations ?? '')]);
  };

  read(css.replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, ' '), {
    ...{ parent: undefined, layer: outermost, depth: 0 },
  });
  const ranks = ranksOf(outermost);
  return { rules: rules.map((rule) => ({ ...rule, layer: ranks.get(rule.layer) ?? 0 })), lastFrames };
}

/**
 * Returns the layer with this name, such as `a.b`. Creates it if it is missing. An empty name creates an anonymous
 * layer.
 */
function layerOf(outer: Layer, name: string): Layer {
  const names = name === '' ? [`anonymous ${outer.inner.size}`] : name.split('.');
  return names.reduce((layer, part) => {
    const inner = layer.inner.get(part) ?? { inner: new Map() };
    layer.inner.set(part, inner);
    return inner;
  }, outer);
}

/** Returns the rank of each layer. The rules of a layer rank above the rules of its inner layers. */
function ranksOf(layer: Layer, ranks = new Map<Layer, number>()): Map<Layer, number> {
  for (const inner of layer.inner.values()) ranksOf(inner, ranks);
  return ranks.set(layer, ranks.size);
}

function nested(selector: string, parent: string | undefined): string {
  if (parent === undefined) return selector;
  return selector.includes('&') ? selector.replaceAll('&', `:is(${parent})`) : `:is(${parent}) ${selector}`;
}

/** Splits CSS into blocks in linear time, even if it is invalid. */
function blocksOf(css: string): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  let depth = 0;
  let body = 0;
  for (const at of structureOf(css)) {
    const character = css.charAt(at);
    if (character === '{') {
      if (depth === 0) body = at + 1;
      depth += 1;
    } else if (character === '}') {
      // An extra closing brace stays in the text of the current rule or declaration, which is then invalid.
      if (depth === 0) continue;
      depth -= 1;
      if (depth > 0) continue;
      blocks.push({ prelude: css.slice(start, body - 1).trim(), body: css.slice(body, at) });
      start = at + 1;
    } else if (character === ';' && depth === 0) {
      blocks.push({ prelude: css.slice(start, at).trim(), body: undefined });
      start = at + 1;
    }
  }
  if (depth > 0) blocks.push({ prelude: css.slice(start, body - 1).trim(), body: css.slice(body) });
  else blocks.push({ prelude: css.slice(start).trim(), body: undefined });
  return blocks.filter(({ prelude }) => prelude !== '');
}

/** Yields the positions of braces and semicolons that are outside quotes and parentheses. */
function* structureOf(css: string): Iterable<number> {
  let quote = '';
  let depth = 0;
  for (let at = 0; at < css.length; at += 1) {
    const character = css.charAt(at);
    if (character === '\\') at += 1;
    else if (quote !== '') quote = character === quote || character === '\n' ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && (character === '{' || character === '}' || character === ';')) yield at;
  }
}

/** Yields declarations. Ignores declarations with a backslash, because an escape could hide `url(`. */
export function* parseDeclarations(style: string): Iterable<Declaration> {
  for (const { prelude } of blocksOf(style.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ''))) {
    const [, property, text] = /^(--[^\s:]+|[a-zA-Z-]+)\s*:([\s\S]*)$/.exec(prelude) ?? [];
    if (property === undefined || text === undefined || prelude.includes('\\')) continue;
    const value = text.replace(/!\s*important\s*$/i, '');
    yield {
      property: property.startsWith('--') ? property : property.toLowerCase(),
      value: value.trim(),
      important: value !== text,
    };
  }
}

/** Media feature → value for a picture on a light background. Other features never match. */
const FEATURES: Readonly<Record<string, string>> = {
  'prefers-color-scheme': 'light',
  'prefers-reduced-motion': 'no-preference',
  'prefers-contrast': 'no-preference',
  'forced-colors': 'none',
  'inverted-colors': 'none',
  scripting: 'none',
};
/** Default width and height of a picture, px. */
const PICTURE_PX = 256;

export function matchesMedia(list: string): boolean {
  return list.trim() === '' || list.split(',').some((query) => matchesQuery(query.trim().toLowerCase()));
}

function matchesQuery(query: string): boolean {
  if (query.startsWith('not ')) return !matchesQuery(query.slice(4).trim());
  return query
    .replace(/\s+/g, ' ')
    .split(' and ')
    .every((part) => {
      if (!part.startsWith('(')) return /^(?:only\s+)?(?:all|screen)$/.test(part);
      const [name = '', value] = part
        .replace(/[()]/g, '')
        .split(':')
        .map((text) => text.trim());
      if (name.startsWith('not ')) return !matchesQuery(`(${name.slice(4)}${value === undefined ? '' : `:${value}`})`);
      const [, bound, px] = /^(min|max)-(?:width|height)=(\d+(?:\.\d+)?)px$/.exec(`${name}=${value ?? ''}`) ?? [];
      if (bound !== undefined) return bound === 'min' ? PICTURE_PX >= Number(px) : PICTURE_PX <= Number(px);
      if (name === 'color') return true;
      const feature = Object.hasOwn(FEATURES, name) ? FEATURES[name] : undefined;
      if (value !== undefined) return feature === value;
      return feature !== undefined && feature !== 'none' && feature !== 'no-preference';
    });
}

/**
 * Returns the result of `@supports`. Browsers support every feature that drawings ask for, so only conditions with
 * `not` are false.
 */
function isSupported(condition: string): boolean {
  return !/^\s*not\b/i.test(condition);
}
