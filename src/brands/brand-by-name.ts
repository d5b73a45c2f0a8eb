// Brand lookup by name. Tries the name as written, then the name without its legal form, then a search.
import type { NamedEntry, SearchIndex } from '../search/search-index.js';
import { scoreOf, groupOf, TIER } from '../search/ranking.js';
import type { Steps } from '../platform/concurrency/time-slices.js';
import { tokenize } from '../platform/text/tokenize.js';

interface BrandByName {
  readonly slug: string;
  readonly match: 'name' | 'alias';
  /** Slugs of other brands, best first, at most five. */
  readonly alternatives: readonly string[];
}

const MOST_ALTERNATIVES = 5;
/** Legal forms, as in "Apple Inc.", "Siemens AG" and "Toyota Motor Corporation", in lower case. */
const LEGAL_FORMS = new Set(
  (
    'inc incorporated llc ltd limited corp corporation co company plc gmbh ag kg se sa sas sarl spa srl bv nv ab as asa oy ' +
    'oyj kk pty pte lp llp group holding holdings the'
  ).split(' '),
);

/** Returns the brand of a name, or undefined if no brand is certain. */
export function* brandByName(index: SearchIndex, name: string): Steps<BrandByName | undefined> {
  const bare = withoutLegalForm(name);
  return (
    byNamed(index.named(name)) ??
    byNamed(index.named(bare)) ??
    byNamed(index.named(`the ${bare}`)) ??
    (yield* byConfidentSearch(index, name))
  );
}

function byNamed(named: readonly NamedEntry[]): BrandByName | undefined {
  const [first, ...others] = named;
  if (!first) return undefined;
  const alternatives = [...new Set(others.map((other) => other.slug))].filter((slug) => slug !== first.slug);
  return {
    slug: first.slug,
    match: first.field === 'alias' || first.field === 'shortForm' ? 'alias' : 'name',
    alternatives: alternatives.slice(0, MOST_ALTERNATIVES),
  };
}

function withoutLegalForm(name: string): string {
  const words = tokenize(name)
    .words.filter((word) => !word.isSubword)
    .map((word) => word.text);
  if (words[0] === 'the') words.shift();
  while (words.length > 1 && LEGAL_FORMS.has(words.at(-1) ?? '')) words.pop();
  return words.join(' ');
}

const SURE = scoreOf(groupOf(TIER.numeronym, Infinity));
const ONE_TYPO = { best: scoreOf(groupOf(TIER.oneTypo, 0)), worst: scoreOf(groupOf(TIER.oneTypo, Infinity)) };

/**
 * Returns the first search result if it is certain. It is certain if it matches by its domain, by a short form of its
 * name, or by its whole name with at most one typing error.
 */
function* byConfidentSearch(index: SearchIndex, name: string): Steps<BrandByName | undefined> {
  const outcome = yield* index.search({ q: name, limit: 1 + MOST_ALTERNATIVES });
  const [first, ...others] = outcome.kind === 'page' ? outcome.page.results : [];
  if (!first || first.match.partial === true) return undefined;
  const alternatives = others.map((other) => other.slug);
  if (first.score >= SURE) return { slug: first.slug, match: 'alias', alternatives };
  const misspelled = first.score <= ONE_TYPO.best && first.score >= ONE_TYPO.worst;
  const whole = first.match.ranges[0]?.[0] === 0 && first.match.ranges.at(-1)?.[1] === first.match.value.length;
  if (!misspelled || !whole || tokenize(name).normalized.length < 5) return undefined;
  const isOwnName = [first.title, first.slug].includes(first.match.value);
  return { slug: first.slug, match: isOwnName ? 'name' : 'alias', alternatives };
}
