// Converts CSS to presentation attributes with the values that a browser computes for a light screen. Resolves style
// sheets, style attributes, variables, keywords, `currentColor` and transforms. Properties without a presentation
// attribute remain in CSS.
import { LIMITS } from '../svg/drawing-limits.js';
import { Rejected, walk, type Element } from '../svg/svg-tree.js';
import {
  matchesMedia,
  parseDeclarations,
  parseStyleSheet,
  type Declaration,
  type Rule,
  type StyleSheet,
} from './css-rules.js';
import { CSS_ONLY, readAttribute, readValue, valueOfKeyword } from './css-values.js';
import { selectorMatchers, type ElementMatcher } from './match-selectors.js';

interface RankedRule {
  readonly matches: ElementMatcher;
  readonly declarations: readonly Declaration[];
  readonly layer: number;
}

type Variables = ReadonlyMap<string, string>;

interface Styling {
  readonly declarations: ReadonlyMap<Element, readonly Declaration[]>;
  readonly lastFrames: StyleSheet['lastFrames'];
  readonly resolvesColor: boolean;
}

/** Inherited values that presentation attributes cannot express. */
interface Inherited {
  readonly parent: Element | undefined;
  readonly variables: Variables;
  readonly color: string;
  readonly current: ReadonlySet<string>;
}

/** Replaces the styles in the tree by attributes. Throws `Rejected`. */
export function applyStyles(root: Element): void {
  const nodes = walk(root);
  const blocks = nodes.filter(({ name, attributes }) => name === 'style' && isApplied(attributes));
  const { rules, lastFrames } = parseStyleSheet(blocks.map(({ text }) => text).join('\n'));
  rejectCostly(root, { nodes: nodes.length, rules, chars: blocks.reduce((sum, { text }) => sum + text.length, 0) });
  const ranked = rules.length === 0 ? [] : rankedRules(root, rules);
  const styling = {
    // Computes all declarations before the tree is changed, because selectors also read the original attributes of
    // ancestors and siblings.
    declarations: new Map(nodes.map((node) => [node, declarationsOf(node, ranked)])),
    lastFrames,
    // Keeps `currentColor` in a drawing with `<use>`. Each `<use>` passes its own color to the content that it draws,
    // so `currentColor` may have several values.
    resolvesColor: !nodes.some(({ name }) => name === 'use'),
  };
  style(root, { parent: undefined, variables: new Map(), color: '#000', current: new Set() }, styling);
}

function isApplied(attributes: ReadonlyMap<string, string>): boolean {
  return /^(?:text\/css)?$/i.test(attributes.get('type') ?? '') && matchesMedia(attributes.get('media') ?? '');
}

function rankedRules(root: Element, rules: readonly Rule[]): readonly RankedRule[] {
  const matchers = selectorMatchers(root);
  return rules
    .flatMap(({ selector, ...rule }) => matchers(selector).map((matcher) => ({ ...rule, ...matcher })))
    .sort((one, other) => one.layer - other.layer || one.specificity - other.specificity);
}

interface Cost {
  readonly nodes: number;
  readonly rules: readonly Rule[];
  readonly chars: number;
}

/**
 * Rejects style sheets that are too costly to apply. A selector with combinators is costly, because it is tried with
 * every path of ancestors.
 */
function rejectCostly(root: Element, { nodes, rules, chars }: Cost): void {
  const at = { name: 'style' };
  if (chars > LIMITS.styleChars)
    throw new Rejected(
      'style_too_complex',
      `the file has ${chars} characters of CSS; at most ${LIMITS.styleChars} are allowed`,
      at,
    );
  const depth = rules.length === 0 ? 0 : depthOf(root);
  let matches = 0;
  for (const { selector } of rules)
    for (const part of selector.split(',')) {
      const combinators = part.trim().split(/[\s>+~]+/).length - 1;
      const visited = /:(?:has|nth|first|last|only)/.test(part) ? nodes : 1;
      matches += nodes * visited * depth ** Math.min(combinators, 10);
    }
  if (matches > LIMITS.styleMatches)
    throw new Rejected('style_too_complex', 'the <style> would take too long to apply', at);
}

function depthOf(node: Element): number {
  return 1 + node.children.reduce((most, child) => Math.max(most, depthOf(child)), 0);
}

function style(node: Element, inherited: Inherited, styling: Styling): void {
  const { attributes } = node;
  const declarations = styling.declarations.get(node) ?? [];
  const variables = withVariables(inherited.variables, declarations);
  for (const [property, value] of [...attributes]) {
    if (CSS_ONLY.has(property) && !node.name.startsWith('fe')) attributes.delete(property);
    else set(node, { property, value, variables, parent: inherited.parent, read: readAttribute });
  }
  const apply = (given: readonly Declaration[]): void => {
    for (const { property, value } of given)
      if (!property.startsWith('--'))
        set(node, { property, value, variables, parent: inherited.parent, read: readValue });
  };
  apply(declarations);
  if (isHidden(attributes)) apply(lastFrameOf(attributes, styling.lastFrames));
  for (const gone of ['style', 'class', 'animation', 'animation-name']) attributes.delete(gone);
  const { color, current } = styling.resolvesColor ? resolveColor(node, inherited) : inherited;
  for (const child of node.children) style(child, { parent: node, variables, color, current }, styling);
}

