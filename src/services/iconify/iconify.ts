// Answers of the Iconify protocol, as JSON text and SVG.
import { LRUCache } from 'lru-cache';
import type { IconProps } from '../../domain/catalog/set-icon.js';
import { iconSvg, type SvgOptions } from '../../domain/iconify/icon-svg.js';
import { innerSvg } from '../../domain/iconify/icon-body.js';
import { collectionOf, type IconSet, type SetMember } from '../../domain/iconify/icon-set.js';
import { matchKeywords, type KeywordMatches } from '../../domain/iconify/keywords.js';
import { resolveName, resolveNames, type ResolvedNames } from '../../domain/iconify/resolve-names.js';
import { isAmong, searchIcons, type IconQuery, type IconResults } from '../../domain/iconify/search-icons.js';
import { catalogMissingError, type Catalog } from '../catalog/catalog.js';
import type { GenerationIndex } from '../catalog/generation-index.js';
import type { IconSets } from './icon-sets.js';

/** Which sets, by prefix; without filters, all. */
export interface SetFilter {
  readonly prefix: string | undefined;
  /** Prefixes, and beginnings of them (`mdi-`). */
  readonly prefixes: readonly string[] | undefined;
}

export interface Icons {
  /** Different names that were found; each counts. */
  readonly answered: number;
  /** JSON. */
  bytes(): Promise<Buffer>;
}

/** All of one catalog generation. A set that is not there is undefined. */
export interface IconAnswers {
  /** Changes whenever an answer may change. */
  readonly version: string;
  icons(prefix: string, names: readonly string[]): Icons | undefined;
  /** Undefined also for an unknown name. */
  svg(prefix: string, name: string, options: SvgOptions): Promise<string> | undefined;
  collections(filter: SetFilter): string;
  collection(prefix: string, shown: { readonly info: boolean; readonly chars: boolean }): (() => string) | undefined;
  lastModified(filter: SetFilter): string;
  search(query: IconQuery): Promise<IconResults>;
  keywords(asked: { readonly text: string; readonly suffixes: boolean }): Promise<KeywordMatches>;
}

export interface Iconify {
  /** Throws AppError `unavailable` before the first import. */
  current(): Promise<IconAnswers>;
  /** The same without waiting; undefined before the first request has built it. */
  peek(): IconAnswers | undefined;
}

interface Options {
  readonly sets: Pick<GenerationIndex<IconSets>, 'current' | 'peek'>;
  readonly catalog: Pick<Catalog, 'asset'>;
}

/** Of the JSON of single icons, and of the lists of names. */
const CACHE_BYTES = 24 * 2 ** 20;
/** Of answers with several icons: pages ask for the same ones again and again. As bytes, which connections share. */
const ANSWER_CACHE_BYTES = 16 * 2 ** 20;
/** Of a cache entry beside its text. */
const OVERHEAD_BYTES = 200;

export function createIconify({ sets, catalog }: Options): Iconify {
  let known: { readonly of: IconSets; readonly answers: IconAnswers } | undefined;

  function answersOf(current: IconSets): IconAnswers {
    if (known?.of !== current) {
      // Caches of its own: a request of the generation before may still write.
      const texts = new LRUCache<string, string>({
        maxSize: CACHE_BYTES,
        sizeCalculation: (text, key) => text.length + key.length + OVERHEAD_BYTES,
      });
      const bodies = new LRUCache<string, Buffer>({
        maxSize: ANSWER_CACHE_BYTES,
        sizeCalculation: (body, key) => body.length + key.length + OVERHEAD_BYTES,
      });
      known = { of: current, answers: createAnswers(current, { catalog, texts, bodies }) };
    }
    return known.answers;
  }

  return {
    async current() {
      const current = sets.peek() ?? (await sets.current());
      if (current.generation === 0) throw catalogMissingError();
      return answersOf(current);
    },
    peek() {
      const current = sets.peek();
      return current === undefined || current.generation === 0 ? undefined : answersOf(current);
    },
  };
}

interface Sources {
  readonly catalog: Options['catalog'];
  /** Of this generation. */
  readonly texts: LRUCache<string, string>;
  readonly bodies: LRUCache<string, Buffer>;
}

