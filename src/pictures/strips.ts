// Strips: pictures that show several entries, as SVG or PNG.
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { domainToUnicode } from 'node:url';
import type { Background, Entry, Slug } from '../catalog/entry.js';
import { missingNames, type MissingName } from '../platform/not-found.js';
import { composeSvg } from './compose-svg.js';
import { monogramOfDomain, monogramOfSlug } from './monogram.js';
import { MAX_RESULT_SIDE, pictureRequest, type PictureRequest } from './picture-request.js';
import { pictureSpec } from './picture-spec.js';
import { composeStrip, drawingsOf, placeItems, type Strip, type StripForm, type StripItem } from './strip.js';
import { parseHost } from '../platform/web/host-name.js';
import { AppError, invalidField } from '../platform/errors.js';
import { askedHost, type Brands } from '../brands/brands.js';
import type { AccountCatalog, ReadDrawing } from '../catalog/account-catalogs.js';
import type { Catalog } from '../catalog/catalog.js';
import { fallbackSubject } from './picture-subject.js';
import type { ComposedPicture, Pictures, PlannedPicture } from './pictures.js';

export interface StripRequest extends Pick<Strip, 'layout' | 'hasTitles'>, Pick<ComposedPicture, 'format'> {
  /** Requested slugs, aliases and domains. */
  readonly names: readonly Slug[];
  /** Replacement for unknown names. If null, an unknown name causes an error. */
  readonly fallback: 'monogram' | 'skip' | null;
}

type StripPlan =
  | { readonly kind: 'strip'; readonly picture: PlannedPicture; readonly entries: number }
  /**
   * `names`: requested names that no catalog contains, without duplicates. `counted`: the same names as slugs or
   * domains, for the count of missing names.
   */
  | { readonly kind: 'missing'; readonly names: readonly Slug[]; readonly counted: readonly MissingName[] };

export type Strips = ReturnType<typeof createStrips>;

interface Options {
  readonly catalog: Pick<Catalog, 'state'>;
  readonly pictures: Pick<Pictures, 'planComposed'>;
  readonly brands: Pick<Brands, 'ownerOf'>;
}

/** Maximum length of all drawings of a strip together, UTF-16 units. */
const MAX_DRAWING_CHARS = 2_000_000;
const READ_AT_ONCE = 10;
const SHOWN_ON: Readonly<Record<Background, PictureRequest>> = {
  light: pictureRequest('svg', { on: 'light' }),
  dark: pictureRequest('svg', { on: 'dark' }),
};
const MONOGRAM = pictureRequest('svg', { size: 256, radius: 22 });

/** Id of a drawing → function that reads its text. */
export type Readings = Map<string, () => Promise<string> | string>;

export function createStrips({ catalog, pictures, brands }: Options) {
  /** Finds an entry by its slug or alias, then by its domain. */
  async function entryOf(from: AccountCatalog, name: Slug): Promise<Entry | undefined> {
    const found = await from.find(name);
    const to = found.kind === 'missing' ? await brands.ownerOf(askedHost(name), from) : undefined;
    const moved = found.kind === 'moved' ? found.to : to;
    const current = moved === undefined ? found : await from.find(moved);
    return current.kind === 'entry' ? current.entry : undefined;
  }

  /** Returns the entry's drawings for the backgrounds for which the strip is made. */
  function itemOf(
    { entry, read }: { readonly entry: Entry; readonly read: ReadDrawing },
    { layout, format }: StripRequest,
    readings: Readings,
  ): StripItem {
    const formOn = (page: Background): StripForm => {
      const { variant, picture } = pictureSpec(entry, SHOWN_ON[page]);
      const drawing = format === 'svg' ? variant.etag : (variant.painted ?? variant.etag);
      readings.set(drawing, () => read(drawing));
      return { drawing, extent: variant, paint: picture.paint === 'currentColor' ? null : picture.paint };
    };
    const { theme } = layout;
    return {
      title: entry.title,
      forms: theme === 'auto' ? { light: formOn('light'), dark: formOn('dark') } : { [theme]: formOn(theme) },
    };
  }

  return {
    /**
     * Plans a strip. Throws AppError `invalid_request` for a PNG that would be too large, and the errors of the
     * catalog's `find`.
     */
    async plan(from: AccountCatalog, request: StripRequest): Promise<StripPlan> {
      const { names, layout, hasTitles, fallback, format } = request;
      const entries = await Promise.all(names.map((name) => entryOf(from, name)));
      const missing = [...new Set(names.filter((_, index) => entries[index] === undefined))];
      const counted = missing.flatMap(missingNameOf);
      const isEmpty = fallback === 'skip' && entries.every((entry) => entry === undefined);
      if (isEmpty || (fallback === null && missing.length > 0)) return { kind: 'missing', names: missing, counted };
      const readings: Readings = new Map();
      const items = names.flatMap((name, index) => {
        const entry = entries[index];
        if (entry !== undefined) return [itemOf({ entry, read: from.drawingsOf(entry) }, request, readings)];
        return fallback === 'monogram' ? [monogramItem(name, readings)] : [];
      });
      const lastModified = lastChange(entries, catalog.state()?.publishedAt);
      const strip = { items, layout, hasTitles, readings };
      const isPrivate = entries.some((entry) => entry?.own);
      const file = { format, filename: `strip.${format}`, lastModified, isPrivate };
      const picture = {
        ...pictures.planComposed(stripPicture(strip, file)),
        // The account may later add an own brand under a name that is missing now, so clients must revalidate the
        // answer.
        ...((isPrivate || (from.own !== undefined && missing.length > 0)) && { isOwn: true as const }),
        missing: counted,
      };
      return { kind: 'strip', picture, entries: items.length };
    },
  };
}

