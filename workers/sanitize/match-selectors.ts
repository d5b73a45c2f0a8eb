// Matches CSS selectors against elements, and computes their specificity.
import { compile, type Options } from 'css-select';
import { isTraversal, parse, SelectorType, type Selector } from 'css-what';
import { walk, type Element } from '../svg/svg-tree.js';

export type ElementMatcher = (node: Element) => boolean;

/**
 * Pseudo-classes that never match. States such as `hover` do not occur in a static picture. Links, languages and text
 * directions are not supported.
 */
const STATES = [
  ...['hover', 'focus', 'focus-within', 'focus-visible', 'active', 'visited', 'target', 'checked', 'disabled'],
  ...['link', 'any-link', 'lang', 'dir'],
];

/**
 * Returns a function that compiles a selector list to matchers, each with its specificity. For a list that browsers
 * reject, the function returns no matchers.
 */
export function selectorMatchers(
  root: Element,
): (list: string) => readonly { matches: ElementMatcher; specificity: number }[] {
  const parents = new Map<Element, Element>();
  for (const node of walk(root)) for (const child of node.children) parents.set(child, node);
  const options: Options<Element, Element> = {
    xmlMode: true,
    pseudos: Object.fromEntries(STATES.map((state) => [state, () => false])),
    adapter: {
      isTag: (node): node is Element => node.name !== '',
      getAttributeValue: (node, name) => node.attributes.get(name),
      hasAttrib: (node, name) => node.attributes.has(name),
      getName: (node) => node.name,
      getChildren: (node) => node.children,
      getParent: (node) => parents.get(node) ?? null,
      getSiblings: (node) => parents.get(node)?.children ?? [node],
      getText: ({ text }) => text,
      prevElementSibling: (node) => {
        const siblings = parents.get(node)?.children ?? [];
        return siblings[siblings.indexOf(node) - 1] ?? null;
      },
      removeSubsets: (nodes) => nodes,
    },
  };
  return (list) => {
    try {
      const selectors = parse(list);
      if (selectors.some(isInvalid)) return [];
      return selectors.flatMap((tokens) =>
        tokens.some(({ type }) => type === SelectorType.PseudoElement)
          ? []
          : [{ matches: compile<Element, Element>([tokens], options), specificity: specificityOf(tokens) }],
      );
    } catch {
      return [];
    }
  };
}

/** Returns true for a selector that css-what accepts but browsers reject, such as `> path`, `path >` and `..a`. */
function isInvalid(tokens: readonly Selector[]): boolean {
  return (
    [tokens[0], tokens.at(-1)].some((token) => token !== undefined && isTraversal(token)) ||
    tokens.some(
      (token) => token.type === SelectorType.Attribute && token.name === 'class' && token.value.startsWith('.'),
    )
  );
}

function specificityOf(tokens: readonly Selector[]): number {
  return tokens.reduce((sum, token) => sum + specificityOfToken(token), 0);
}

function specificityOfToken(token: Selector): number {
  if (token.type === SelectorType.Tag || token.type === SelectorType.PseudoElement) return 1;
  // css-what parses `#p` like `[id="p"]`. Only `ignoreCase: 'quirks'` shows that the selector is `#p`.
  if (token.type === SelectorType.Attribute)
    return token.name === 'id' && token.ignoreCase === 'quirks' ? 1_000_000 : 1000;
  if (token.type !== SelectorType.Pseudo || token.name === 'where') return 0;
  return Array.isArray(token.data) ? Math.max(0, ...token.data.map(specificityOf)) : 1000;
}
