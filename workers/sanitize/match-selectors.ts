// Which elements a selector matches, and with what specificity.
import { compile, type Options } from 'css-select';
import { AttributeAction, parse, SelectorType, type Selector } from 'css-what';
import { walk, type Element } from '../svg/svg-tree.js';

export type Matcher = (node: Element) => boolean;

/** Matchers of this document's elements, with their specificity; none for a list that a browser cannot read. */
export function selectorMatchers(
  root: Element,
): (list: string) => readonly { matches: Matcher; specificity: number }[] {
  const parents = new Map<Element, Element>();
  for (const node of walk(root)) for (const child of node.children) parents.set(child, node);
  const options: Options<Element, Element> = {
    xmlMode: true,
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
  const matcherOf = (tokens: Selector[]): { matches: Matcher; specificity: number } | undefined => {
    try {
      return { matches: compile<Element, Element>([tokens], options), specificity: specificityOf(tokens) };
    } catch {
      // A state that a picture is never in, or a pseudo-element.
      return undefined;
    }
  };
  return (list) => {
    try {
      return parse(list).flatMap((tokens) => matcherOf(tokens) ?? []);
    } catch {
      return [];
    }
  };
}

function specificityOf(tokens: readonly Selector[]): number {
  return tokens.reduce((sum, token) => sum + specificityOfToken(token), 0);
}

function specificityOfToken(token: Selector): number {
  if (token.type === SelectorType.Tag || token.type === SelectorType.PseudoElement) return 1;
  if (token.type === SelectorType.Attribute)
    return token.name === 'id' && token.action === AttributeAction.Equals ? 1_000_000 : 1000;
  if (token.type !== SelectorType.Pseudo || token.name === 'where') return 0;
  return Array.isArray(token.data) ? Math.max(0, ...token.data.map(specificityOf)) : 1000;
}
