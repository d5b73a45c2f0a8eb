// Style sheets as a flat list of rules: those for a light screen, with nesting, layers and conditions resolved.
import { Rejected } from '../svg/svg-tree.js';

export interface Rule {
  /** Without nesting. */
  readonly selector: string;
  readonly declarations: readonly Declaration[];
  /** Rank of its layer; rules outside of layers have the highest. */
  readonly layer: number;
}

export interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
}

export interface StyleSheet {
  readonly rules: readonly Rule[];
  /** What animations end with, by their name. */
  readonly lastFrames: ReadonlyMap<string, readonly Declaration[]>;
}

const UNLAYERED = 1_000_000;
const MAX_NESTING = 8;
const MAX_SELECTOR_CHARS = 2000;

interface Block {
  /** Selector or at-rule. */
  readonly prelude: string;
  /** Undefined for a statement that ends with a semicolon. */
  readonly body: string | undefined;
}

export function parseStyleSheet(css: string): StyleSheet {
  const rules: Rule[] = [];
  const layers = new Map<string, number>();
  const lastFrames = new Map<string, readonly Declaration[]>();
  const layerRank = (name: string): number => {
    const rank = layers.get(name) ?? layers.size;
    layers.set(name, rank);
    return rank;
  };

  // eslint-disable-next-line complexity -- one line for each kind of at-rule
  const read = (text: string, scope: { parent: string | undefined; layer: number; depth: number }): void => {
    if (scope.depth > MAX_NESTING) return;
    const inside = { ...scope, depth: scope.depth + 1 };
    for (const { prelude, body } of blocksOf(text)) {
      const at = /^@[\w-]+/.exec(prelude)?.[0];
      const name = at?.slice(1);
      const condition = prelude.slice(at?.length ?? 0).trim();
      if (name === undefined) readRule(prelude, body, inside);
      else if (name === 'layer') {
        const names = condition.split(',').map((part) => part.trim());
        if (body === undefined) names.forEach(layerRank);
        else
          read(body, { ...inside, layer: layerRank(names[0] === '' ? `anonymous ${layers.size}` : (names[0] ?? '')) });
      } else if (body === undefined) continue;
      else if (name.endsWith('keyframes')) readFrames(condition.trim(), body);
      else if (name === 'media' ? matchesMedia(condition) : name === 'supports' && isSupported(condition))
        read(scope.parent === undefined ? body : `${scope.parent}{${body}}`, { ...inside, parent: undefined });
    }
  };
  const readRule = (
    prelude: string,
    body: string | undefined,
    scope: { parent: string | undefined; layer: number; depth: number },
  ): void => {
    if (body === undefined) return;
    const selector = nested(prelude, scope.parent);
    if (selector.length > MAX_SELECTOR_CHARS)
      throw new Rejected('style_too_complex', 'its <style> has a selector that is too long', { name: 'style' });
    const plain = body.includes('{') ? statementsOf(body) : body;
    rules.push({ selector, declarations: [...parseDeclarations(plain)], layer: scope.layer });
    if (body.includes('{')) read(body, { ...scope, parent: selector });
  };
  const readFrames = (name: string, body: string): void => {
    for (const { prelude, body: declarations } of blocksOf(body))
      if (/(?:^|,)\s*(?:to|100%)\s*(?:,|$)/.test(prelude))
        lastFrames.set(name, [...parseDeclarations(declarations ?? '')]);
  };

  read(css.replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, ' '), { parent: undefined, layer: UNLAYERED, depth: 0 });
  return { rules, lastFrames };
}

function nested(selector: string, parent: string | undefined): string {
  if (parent === undefined) return selector;
  return selector.includes('&') ? selector.replaceAll('&', `:is(${parent})`) : `:is(${parent}) ${selector}`;
}

/** Statements of a block without the rules nested in it. */
function statementsOf(body: string): string {
  return blocksOf(body)
    .filter((block) => block.body === undefined)
    .map(({ prelude }) => prelude)
    .join(';');
}

/** Linear in the text, however it is broken. */
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
      depth -= 1;
      if (depth === 0) blocks.push({ prelude: css.slice(start, body - 1).trim(), body: css.slice(body, at) });
      if (depth <= 0) [start, depth] = [at + 1, 0];
    } else if (character === ';' && depth === 0) {
      blocks.push({ prelude: css.slice(start, at).trim(), body: undefined });
      start = at + 1;
    }
  }
  if (depth > 0) blocks.push({ prelude: css.slice(start, body - 1).trim(), body: css.slice(body) });
  else blocks.push({ prelude: css.slice(start).trim(), body: undefined });
  return blocks.filter(({ prelude }) => prelude !== '');
}

/** Places of braces and semicolons outside of quotes and parentheses. */
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

/** A CSS escape may spell anything, `url(` among it: what has one is no declaration here. */
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

/** Media features of the picture of a light page on a screen; a feature that is not known does not match. */
const FEATURES: Readonly<Record<string, string>> = {
  'prefers-color-scheme': 'light',
  'prefers-reduced-motion': 'no-preference',
  'prefers-contrast': 'no-preference',
  'forced-colors': 'none',
  'inverted-colors': 'none',
  scripting: 'none',
};
/** Px: the size of a picture unless a request says otherwise. */
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
      return (
        name === 'color' ||
        (value === undefined ? name in FEATURES && FEATURES[name] !== 'none' : FEATURES[name] === value)
      );
    });
}

/** Browsers know what drawings ask for; only what is asked for to be missing is not. */
function isSupported(condition: string): boolean {
  return !/^\s*not\b/i.test(condition);
}