/** Returns the picture of a strip. Throws AppError `invalid_request` for a PNG that would be too large. */
export function stripPicture(
  strip: Strip & { readonly readings: Readings },
  file: Pick<ComposedPicture, 'format' | 'filename' | 'lastModified' | 'isPrivate'>,
): ComposedPicture {
  const { width, height } = placeItems(strip);
  const longer = Math.max(width, height);
  if (file.format === 'png' && longer > MAX_RESULT_SIDE)
    throw invalidField('size', `the picture would have a side of ${longer} px`, `${MAX_RESULT_SIDE} px`);
  const key = keyOf(strip);
  const name = `b${hash('sha256', key).slice(0, 10)}`;
  return {
    ...{ ...file, key, width, height, cells: strip.items.length },
    async compose() {
      const texts = await readTexts(drawingsOf(strip), strip.readings);
      return composeStrip(strip, (drawing) => texts.get(drawing) ?? '', name);
    },
  };
}

/**
 * Returns the cache key. The key contains everything that determines the picture, and titles only if the picture has
 * titles.
 */
function keyOf({ items, layout, hasTitles }: Strip): string {
  const shown = items.map(({ title, forms }) => [
    hasTitles ? title : '',
    ...Object.entries(forms).map(
      ([
        page,
        {
          drawing,
          paint,
          extent: { width, height, ink, inkShare },
        },
      ]) => [page, drawing, paint, width, height, ink?.join(' '), inkShare].join(),
    ),
  ]);
  return `strip|${JSON.stringify([layout, shown])}`;
}

function missingNameOf(name: Slug): readonly MissingName[] {
  const host = parseHost(name);
  return host.kind === 'host' ? missingNames('domain', host.registrable) : missingNames('slug', name);
}

function monogramItem(name: Slug, readings: Readings): StripItem {
  const host = parseHost(name);
  const monogram =
    host.kind === 'host' ? monogramOfDomain(host.registrable, domainToUnicode(host.registrable)) : monogramOfSlug(name);
  const { picture, read } = fallbackSubject(monogram, 'monogram', MONOGRAM);
  const drawing = `monogram:${monogram.letters}:${picture.background ?? ''}`;
  readings.set(drawing, async () => composeSvg(await read(), picture));
  const form = { drawing, paint: null, extent: { ...picture.geometry.box, inkShare: 1 } };
  return { title: name, forms: { light: form, dark: form } };
}

/**
 * Returns the time of the last change that affects the picture. A missing entry counts as changed at the last
 * publication, which may have removed the entry.
 */
function lastChange(entries: readonly (Entry | undefined)[], publishedAt: string | undefined): Date | undefined {
  const changes = entries.map((entry) => (entry === undefined ? publishedAt : entry.updatedAt));
  const last = Math.max(...changes.map((change) => Date.parse(change ?? '')));
  return Number.isNaN(last) ? undefined : new Date(last);
}

async function readTexts(drawings: readonly string[], readings: Readings): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  let chars = 0;
  for (let begun = 0; begun < drawings.length; begun += READ_AT_ONCE) {
    if (begun > 0) await nextTurn();
    const batch = drawings.slice(begun, begun + READ_AT_ONCE);
    const read = await Promise.all(
      batch.map(async (drawing) => [drawing, (await readings.get(drawing)?.()) ?? ''] as const),
    );
    for (const [drawing, text] of read) {
      texts.set(drawing, text);
      chars += text.length;
    }
    if (chars > MAX_DRAWING_CHARS)
      throw new AppError('unprocessable', 'These drawings are too long for one picture. Request fewer icons.');
  }
  return texts;
}
