// Answers of the Iconify protocol, as JSON text and SVG.
import { LRUCache } from 'lru-cache';
import type { IconProps } from '../../domain/catalog/set-icon.js';
import { iconSvg, type SvgOptions } from '../../domain/iconify/icon-svg.js';
import { innerSvg } from '../../domain/iconify/icon-body.js';
import { collectionOf, type IconSet, type SetMember } from '../../domain/iconify/icon-set.js';
import { matchKeywords, type KeywordMatches } from '../../domain/iconify/keywords.js';
import { resolveName, resolveNames, type ResolvedNames } from '../../domain/iconify/resolve-names.js';
import { isAmong, searchIcons, type IconQuery, type IconResults } from '../../domain/iconify/search-icons.js';
import { jsonText } from '../../domain/steps.js';
import { catalogMissingError, type Catalog } from '../catalog/catalog.js';
import type { GenerationIndex } from '../catalog/generation-index.js';
import type { Turns } from '../turns.js';
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
  bytes(form: AnswerForm): Promise<Buffer>;
}

/** For whom an answer is made, in turns with others, and how. */
export interface AnswerForm {
  readonly caller: string;
  /** With line breaks. */
  readonly isPretty: boolean;
}

/** All of one catalog generation. A set that is not there is undefined. */
export interface IconAnswers {
  /** Changes whenever an answer may change. */
  readonly version: string;
  icons(prefix: string, names: readonly string[]): Icons | undefined;
  /** Undefined also for an unknown name. */
  svg(prefix: string, name: string, options: SvgOptions): Promise<string> | undefined;
  collections(filter: SetFilter): Readonly<Record<string, unknown>>;
  collection(prefix: string, shown: Shown): ((form: AnswerForm) => Promise<Buffer>) | undefined;
  lastModified(filter: SetFilter): Readonly<Record<string, unknown>>;
  search(query: IconQuery, caller: string): Promise<IconResults>;
  keywords(asked: { readonly text: string; readonly suffixes: boolean }, caller: string): Promise<KeywordMatches>;
  /** JSON text. */
  written(value: unknown, form: AnswerForm): Promise<string>;
}

interface Shown {
  readonly info: boolean;
  readonly chars: boolean;
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
  readonly turns: Turns;
}

/** Of the JSON of single icons. */
const CACHE_BYTES = 24 * 2 ** 20;
/** Of lists of names, and of answers with several icons: pages ask for the same ones again and again. As bytes, which connections share. */
const ANSWER_CACHE_BYTES = 16 * 2 ** 20;
/** Of a cache entry beside its text. */
const OVERHEAD_BYTES = 200;

export function createIconify({ sets, catalog, turns }: Options): Iconify {
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
      known = { of: current, answers: createAnswers(current, { catalog, turns, texts, bodies, underWay: new Map() }) };
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
  readonly turns: Turns;
  /** Of this generation. */
  readonly texts: LRUCache<string, string>;
  readonly bodies: LRUCache<string, Buffer>;
  /** Bodies that are being made, by the same keys. */
  readonly underWay: Map<string, Promise<Buffer>>;
}

function createAnswers(current: IconSets, sources: Sources): IconAnswers {
  const { sets, version } = current;
  const { turns } = sources;
  const written: IconAnswers['written'] = (value, { caller, isPretty }) =>
    turns.run(caller, jsonText(value, isPretty ? 4 : 0));
  return {
    version,
    icons(prefix, names) {
      const set = sets.get(prefix);
      if (set === undefined) return undefined;
      const resolved = resolveNames(set, names);
      return {
        answered: resolved.answered,
        bytes: (form) =>
          keptBody(sources, {
            key: `${prefix} ${names.join()} ${form.isPretty}`,
            caller: form.caller,
            make: () => iconsText({ set, resolved, form }, sources),
          }),
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
      Object.fromEntries(filtered(sets, filter).flatMap(({ prefix, info }) => (info ? [[prefix, info]] : []))),
    collection(prefix, shown) {
      const set = sets.get(prefix);
      if (set === undefined) return undefined;
      const key = JSON.stringify([prefix, shown]);
      return (form) =>
        keptBody(sources, {
          key: `${key} ${form.isPretty}`,
          caller: form.caller,
          make: async () => written(await turns.run(form.caller, collectionOf(set, shown)), form),
        });
    },
    lastModified: (filter) => ({
      lastModified: Object.fromEntries(
        filtered(sets, filter).flatMap(({ prefix, facts }) =>
          facts.lastModified ? [[prefix, facts.lastModified]] : [],
        ),
      ),
    }),
    search: async (query, caller) => turns.run(caller, searchIcons(await current.keywords(), query)),
    keywords: async (asked, caller) => turns.run(caller, matchKeywords(await current.keywords(), asked)),
    written,
  };
}

interface KeptBody {
  readonly key: string;
  readonly caller: string;
  readonly make: () => Promise<string>;
}

/** Made once for all who ask meanwhile; given in a turn, because sending hundreds of kilobytes is work, too. */
async function keptBody({ bodies, underWay, turns }: Sources, { key, caller, make }: KeptBody): Promise<Buffer> {
  const making = bodies.get(key) ?? underWay.get(key) ?? made();
  const body = await making;
  await turns.of(caller)();
  return body;

  function made(): Promise<Buffer> {
    const promise = make()
      .then((text) => {
        const bytes = Buffer.from(text);
        bodies.set(key, bytes);
        return bytes;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, promise);
    return promise;
  }
}

function filtered(sets: ReadonlyMap<string, IconSet>, { prefix, prefixes }: SetFilter): readonly IconSet[] {
  if (prefix === undefined && prefixes === undefined) return [...sets.values()];
  const filters = prefix === undefined ? (prefixes ?? []) : [];
  return [...sets.values()].filter((set) => set.prefix === prefix || isAmong(set.prefix, filters));
}

/** Icons that are read in one turn. */
const ICONS_PER_TURN = 10;

interface AskedIcons {
  readonly set: IconSet;
  readonly resolved: ResolvedNames;
  readonly form: AnswerForm;
}

/** Joined from the cached JSON of each icon. */
async function iconsText({ set, resolved, form }: AskedIcons, sources: Sources): Promise<string> {
  const { caller, isPretty } = form;
  const turn = sources.turns.of(caller);
  const parts: string[] = [];
  const icons: Record<string, unknown> = {};
  for (const [at, icon] of resolved.icons.entries()) {
    if (at % ICONS_PER_TURN === 0) await turn();
    const text = await iconText(set, icon, sources);
    if (isPretty) icons[icon.name] = JSON.parse(text) as unknown;
    else parts.push(`${JSON.stringify(icon.name)}:${text}`);
  }
  const { lastModified, box } = set.facts;
  const common = Object.entries({ lastModified, ...box }).filter(
    ([, value]) => typeof value === 'number' && value !== 0,
  );
  const aliases = [...resolved.aliases].map(([name, { parent, props }]) => [name, { parent, ...props }] as const);
  const head = { prefix: set.prefix, ...Object.fromEntries(common), aliases: Object.fromEntries(aliases) };
  const { notFound } = resolved;
  const missing = notFound.length > 0 && { not_found: notFound };
  if (isPretty) return sources.turns.run(caller, jsonText({ ...head, icons, ...missing }, 4));
  const end = missing ? `,${JSON.stringify(missing).slice(1)}` : '}';
  return `${JSON.stringify(head).slice(0, -1)},"icons":{${parts.join(',')}}${end}`;
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
