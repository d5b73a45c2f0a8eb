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
import { readAll, type Reader } from '../reader.js';
import type { Turns } from '../turns.js';
import type { IconSets } from './icon-sets.js';

/** Which sets, by prefix; without filters, all. */
export interface SetFilter {
  readonly prefix: string | undefined;
  /** Prefixes, and beginnings of them (`mdi-`). */
  readonly prefixes: readonly string[] | undefined;
}

/** For whom an answer is made, in turns with others, and how. */
export interface AnswerForm {
  readonly reader: Reader;
  /** With line breaks. */
  readonly isPretty: boolean;
}

interface Shown {
  readonly info: boolean;
  readonly chars: boolean;
}

export type Iconify = ReturnType<typeof createIconify>;

interface Options {
  readonly sets: Pick<GenerationIndex<IconSets>, 'current' | 'peek'>;
  readonly catalog: Pick<Catalog, 'asset'>;
  readonly turns: Turns;
}

/** Of lists of names, and of answers with several icons: pages ask for the same ones again and again. As bytes, which connections share. */
const ANSWER_CACHE_BYTES = 16 * 2 ** 20;
/** Of a cache entry beside its text. */
const OVERHEAD_BYTES = 200;

export function createIconify({ sets, catalog, turns }: Options) {
  let known: { readonly of: IconSets; readonly answers: IconAnswers } | undefined;

  function answersOf(current: IconSets): IconAnswers {
    if (known?.of !== current) {
      // A cache of its own: a request of the generation before may still write.
      const bodies = new LRUCache<string, Buffer>({
        maxSize: ANSWER_CACHE_BYTES,
        sizeCalculation: (body, key) => body.length + key.length + OVERHEAD_BYTES,
      });
      const sources = { catalog, turns, bodies, underWay: new Map() };
      known = { of: current, answers: createAnswers(current, sources) };
    }
    return known.answers;
  }

  return {
    /** Throws AppError `unavailable` before the first import. */
    async current(): Promise<IconAnswers> {
      const current = sets.peek() ?? (await sets.current());
      if (current.generation === 0) throw catalogMissingError();
      return answersOf(current);
    },
    /** The same without waiting; undefined before the first request has built it. */
    peek(): IconAnswers | undefined {
      const current = sets.peek();
      return current === undefined || current.generation === 0 ? undefined : answersOf(current);
    },
    /** Resolves when the sets are built, however long it takes; undefined: they are. */
    build: (): Promise<unknown> | undefined => (sets.peek() ? undefined : sets.current()),
  };
}

interface Sources {
  readonly catalog: Options['catalog'];
  readonly turns: Turns;
  /** Of this generation. */
  readonly bodies: LRUCache<string, Buffer>;
  /** Bodies that are being made, by the same keys. */
  readonly underWay: Map<string, Promise<Buffer>>;
}

export type IconAnswers = ReturnType<typeof createAnswers>;

/** All of one catalog generation. A set that is not there is undefined. */
function createAnswers(current: IconSets, sources: Sources) {
  const { sets, version } = current;
  const { turns } = sources;

  /** JSON text. */
  const written = (value: unknown, { reader, isPretty }: AnswerForm): Promise<string> =>
    turns.run(reader.fairnessKey, jsonText(value, isPretty ? 4 : 0));

  return {
    /** Changes whenever an answer may change. */
    version,
    written,

    /** `answered`: different names that were found; each counts. `bytes`: JSON. */
    icons(prefix: string, names: readonly string[]) {
      const set = sets.get(prefix);
      if (set === undefined) return undefined;
      const resolved = resolveNames(set, names);
      const bytes = (form: AnswerForm): Promise<Buffer> =>
        keptBody(sources, {
          key: `${prefix} ${names.join()} ${form.isPretty}`,
          reader: form.reader,
          read: async () => {
            const icons = await readIcons({ set, resolved, form }, sources);
            return () => iconsText({ set, resolved, form }, icons, sources);
          },
        });
      return { answered: resolved.answered, bytes };
    },

    /** Undefined also for an unknown name. */
    svg(prefix: string, name: string, options: SvgOptions) {
      const set = sets.get(prefix);
      const found = set && resolveName(set, name);
      if (set === undefined || found === undefined) return undefined;
      return (reader: Reader): Promise<string> => readSvg({ set, found, options }, reader, sources);
    },

    collections: (filter: SetFilter): Readonly<Record<string, unknown>> =>
      Object.fromEntries(filtered(sets, filter).flatMap(({ prefix, info }) => (info ? [[prefix, info]] : []))),

    collection(prefix: string, shown: Shown) {
      const set = sets.get(prefix);
      if (set === undefined) return undefined;
      const key = JSON.stringify([prefix, shown]);
      return (form: AnswerForm): Promise<Buffer> => {
        const make = async () => written(await turns.run(form.reader.fairnessKey, collectionOf(set, shown)), form);
        return keptBody(sources, { key: `${key} ${form.isPretty}`, reader: form.reader, read: async () => make });
      };
    },

    lastModified: (filter: SetFilter): Readonly<Record<string, unknown>> => ({
      lastModified: Object.fromEntries(
        filtered(sets, filter).flatMap(({ prefix, facts }) =>
          facts.lastModified ? [[prefix, facts.lastModified]] : [],
        ),
      ),
    }),

    search: async (query: IconQuery, caller: string): Promise<IconResults> =>
      turns.run(caller, searchIcons(await current.keywords(), query)),

    keywords: async (asked: KeywordQuery, caller: string): Promise<KeywordMatches> =>
      turns.run(caller, matchKeywords(await current.keywords(), asked)),
  };
}