function createAnswers(current: IconSets, sources: Sources): IconAnswers {
  const { sets, version } = current;
  return {
    version,
    icons(prefix, names) {
      const set = sets.get(prefix);
      if (set === undefined) return undefined;
      const resolved = resolveNames(set, names);
      const { bodies } = sources;
      const key = `${prefix} ${names.join()}`;
      return {
        answered: resolved.answered,
        async bytes() {
          const known = bodies.get(key);
          if (known !== undefined) return known;
          const made = Buffer.from(await iconsText(set, resolved, sources));
          bodies.set(key, made);
          return made;
        },
      };
    },
    svg(prefix, name, options) {
      const set = sets.get(prefix);
      const found = set && resolveName(set, name);
      if (set === undefined || found === undefined) return undefined;
      return iconText(set, found.icon, sources).then((text) =>
        iconSvg(
          { box: set.facts.box, icon: JSON.parse(text) as IconProps & { body: string }, aliases: found.aliases },
          options,
        ),
      );
    },
    collections: (filter) =>
      JSON.stringify(
        Object.fromEntries(filtered(sets, filter).flatMap(({ prefix, info }) => (info ? [[prefix, info]] : []))),
      ),
    collection(prefix, shown) {
      const set = sets.get(prefix);
      if (set === undefined) return undefined;
      return () => cached(sources.texts, collectionKey(prefix, shown), () => JSON.stringify(collectionOf(set, shown)));
    },
    lastModified: (filter) =>
      JSON.stringify({
        lastModified: Object.fromEntries(
          filtered(sets, filter).flatMap(({ prefix, facts }) =>
            facts.lastModified ? [[prefix, facts.lastModified]] : [],
          ),
        ),
      }),
    search: async (query) => searchIcons(await current.keywords(), query),
    keywords: async (asked) => matchKeywords(await current.keywords(), asked),
  };
}

/** No icon has such a key. */
function collectionKey(prefix: string, { info, chars }: { readonly info: boolean; readonly chars: boolean }): string {
  return `${prefix}${info ? ' info' : ''}${chars ? ' chars' : ''}`;
}

function cached(texts: LRUCache<string, string>, key: string, make: () => string): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const made = make();
  texts.set(key, made);
  return made;
}

function filtered(sets: ReadonlyMap<string, IconSet>, { prefix, prefixes }: SetFilter): readonly IconSet[] {
  if (prefix === undefined && prefixes === undefined) return [...sets.values()];
  const filters = prefix === undefined ? (prefixes ?? []) : [];
  return [...sets.values()].filter((set) => set.prefix === prefix || isAmong(set.prefix, filters));
}

/** Joined from the cached JSON of each icon. */
async function iconsText(set: IconSet, { icons, aliases, notFound }: ResolvedNames, sources: Sources): Promise<string> {
  const parts: string[] = [];
  for (const icon of icons) {
    const text = sources.texts.get(iconKey(set, icon)) ?? (await iconText(set, icon, sources));
    parts.push(`${JSON.stringify(icon.name)}:${text}`);
  }
  const { lastModified, box } = set.facts;
  const common = Object.entries({ lastModified, ...box }).flatMap(([name, value]) =>
    typeof value === 'number' && value !== 0 ? [`${JSON.stringify(name)}:${value},`] : [],
  );
  const others = [...aliases].map(
    ([name, { parent, props }]) => `${JSON.stringify(name)}:${JSON.stringify({ parent, ...props })}`,
  );
  const missing = notFound.length === 0 ? '' : `,"not_found":${JSON.stringify(notFound)}`;
  return (
    `{"prefix":${JSON.stringify(set.prefix)},${common.join('')}"aliases":{${others.join(',')}},` +
    `"icons":{${parts.join(',')}}${missing}}`
  );
}

function iconKey({ prefix }: IconSet, { name }: SetMember): string {
  return `${prefix}:${name}`;
}

/** JSON of an icon as its set has it. */
async function iconText(set: IconSet, icon: SetMember, { catalog, texts }: Sources): Promise<string> {
  const key = iconKey(set, icon);
  const known = texts.get(key);
  if (known !== undefined) return known;
  const asset = await catalog.asset(icon.source.asset);
  const { isDocument, hasBox } = icon.source;
  const body = isDocument ? innerSvg(asset) : asset;
  const made = JSON.stringify({ body, ...(hasBox ? viewBoxOf(asset) : icon.props) });
  texts.set(key, made);
  return made;
}

/** Of a sanitized drawing. */
function viewBoxOf(svg: string): IconProps {
  const viewBox = /^<svg [^>]*viewBox="([^"]*)"/.exec(svg)?.[1] ?? '0 0 16 16';
  const [left = 0, top = 0, width = 16, height = 16] = viewBox.split(' ').map(Number);
  return { ...(left !== 0 && { left }), ...(top !== 0 && { top }), width, height };
}
