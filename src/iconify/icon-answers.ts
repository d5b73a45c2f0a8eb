// Answers of the Iconify protocol, as JSON text and SVG.
import type { LRUCache } from 'lru-cache';
import type { IconProps } from '../catalog/set-icon.js';
import { iconSvg, type SvgOptions } from './icon-svg.js';
import { innerSvg } from '../catalog/icon-body.js';
import { collectionOf, type IconSet, type SetMember } from './icon-set.js';
import { matchKeywords, type KeywordMatches } from './keyword-index.js';
import { resolveName, resolveNames, type ResolvedNames } from './resolve-names.js';
import { isAmong, searchIcons, type IconQuery, type IconResults } from './search-icons.js';
import { OWN_PREFIX } from './brand-sets.js';
import type { Turns } from '../platform/concurrency/time-slices.js';
import type { Catalog } from '../catalog/catalog.js';
import { readAll, type Reader } from '../platform/reader.js';
import type { IconSets } from './icon-sets.js';

/** Filter of icon sets. If both fields are undefined, all sets match. */
interface SetFilter {
  readonly prefix: string | undefined;
  /** Allowed prefixes. An item that ends with a dash (`mdi-`) allows all prefixes that start with it. */
  readonly prefixes: readonly string[] | undefined;
}

/** Caller of a request, and format of the answer. */
export interface AnswerForm {
  readonly reader: Reader;
  /** True for JSON with line breaks and indentation. */
  readonly isPretty: boolean;
}

/** Number of icons to read or serialize before other callers' requests can run. */
const ICONS_PER_TURN = 10;

interface NamedIcons {
  readonly set: IconSet;
  readonly resolved: ResolvedNames;
}

/** Cached response bodies. The cache key contains the version of the answers. */
export type Bodies = LRUCache<string, Buffer>;