/** Returns the declarations of an element in ascending priority. */
function declarationsOf(node: Element, rules: readonly RankedRule[]): readonly Declaration[] {
  const own = [...parseDeclarations(node.attributes.get('style') ?? '')];
  const matching = rules.filter((rule) => rule.matches(node));
  // For `!important`, the order of layers is reversed: an earlier layer takes precedence.
  const reversed = matching.toSorted((one, other) => other.layer - one.layer);
  const declared = (of: readonly RankedRule[]) => [...of.flatMap(({ declarations }) => declarations), ...own];
  return [...declared(matching).filter((one) => !one.important), ...declared(reversed).filter((one) => one.important)];
}

function withVariables(outer: Variables, declarations: readonly Declaration[]): Variables {
  const own = declarations.filter(({ property }) => property.startsWith('--'));
  if (own.length === 0) return outer;
  const variables = new Map(outer);
  for (const { property, value } of own) variables.set(property, value);
  for (const { property } of own) {
    const value = substituted(variables.get(property) ?? '', variables, new Set([property]));
    if (value === undefined) variables.delete(property);
    else variables.set(property, value);
  }
  return variables;
}

const MAX_VALUE_CHARS = 1000;

/** Returns a value with its variables replaced. Returns undefined if a variable has neither a value nor a fallback. */
export function substituted(
  value: string,
  variables: Variables,
  open: ReadonlySet<string> = new Set(),
): string | undefined {
  if (value.length > MAX_VALUE_CHARS) return undefined;
  let text = value;
  for (let round = 0; round < 20; round += 1) {
    const [call, name = '', fallback] = /var\(\s*(--[^\s,()]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)/i.exec(text) ?? [];
    if (call === undefined) break;
    const known = open.has(name) ? undefined : (variables.get(name) ?? fallback?.trim());
    if (known === undefined) return undefined;
    text = text.replace(call, () => known);
    if (text.length > MAX_VALUE_CHARS) return undefined;
  }
  return /var\(/i.test(text) ? undefined : text;
}

interface Setting {
  readonly property: string;
  readonly value: string;
  readonly variables: Variables;
  readonly parent: Element | undefined;
  /** Returns the canonical value, undefined for a value that browsers ignore, or null for an unknown property. */
  readonly read: (property: string, value: string) => string | null | undefined;
}

// oxlint-disable-next-line complexity -- one line for each state of a value
function set({ attributes }: Element, { property, value, variables, parent, read }: Setting): void {
  const hasVariable = /var\(/i.test(value);
  if (value.length > MAX_VALUE_CHARS && property !== 'transform' && property !== 'd') return;
  const plain = hasVariable ? substituted(value, variables) : value.trim();
  const result = plain === undefined ? 'unset' : read(property, plain);
  if (result === null) return;
  if (result === undefined) {
    // An invalid value with a variable removes the earlier value of the property, because browsers detect the error
    // only after they have discarded that value.
    if (hasVariable || read === readAttribute) attributes.delete(property);
    return;
  }
  const isKeyword = result === 'inherit' || result === 'initial' || result === 'unset';
  const final = isKeyword ? valueOfKeyword(property, result, parent?.attributes.get(property)) : result;
  // A shorthand property first resets all properties that it can set.
  if (property === 'background') for (const name of ['background-color', 'background-image']) attributes.delete(name);
  const names = property === 'marker' ? ['marker-start', 'marker-mid', 'marker-end'] : [property];
  for (const name of names)
    if (final === undefined) attributes.delete(name);
    else attributes.set(name, final);
}

function isHidden(attributes: ReadonlyMap<string, string>): boolean {
  return Number(attributes.get('opacity') ?? 1) === 0 || attributes.get('visibility') === 'hidden';
}

/** Returns the final values of the element's CSS animations, because a picture shows the end of an animation. */
function lastFrameOf(
  attributes: ReadonlyMap<string, string>,
  frames: StyleSheet['lastFrames'],
): readonly Declaration[] {
  const words = `${attributes.get('animation') ?? ''} ${attributes.get('animation-name') ?? ''}`.split(/[\s,]+/);
  return words.flatMap((word) => frames.get(word) ?? []);
}

const PAINTS = ['fill', 'stroke'];
const COLORS = [...PAINTS, 'stop-color', 'flood-color', 'lighting-color'];

/**
 * Replaces `currentColor` by the color of the element. If the element inherits the paint `currentColor`, its own color
 * applies, and not the color of its parent.
 */
function resolveColor({ attributes }: Element, outer: Inherited): Pick<Inherited, 'color' | 'current'> {
  const given = attributes.get('color');
  const color = given === undefined || given === 'currentColor' ? outer.color : given;
  // Keeps the property `color`, because a drop shadow without a color uses it.
  if (attributes.get('filter')?.includes('drop-shadow') === true) attributes.set('color', color);
  else attributes.delete('color');
  const current = new Set<string>();
  for (const name of COLORS) {
    const value = attributes.get(name);
    const isCurrent = value?.includes('currentColor') === true;
    if (isCurrent) attributes.set(name, value.replace('currentColor', color));
    if (!PAINTS.includes(name)) continue;
    if (isCurrent || (value === undefined && outer.current.has(name))) current.add(name);
    if (value === undefined && outer.current.has(name) && color !== outer.color) attributes.set(name, color);
  }
  return { color, current };
}
