// Iconify icon sets of an account. If the account and the catalog have sets with the same prefix, these sets are
// merged. In a merged set, the account's own brands take precedence.
import { LRUCache } from 'lru-cache';
import { once, type Steps, type Turns } from '../platform/concurrency/time-slices.js';
import { createBrandSets } from './brand-sets.js';
import { buildIconSet, type IconSet } from './icon-set.js';
import { buildKeywordIndex } from './keyword-index.js';
import { mergeCollections, mergeIcons, newcomers, type Json } from './merge-own.js';
import { MAX_ACCOUNT_CHARS } from '../own-brands/brand-pages.js';
import type { OwnEntries } from '../catalog/own-entries.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import { IconAnswers, type AnswerForm, type Bodies } from './icon-answers.js';
import type { IconSets } from './icon-sets.js';

/**
 * Estimated size of an account's sets without their icons, in UTF-16 code units. To estimate the size of the icons, the
 * cache uses the length of the own brands' JSON.
 */
const SETS_CHARS = 1000;

/** Creates answers from own brands only. The sets of an account are built once, and again when its brands change. */
export function createOwnIcons(parts: { readonly turns: Turns; readonly bodies: Bodies }) {
  const built = new LRUCache<OwnEntries, Promise<IconAnswers>>({
    maxSize: MAX_ACCOUNT_CHARS + SETS_CHARS,
    sizeCalculation: (_, own) => own.chars + SETS_CHARS,
  });
  return (own: OwnEntries, { ownBrandPageIds, drawingsOf }: AccountCatalog): Promise<IconAnswers> => {
    const known = built.get(own);
    if (known) return known;
    const answers = own
      .run(buildSets(own, ownBrandPageIds))
      .then((sets) => new IconAnswers(sets, { drawing: drawingsOf({ own: true }) }, parts));
    built.set(own, answers);
    return answers;
  };
}

function* buildSets(own: OwnEntries, version: string): Steps<IconSets> {
  const brands = createBrandSets();
  for (const entry of own.entries()) brands.add(entry);
  const newest = own.entries().reduce((latest, { updatedAt }) => Math.max(latest, Date.parse(updatedAt) / 1000), 0);
  const sets = new Map<string, IconSet>();
  for (const material of yield* brands.finish(newest)) sets.set(material.prefix, yield* buildIconSet(material));
  const keywords = once(own.run, () => buildKeywordIndex(sets.values()));
  return { generation: 1, version, sets, keywords };
}

/** Merged answers of own brands and the catalog, with the methods of `IconAnswers`. */
export class OwnIconAnswers {
  readonly version: string;

  constructor(
    private readonly others: IconAnswers,
    private readonly own: IconAnswers,
  ) {
    this.version = `${others.version} ${own.version}`;
  }

  written(value: unknown, form: AnswerForm): Promise<string> {
    return this.others.written(value, form);
  }

  icons(prefix: string, names: readonly string[]): ReturnType<IconAnswers['icons']> {
    const mine = names.filter((name) => this.isOwn(prefix, name));
    const rest = names.filter((name) => !this.isOwn(prefix, name));
    const others = this.others.icons(prefix, rest);
    if (mine.length === 0) return others;
    const own = this.own.icons(prefix, mine);
    if (others === undefined || rest.length === 0 || own === undefined) return own;
    return {
      answered: own.answered + others.answered,
      unknown: others.unknown,
      bytes: (form) => this.joined(mergeIcons, [others.bytes, own.bytes], form),
    };
  }

  nameOf(...asked: Parameters<IconAnswers['nameOf']>): string | undefined {
    return (this.isOwn(...asked) ? this.own : this.others).nameOf(...asked);
  }

  svg(...[prefix, name, options]: Parameters<IconAnswers['svg']>): ReturnType<IconAnswers['svg']> {
    return (this.isOwn(prefix, name) ? this.own : this.others).svg(prefix, name, options);
  }

  collections(filter: Parameters<IconAnswers['collections']>[0]): Json {
    const all = { ...this.own.collections(filter), ...this.others.collections(filter) };
    return Object.fromEntries(
      Object.entries(all).map(([prefix, info]) => [prefix, this.withOwn(prefix, info as Json)]),
    );
  }

  collection(prefix: string, shown: Parameters<IconAnswers['collection']>[1]): ReturnType<IconAnswers['collection']> {
    const [own, others] = [this.own.collection(prefix, shown), this.others.collection(prefix, shown)];
    if (own === undefined || others === undefined) return own ?? others;
    return (form) => this.joined(mergeCollections, [others, own], form);
  }

  lastModified(filter: Parameters<IconAnswers['lastModified']>[0]): Json {
    const of = (answers: IconAnswers) => answers.lastModified(filter).lastModified as Readonly<Record<string, number>>;
    const [own, others] = [of(this.own), of(this.others)];
    const newest = Object.entries(own).map(([prefix, at]) => [prefix, Math.max(at, others[prefix] ?? 0)] as const);
    return { lastModified: { ...others, ...Object.fromEntries(newest) } };
  }

  async search(...asked: Parameters<IconAnswers['search']>): ReturnType<IconAnswers['search']> {
    const [own, others] = [await this.own.search(...asked), await this.others.search(...asked)];
    if (own.kind !== 'found' || others.kind !== 'found') return others;
    const names = [...new Set([...own.names, ...others.names])].slice(0, Math.max(asked[0].limit, others.names.length));
    const sets = new Map([...own.sets, ...others.sets].map((set) => [set.prefix, set]));
    return {
      kind: 'found',
      names,
      sets: [...sets.values()].map((set) => ({ ...set, info: set.info && this.withOwn(set.prefix, set.info) })),
    };
  }

  async keywords(...asked: Parameters<IconAnswers['keywords']>): ReturnType<IconAnswers['keywords']> {
    const [own, others] = [await this.own.keywords(...asked), await this.others.keywords(...asked)];
    const matches = [...new Set([...own.matches, ...others.matches])].sort((a, b) => a.length - b.length);
    return { ...others, exists: own.exists || others.exists, matches };
  }

  /**
   * Returns true if an own brand answers for this name. The order of precedence is the same as in lookups by slug: own
   * icons, icons of the catalog, own aliases.
   */
  private isOwn(prefix: string, name: string): boolean {
    if (this.own.hasIcon(prefix, name)) return true;
    return !this.others.hasIcon(prefix, name) && this.own.nameOf(prefix, name) !== undefined;
  }

  /** Returns the description of a set. `total` is the number of own and public icons. */
  private withOwn(prefix: string, info: Json): Json {
    const [own, others] = [this.own.set(prefix), this.others.set(prefix)];
    return own && others ? { ...info, total: others.total + newcomers(own, others) } : info;
  }

  private async joined(
    merge: (others: Json, own: Json) => Json,
    texts: readonly ((form: AnswerForm) => Promise<Buffer>)[],
    form: AnswerForm,
  ): Promise<Buffer> {
    const [others, own] = await Promise.all(texts.map(async (text) => JSON.parse(String(await text(form))) as Json));
    return Buffer.from(await this.written(merge(others ?? {}, own ?? {}), form));
  }
}
