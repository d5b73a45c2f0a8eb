// Estimates how popular entries are, only from the catalog. A brand gets a higher score than its products.
import type { Entry } from '../catalog/entry.js';
import { tokenize } from '../platform/text/tokenize.js';
import { parseHost } from '../platform/web/host-name.js';

/** Facts about one entry. The score is computed from these facts after all entries have been read. */
export interface PopularityFacts {
  /** First word of the title. `headOfTwo` is its first two words, or undefined if the title has one word. */
  readonly head: string;
  readonly headOfTwo: string | undefined;
  readonly words: number;
  readonly own: number;
}

/**
 * Counts titles that begin with the same words. Many titles begin with "Google", so Google is probably a brand with
 * products.
 */
export function createPopularity() {
  const families = new Map<string, number>();
  const count = (name: string | undefined) => name !== undefined && families.set(name, (families.get(name) ?? 0) + 1);
  return {
    read(entry: Entry): PopularityFacts {
      const words = tokenize(entry.title).words.filter((word) => !word.isSubword);
      const [first, second] = words;
      const facts: PopularityFacts = {
        head: first?.text ?? '',
        headOfTwo: second && `${first?.text ?? ''} ${second.text}`,
        words: words.length,
        own: ownFame(entry, words.map((word) => word.text).join('')),
      };
      count(facts.head);
      count(facts.headOfTwo);
      return facts;
    },
    /** Returns a score of about 0..2. A higher score means a better known entry. */
    score(facts: PopularityFacts | undefined): number {
      if (!facts) return 0;
      if (facts.words > 2) return facts.own;
      const family = families.get(facts.words === 1 ? facts.head : (facts.headOfTwo ?? '')) ?? 1;
      return facts.own + Math.min(Math.log2(family), 7) * 0.07 + (facts.words === 1 ? 0.2 : 0.05);
    },
  };
}

function ownFame(entry: Entry, name: string): number {
  const packages = new Set(entry.provenance.map((source) => source.package)).size;
  return (
    Math.min(packages - 1, 2) * 0.15 +
    Math.min(entry.variants.length, 6) * 0.03 +
    Math.min(entry.aliases.length, 3) * 0.02 +
    domainFame(entry, name)
  );
}

/**
 * Returns the part of the score for the domain. A home page at the root of a domain with the entry's name is the
 * strongest sign of a brand.
 */
function domainFame(entry: Entry, name: string): number {
  if (entry.website === null) return 0;
  const host = parseHost(entry.website);
  if (host.kind !== 'host') return 0;
  const root = /^[a-z]+:\/\/[^/]+\/?$/i.test(entry.website);
  const label = host.label.replaceAll('-', '');
  if (label === name || label === entry.slug.replaceAll('-', '')) return root ? 0.25 : 0.15;
  return root && host.host === host.registrable ? 0.08 : 0;
}