/** Answers from one version of the catalog, or from own brands. Methods return undefined for an unknown set. */
export class IconAnswers {
  /** Text that changes whenever an answer may change. */
  readonly version: string;
  private readonly turns: Turns;
  private readonly bodies: Bodies;
  /** Bodies that are being made, by their key in `bodies`. */
  private readonly underWay = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly current: IconSets,
    private readonly catalog: Pick<Catalog, 'drawing'>,
    { turns, bodies }: { readonly turns: Turns; readonly bodies: Bodies },
  ) {
    this.version = current.version;
    this.turns = turns;
    this.bodies = bodies;
  }

  set(prefix: string): IconSet | undefined {
    return this.current.sets.get(prefix);
  }

  /**
   * Returns a value as JSON text. Lets requests of other callers run first, because serializing the largest lists
   * (about 20,000 names) takes 2 to 4 ms.
   */
  async written(value: unknown, { reader, isPretty }: AnswerForm): Promise<string> {
    await this.turns.of(reader.fairnessKey)();
    return jsonOf(value, isPretty);
  }

  /**
   * Finds icons. `answered`: number of different names that were found; each counts against the quota. `unknown`: names
   * of brands that the catalog lacks. `bytes`: returns the JSON.
   */
  icons(prefix: string, names: readonly string[]) {
    const set = this.current.sets.get(prefix);
    if (set === undefined) return undefined;
    const resolved = resolveNames(set, names);
    const bytes = (form: AnswerForm): Promise<Buffer> =>
      this.body(`${prefix} ${names.join()} ${form.isPretty}`, form.reader, async () => {
        const read = await readAll(form.reader, {
          items: resolved.icons,
          read: (icon) => this.catalog.drawing(icon.source.etag),
          perTurn: ICONS_PER_TURN,
          turn: this.turns.of(form.reader.fairnessKey),
        });
        return () => this.iconsText({ set, resolved }, read, form);
      });
    const unknown = prefix === OWN_PREFIX ? new Set(resolved.notFound) : [];
    return { answered: resolved.answered, unknown, bytes };
  }

  /** Returns true for the name of an icon. Returns false for an alias or an unknown name. */
  hasIcon(prefix: string, name: string): boolean {
    return this.current.sets.get(prefix)?.icons.has(name) === true;
  }

  /** Returns the name of the icon to which a name or alias leads. */
  nameOf(prefix: string, name: string): string | undefined {
    const set = this.current.sets.get(prefix);
    return set && resolveName(set, name)?.icon.name;
  }

  /** Returns a function that makes the SVG, or undefined for an unknown set or name. */
  svg(prefix: string, name: string, options: SvgOptions) {
    const set = this.current.sets.get(prefix);
    const found = set && resolveName(set, name);
    if (set === undefined || found === undefined) return undefined;
    return async ({ inTime }: Reader): Promise<string> => {
      const reading = this.catalog.drawing(found.icon.source.etag);
      const icon = iconOf(found.icon, reading instanceof Promise ? await inTime(reading) : reading);
      return iconSvg({ box: set.facts.box, icon, aliases: found.aliases }, options);
    };
  }

  collections(filter: SetFilter): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.filtered(filter).flatMap(({ prefix, info }) => (info ? [[prefix, info]] : [])));
  }

  collection(prefix: string, shown: { readonly info: boolean; readonly chars: boolean }) {
    const set = this.current.sets.get(prefix);
    if (set === undefined) return undefined;
    return (form: AnswerForm): Promise<Buffer> => {
      const { reader, isPretty } = form;
      const make = async () => this.written(await this.turns.run(reader.fairnessKey, collectionOf(set, shown)), form);
      return this.body(JSON.stringify([prefix, shown, isPretty]), reader, async () => make);
    };
  }

  lastModified(filter: SetFilter): Readonly<Record<string, unknown>> {
    const times = this.filtered(filter).map(({ prefix, facts }) => [prefix, facts.lastModified] as const);
    return { lastModified: Object.fromEntries(times.filter(([, seconds]) => seconds)) };
  }

  async search(query: IconQuery, caller: string): Promise<IconResults> {
    return this.turns.run(caller, searchIcons(await this.current.keywords(), query));
  }

  async keywords(asked: Parameters<typeof matchKeywords>[1], caller: string): Promise<KeywordMatches> {
    return this.turns.run(caller, matchKeywords(await this.current.keywords(), asked));
  }

  private filtered({ prefix, prefixes }: SetFilter): readonly IconSet[] {
    const sets = [...this.current.sets.values()];
    if (prefix !== undefined) return sets.filter((set) => set.prefix === prefix);
    return prefixes === undefined ? sets : sets.filter((set) => isAmong(set.prefix, prefixes));
  }

  /**
   * Returns the cached body, or makes the body once for all simultaneous requests. `read` reads the parts of the body,
   * and returns the function that makes the body. Callers take turns, because sending a body of hundreds of
   * kilobytes takes time: this method returns the body when it is the turn of the caller `reader`.
   */
  private async body(name: string, reader: Reader, read: () => Promise<() => Promise<string>>): Promise<Buffer> {
    const key = `${this.version} ${name}`;
    const known = (): Buffer | Promise<Buffer> | undefined => this.bodies.get(key) ?? this.underWay.get(key);
    let body = known();
    if (body === undefined) {
      const make = await read();
      // Another request may have made the body while `read` was running.
      body = known() ?? this.made(key, make);
    }
    const bytes = await body;
    await this.turns.of(reader.fairnessKey)();
    return bytes;
  }

  private made(key: string, make: () => Promise<string>): Promise<Buffer> {
    const body = make()
      .then((text) => {
        const bytes = Buffer.from(text);
        this.bodies.set(key, bytes);
        return bytes;
      })
      .finally(() => this.underWay.delete(key));
    this.underWay.set(key, body);
    return body;
  }

  private async iconsText(
    { set, resolved: { aliases, notFound } }: NamedIcons,
    read: readonly (readonly [SetMember, string])[],
    { reader, isPretty }: AnswerForm,
  ): Promise<string> {
    const turn = this.turns.of(reader.fairnessKey);
    const line = isPretty ? '\n    ' : '';
    const innerLine = isPretty ? `${line}    ` : '';
    const colon = isPretty ? ': ' : ':';
    const parts: string[] = [];
    for (const [at, [icon, drawing]] of read.entries()) {
      if (at % ICONS_PER_TURN === 0) await turn();
      const text = jsonOf(iconOf(icon, drawing), isPretty).replaceAll('\n', innerLine);
      parts.push(`${innerLine}${JSON.stringify(icon.name)}${colon}${text}`);
    }
    const { lastModified, box } = set.facts;
    const common = Object.entries({ lastModified, ...box }).filter(
      ([, value]) => typeof value === 'number' && value !== 0,
    );
    const others = [...aliases].map(([name, { parent, props }]) => [name, { parent, ...props }] as const);
    const head = { prefix: set.prefix, ...Object.fromEntries(common), aliases: Object.fromEntries(others) };
    const end = notFound.length > 0 ? `,${jsonOf({ not_found: notFound }, isPretty).slice(1)}` : isPretty ? '\n}' : '}';
    const icons = parts.length > 0 ? `{${parts.join(',')}${line}}` : '{}';
    return `${jsonOf(head, isPretty).slice(0, isPretty ? -2 : -1)},${line}"icons"${colon}${icons}${end}`;
  }
}

function jsonOf(value: unknown, isPretty: boolean): string {
  return JSON.stringify(value, null, isPretty ? 4 : undefined);
}

/**
 * Returns the icon's body and properties. If `hasBox` is true, the box in the drawing's viewBox replaces the
 * properties.
 */
function iconOf({ props, source: { isDocument, hasBox } }: SetMember, drawing: string): IconProps & { body: string } {
  return { body: isDocument ? innerSvg(drawing) : drawing, ...(hasBox ? viewBoxOf(drawing) : props) };
}

function viewBoxOf(svg: string): IconProps {
  const viewBox = /^<svg [^>]*viewBox="([^"]*)"/.exec(svg)?.[1] ?? '0 0 16 16';
  const [left = 0, top = 0, width = 16, height = 16] = viewBox.split(' ').map(Number);
  return { ...(left !== 0 && { left }), ...(top !== 0 && { top }), width, height };
}
