// Icon sets of an account: its own brands before those of the catalog, under the same prefixes.
import { createBrandSets } from '../../domain/iconify/brand-sets.js';
import { buildIconSet, type IconSet } from '../../domain/iconify/icon-set.js';
import { buildKeywordIndex, type KeywordIndex } from '../../domain/iconify/keyword-index.js';
import type { OwnIndex } from '../../domain/own-brands/own-index.js';
import { finish } from '../../domain/concurrency/steps.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import type { Turns } from '../turns.js';
import { IconAnswers, type AnswerForm } from './iconify.js';
import type { IconSets } from './icon-sets.js';

const OWN = { own: true } as const;

/** By own brands: they are other objects after each change. */
const builtSets = new WeakMap<OwnIndex, IconSets>();

/** Answers with the own brands of this catalog. */
export function withOwnIcons(
  answers: IconAnswers,
  { own, pages, drawingsOf }: AccountCatalog,
  turns: Turns,
): IconAnswers | OwnIconAnswers {
  if (!own) return answers;
  const sets = builtSets.get(own) ?? ownSets(own, pages);
  builtSets.set(own, sets);
  return new OwnIconAnswers(answers, new IconAnswers(sets, { drawing: drawingsOf(OWN) }, turns));
}

function ownSets(own: OwnIndex, pages: string): IconSets {
  const brands = createBrandSets();
  for (const entry of own.entries()) brands.add(entry);
  const newest = own.entries().map(({ updatedAt }) => Date.parse(updatedAt) / 1000);
  const materials = finish(brands.finish(Math.max(0, ...newest)));
  const sets = new Map<string, IconSet>(
    materials.map((material) => [material.prefix, finish(buildIconSet(material))] as const),
  );
  let keywords: Promise<KeywordIndex> | undefined;
  return {
    ...{ generation: 1, version: pages, sets },
    keywords: () => (keywords ??= Promise.resolve(finish(buildKeywordIndex(sets.values())))),
  };
}

type Json = Readonly<Record<string, unknown>>;

/** The same methods as those of the catalog's answers. */
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
    const isOwn = (name: string): boolean => this.own.has(prefix, name);
    const mine = names.filter(isOwn);
    const rest = names.filter((name) => !isOwn(name));
    const others = this.others.icons(prefix, rest);
    if (mine.length === 0) return others;
    const own = this.own.icons(prefix, mine);
    if (others === undefined || rest.length === 0 || own === undefined) return own;
    return {
      answered: own.answered + others.answered,
      unknown: others.unknown,
      bytes: async (form) => this.joined(await Promise.all([own.bytes(form), others.bytes(form)]), form),
    };
  }

  svg(...asked: Parameters<IconAnswers['svg']>): ReturnType<IconAnswers['svg']> {
    return this.own.svg(...asked) ?? this.others.svg(...asked);
  }

  collections(filter: Parameters<IconAnswers['collections']>[0]): Json {
    return { ...this.own.collections(filter), ...this.others.collections(filter) };
  }

  collection(prefix: string, shown: Parameters<IconAnswers['collection']>[1]): ReturnType<IconAnswers['collection']> {
    const [own, others] = [this.own.collection(prefix, shown), this.others.collection(prefix, shown)];
    if (own === undefined || others === undefined) return own ?? others;
    return async (form) => this.joined(await Promise.all([own(form), others(form)]), form);
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
    const known = new Set(others.sets.map(({ prefix }) => prefix));
    return { kind: 'found', names, sets: [...others.sets, ...own.sets.filter(({ prefix }) => !known.has(prefix))] };
  }

  async keywords(...asked: Parameters<IconAnswers['keywords']>): ReturnType<IconAnswers['keywords']> {
    const [own, others] = [await this.own.keywords(...asked), await this.others.keywords(...asked)];
    const matches = [...new Set([...own.matches, ...others.matches])].sort((a, b) => a.length - b.length);
    return { ...others, exists: own.exists || others.exists, matches };
  }

  private async joined([own, others]: readonly Buffer[], form: AnswerForm): Promise<Buffer> {
    const parsed = [others, own].map((bytes) => JSON.parse(String(bytes)) as Json);
    return Buffer.from(await this.written(merged(parsed[0] ?? {}, parsed[1] ?? {}), form));
  }
}

/** Own values before others; lists as one, without repetition; `total` by what is new. */
function merged(others: Json, own: Json): Json {
  const all = Object.keys({ ...others, ...own }).map((key) => [key, mergedValue(others[key], own[key])] as const);
  return Object.fromEntries(all);
}

function mergedValue(other: unknown, own: unknown): unknown {
  if (own === undefined || other === undefined) return own ?? other;
  if (Array.isArray(own) && Array.isArray(other)) {
    const both: readonly unknown[][] = [other, own];
    return [...new Set(both.flat())].sort();
  }
  if (typeof own === 'object' && typeof other === 'object' && own && other) return { ...other, ...own };
  return other;
}