type KeywordQuery = Parameters<typeof matchKeywords>[1];

interface DrawnIcon {
  readonly set: IconSet;
  readonly found: { readonly icon: SetMember; readonly aliases: readonly IconProps[] };
  readonly options: SvgOptions;
}

async function readSvg({ set, found, options }: DrawnIcon, { inTime }: Reader, sources: Sources): Promise<string> {
  const reading = sources.catalog.asset(found.icon.source.asset);
  const icon = iconOf(found.icon, reading instanceof Promise ? await inTime(reading) : reading);
  return iconSvg({ box: set.facts.box, icon, aliases: found.aliases }, options);
}

interface KeptBody {
  readonly key: string;
  readonly reader: Reader;
  /** Reads what it is made of, for each who asks; gives what makes it. */
  readonly read: () => Promise<() => Promise<string>>;
}

/** Made once for all who ask meanwhile; given in a turn, because sending hundreds of kilobytes is work, too. */
async function keptBody({ bodies, underWay, turns }: Sources, { key, reader, read }: KeptBody): Promise<Buffer> {
  const body = known() ?? made(await read());
  const bytes = await body;
  await turns.of(reader.fairnessKey)();
  return bytes;

  function known(): Buffer | Promise<Buffer> | undefined {
    return bodies.get(key) ?? underWay.get(key);
  }

  function made(make: () => Promise<string>): Buffer | Promise<Buffer> {
    // Others have read it meanwhile.
    const others = known();
    if (others !== undefined) return others;
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

/** Icons that are read, or written, in one turn. */
const ICONS_PER_TURN = 10;

interface AskedIcons {
  readonly set: IconSet;
  readonly resolved: ResolvedNames;
  readonly form: AnswerForm;
}

type ReadIcons = readonly (readonly [SetMember, string])[];

function readIcons({ resolved, form: { reader } }: AskedIcons, { catalog, turns }: Sources): Promise<ReadIcons> {
  return readAll(reader, {
    items: resolved.icons,
    read: (icon) => catalog.asset(icon.source.asset),
    perTurn: ICONS_PER_TURN,
    turn: turns.of(reader.fairnessKey),
  });
}

async function iconsText({ set, resolved, form }: AskedIcons, read: ReadIcons, sources: Sources): Promise<string> {
  const { reader, isPretty } = form;
  const turn = sources.turns.of(reader.fairnessKey);
  const parts: string[] = [];
  const icons: Record<string, unknown> = {};
  for (const [at, [icon, asset]] of read.entries()) {
    if (at % ICONS_PER_TURN === 0) await turn();
    const written = iconOf(icon, asset);
    if (isPretty) icons[icon.name] = written;
    else parts.push(`${JSON.stringify(icon.name)}:${JSON.stringify(written)}`);
  }
  const { lastModified, box } = set.facts;
  const common = Object.entries({ lastModified, ...box }).filter(
    ([, value]) => typeof value === 'number' && value !== 0,
  );
  const aliases = [...resolved.aliases].map(([name, { parent, props }]) => [name, { parent, ...props }] as const);
  const head = { prefix: set.prefix, ...Object.fromEntries(common), aliases: Object.fromEntries(aliases) };
  const { notFound } = resolved;
  const missing = notFound.length > 0 && { not_found: notFound };
  if (isPretty) return sources.turns.run(reader.fairnessKey, jsonText({ ...head, icons, ...missing }, 4));
  const end = missing ? `,${JSON.stringify(missing).slice(1)}` : '}';
  return `${JSON.stringify(head).slice(0, -1)},"icons":{${parts.join(',')}}${end}`;
}

/** As its set has it. */
function iconOf({ props, source: { isDocument, hasBox } }: SetMember, asset: string): IconProps & { body: string } {
  return { body: isDocument ? innerSvg(asset) : asset, ...(hasBox ? viewBoxOf(asset) : props) };
}

/** Of a sanitized drawing. */
function viewBoxOf(svg: string): IconProps {
  const viewBox = /^<svg [^>]*viewBox="([^"]*)"/.exec(svg)?.[1] ?? '0 0 16 16';
  const [left = 0, top = 0, width = 16, height = 16] = viewBox.split(' ').map(Number);
  return { ...(left !== 0 && { left }), ...(top !== 0 && { top }), width, height };
}
