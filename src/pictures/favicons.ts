// Makes website icons from an entry: each file, and an archive of all files.
import { zipSync } from 'fflate';
import type { Background, Entry } from '../catalog/entry.js';
import {
  FAVICON_HTML,
  FAVICON_PNGS,
  faviconManifest,
  faviconPage,
  faviconRequest,
  ICO_SIDES,
  SET_FILES,
  type FaviconFile,
  type FaviconOptions,
} from './favicon.js';
import { icoFile } from './ico.js';
import type { PictureRequest } from './picture-request.js';
import { pictureSpec } from './picture-spec.js';
import type { StripForm } from './strip.js';
import { WHITE } from '../platform/text/color.js';
import { strongEtag } from '../platform/web/strong-etag.js';
import type { ReadDrawing } from '../catalog/account-catalogs.js';
import type { Codings } from '../platform/http/response/compression.js';
import type { Pictures, PlannedPicture } from './pictures.js';
import type { PictureClient, PictureOutcome } from './rasterize-request.js';
import { stripPicture, type Readings } from './strips.js';

/** A file that is not made yet, but whose `ETag` is known. */
export interface PlannedFile {
  /** Strong `ETag`, with its quotes. */
  readonly etag: string;
  readonly codings?: Codings | undefined;
  readonly render: (client: PictureClient) => Promise<PictureOutcome>;
  /** Returns the outcome of `render` if it is cached in memory. */
  readonly peek: () => PictureOutcome | undefined;
}

/** Options of a file. `search`: query of the request, which the manifest appends to the URLs of its icons. */
export interface FaviconAsked extends FaviconOptions {
  readonly search: string;
}

interface Options {
  readonly pictures: Pick<Pictures, 'planEntry' | 'planComposed' | 'render' | 'peek'>;
}

const ICON_LAYOUT = { perLine: 1, side: 64, gap: 0, isBalanced: false, isSized: false } as const;
/** Distance of the drawing from the edge of its background, as a share of the side. */
const GROUND_INSET = 0.12;

export interface ReadableEntry {
  readonly entry: Entry;
  readonly read: ReadDrawing;
}

export class Favicons {
  constructor(private readonly options: Options) {}

  /**
   * Plans a file. Throws AppError `invalid_request` for an unknown variant, and `unprocessable` for a color that the
   * variant can't have.
   */
  plan(found: ReadableEntry, name: FaviconFile, asked: FaviconAsked): PlannedFile {
    const { entry } = found;
    if (name === 'favicon.ico') return this.ico(found, asked);
    if (name === 'icon.svg') return this.svg(found, asked);
    if (name === 'manifest.webmanifest') return textFile(faviconManifest(entry, asked, asked.search));
    if (name === 'head.html') return textFile(FAVICON_HTML);
    if (name !== 'favicon.zip') return this.png(found, name, asked);
    const files = SET_FILES.map((each) => this.plan(found, each, { ...asked, search: '' }));
    return packed(`zip ${entry.updatedAt}`, files, (bodies) => archive(bodies, new Date(entry.updatedAt)));
  }

  private ico(found: ReadableEntry, asked: FaviconOptions): PlannedFile {
    const files = ICO_SIDES.map((side) =>
      this.picture(found, faviconRequest(found.entry, asked, { kind: 'tab', side })),
    );
    return packed('ico', files, (pngs) => icoFile(pngs.map((png, index) => ({ side: ICO_SIDES[index] ?? 0, png }))));
  }

  /**
   * Plans an SVG icon with two pictures, one for light pages and one for dark pages. If the request sets `on`, `color`
   * or `background`, the icon has only one picture.
   */
  private svg(found: ReadableEntry, asked: FaviconOptions): PlannedFile {
    const { entry } = found;
    const { on, color, background } = asked;
    const page = faviconPage(asked);
    const isFixed = on !== null || color !== null || background !== null;
    const readings: Readings = new Map();
    const formOn = (shown: Background) => this.form(found, { ...asked, on: shown }, readings);
    const forms = isFixed ? { [page]: formOn(page) } : { light: formOn('light'), dark: formOn('dark') };
    const strip = {
      items: [{ title: entry.title, forms }],
      layout: {
        ...ICON_LAYOUT,
        theme: isFixed ? page : 'auto',
        tile: background === null ? 'none' : 'square',
        tileColors: { light: background ?? WHITE, dark: background ?? WHITE },
        inset: background === null ? 0 : GROUND_INSET,
      },
      hasTitles: false,
      readings,
    } as const;
    const [lastModified, isPrivate] = [new Date(entry.updatedAt), entry.own === true];
    const file = { format: 'svg', filename: 'icon.svg', lastModified, isPrivate } as const;
    return this.planned(this.options.pictures.planComposed(stripPicture(strip, file)));
  }

  private form({ entry, read }: ReadableEntry, asked: FaviconOptions, readings: Readings): StripForm {
    const request = faviconRequest(entry, asked, { kind: 'tab', side: ICON_LAYOUT.side });
    const { variant, picture } = pictureSpec(entry, request);
    readings.set(variant.etag, () => read(variant.etag));
    return { drawing: variant.etag, extent: variant, paint: picture.paint === 'currentColor' ? null : picture.paint };
  }

  private png(found: ReadableEntry, name: keyof typeof FAVICON_PNGS, asked: FaviconOptions): PlannedFile {
    const { entry } = found;
    const format = FAVICON_PNGS[name];
    const request = faviconRequest(entry, asked, format);
    if (format.kind !== 'mask') return this.picture(found, request);
    const { variant } = pictureSpec(entry, request);
    return this.picture(found, faviconRequest(entry, asked, { ...format, drawn: variant }));
  }

  private picture({ entry, read }: ReadableEntry, request: PictureRequest): PlannedFile {
    const plan = this.options.pictures.planEntry(entry, read, request);
    if (plan.kind !== 'picture') throw new Error('the request names no revision');
    return this.planned(plan);
  }

  private planned(plan: PlannedPicture): PlannedFile {
    const { pictures } = this.options;
    const { etag, codings } = plan;
    return { etag, codings, render: (client) => pictures.render(plan, client), peek: () => pictures.peek(plan) };
  }
}

function textFile(text: string): PlannedFile {
  const outcome = { ok: true, body: text } as const;
  return { etag: strongEtag(text), render: async () => outcome, peek: () => outcome };
}

/**
 * Plans a file that contains other files. `form`: text with the file format and further facts that determine the bytes.
 * The `ETag` is computed from `form` and the contained files.
 */
function packed(
  form: string,
  files: readonly PlannedFile[],
  pack: (bodies: readonly Uint8Array[]) => Uint8Array,
): PlannedFile {
  const whole = (outcomes: readonly PictureOutcome[]): PictureOutcome =>
    outcomes.find(({ ok }) => !ok) ?? {
      ok: true,
      body: pack(outcomes.map((outcome) => (outcome.ok ? Buffer.from(outcome.body) : new Uint8Array()))),
    };
  return {
    etag: strongEtag([form, ...files.map(({ etag }) => etag)].join()),
    render: async (client) => whole(await Promise.all(files.map((file) => file.render(client)))),
    peek() {
      const outcomes = files.map((file) => file.peek());
      return outcomes.every((outcome) => outcome !== undefined) ? whole(outcomes) : undefined;
    },
  };
}

/** Returns a ZIP without compression, because the pictures are already compressed. */
function archive(bodies: readonly Uint8Array[], mtime: Date): Uint8Array {
  return zipSync(Object.fromEntries(SET_FILES.map((name, index) => [name, bodies[index] ?? new Uint8Array()])), {
    ...{ level: 0, mtime },
  });
}
