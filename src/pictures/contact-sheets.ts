// Contact sheets: many pictures with their names on one PNG, to review a whole catalog page by page.
import pLimit from 'p-limit';
import type { Background, Entry } from '../catalog/entry.js';
import { PAGE_COLORS } from '../catalog/page-colors.js';
import { composeSvg } from './compose-svg.js';
import { GLYPH, letteringSvg } from './stroke-lettering.js';
import { pictureSpec } from './picture-spec.js';
import { pictureRequest, type PictureQuery } from './picture-request.js';
import type { CatalogStore } from '../catalog/catalog-store.js';
import type { Rasterizer } from './rasterizer.js';

/**
 * Pictures on a contact sheet: the default of each entry, all its variants, or the picture for a light or dark page.
 */
export type SheetSubject = 'defaults' | 'variants' | Background;

interface SheetCell {
  readonly label: string;
  /** SVG text of the picture. Undefined if the drawing is missing. */
  readonly svg: string | undefined;
}

export interface Sheet {
  /** Labels of the first and the last cell. */
  readonly from: string;
  readonly to: string;
  readonly cells: number;
  /** Labels of the pictures that could not be drawn. */
  readonly failed: readonly string[];
  readonly png: Uint8Array;
}

const COLUMNS = 16;
const ROWS = 14;
const CELL = { width: 96, height: 104, picture: 72 } as const;
const LETTER_SCALE = 0.058;
const LABEL_CHARS = 17;
const LABEL_LINES = 2;
/** Maximum number of pictures that are drawn at the same time. */
const PARALLEL = 2;

interface SheetOptions {
  readonly store: Pick<CatalogStore, 'entries' | 'drawing'>;
  readonly rasterizer: Rasterizer;
  readonly subject: SheetSubject;
  /** Returns true for entries that the sheets contain. */
  readonly filter: (entry: Entry) => boolean;
}

/** Yields contact sheets in the order of slugs. Rejects if a sheet itself cannot be drawn. */
export async function* contactSheets({ store, rasterizer, subject, filter }: SheetOptions): AsyncIterable<Sheet> {
  const ground = subject === 'light' || subject === 'dark' ? subject : undefined;
  let cells: SheetCell[] = [];
  for await (const entry of store.entries()) {
    if (!filter(entry)) continue;
    for (const cell of await cellsOf(entry, subject, store)) {
      cells.push(cell);
      if (cells.length < COLUMNS * ROWS) continue;
      yield await drawSheet(cells, rasterizer, ground);
      cells = [];
    }
  }
  if (cells.length > 0) yield await drawSheet(cells, rasterizer, ground);
}

async function cellsOf(
  entry: Entry,
  subject: SheetSubject,
  store: Pick<CatalogStore, 'drawing'>,
): Promise<readonly SheetCell[]> {
  const size = CELL.picture;
  const queries: readonly (readonly [label: string, query: PictureQuery])[] =
    subject === 'variants'
      ? entry.variants.map(({ name }) => [`${entry.slug}/${name}`, { size, variant: name }] as const)
      : [[entry.slug, subject === 'defaults' ? { size } : { size, on: subject }]];
  return Promise.all(
    queries.map(async ([label, query]) => {
      const { variant, picture } = pictureSpec(entry, pictureRequest('png', query));
      // PNG and WebP pictures are made from the drawing `painted`, if the variant has one. It has bitmaps instead of
      // blurs.
      const drawing = await store.drawing(variant.painted ?? variant.etag);
      return { label, svg: drawing === undefined ? undefined : composeSvg(drawing, picture) };
    }),
  );
}

/** Draws a sheet. `ground`: background of the pictures, light or dark; undefined means white. */
async function drawSheet(
  cells: readonly SheetCell[],
  rasterizer: Rasterizer,
  ground: Background | undefined,
): Promise<Sheet> {
  const limit = pLimit(PARALLEL);
  const drawn = await Promise.all(cells.map((cell) => limit(() => drawCell(cell, rasterizer))));
  const failed = cells.filter((_, at) => drawn[at] === undefined).map(({ label }) => label);
  const pictures = cells.map(({ label }, at) => cellSvg(label, drawn[at], at));
  const width = COLUMNS * CELL.width;
  const height = Math.ceil(cells.length / COLUMNS) * CELL.height;
  const page = PAGE_COLORS[ground ?? 'light'];
  const ink = ground === 'dark' ? '#9aa4af' : '#444444';
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<rect width="${width}" height="${height}" fill="${page}"/>` +
    `<g color="${ink}">${pictures.join('')}</g></svg>`;
  const outcome = await rasterizer.rasterize({ svg, width, height, format: 'png', quality: null });
  if (!outcome.ok) throw new Error(`the sheet could not be drawn: ${outcome.message}`);
  const [from = '', to = ''] = [cells[0]?.label, cells.at(-1)?.label];
  return { from, to, cells: cells.length, failed, png: outcome.bytes };
}

async function drawCell({ svg }: SheetCell, rasterizer: Rasterizer): Promise<Uint8Array | undefined> {
  if (svg === undefined) return undefined;
  const side = { width: CELL.picture, height: CELL.picture };
  const outcome = await rasterizer.rasterize({ svg, ...side, format: 'png', quality: null });
  return outcome.ok ? outcome.bytes : undefined;
}

function cellSvg(label: string, png: Uint8Array | undefined, index: number): string {
  const left = (index % COLUMNS) * CELL.width;
  const top = Math.floor(index / COLUMNS) * CELL.height;
  const x = left + (CELL.width - CELL.picture) / 2;
  const side = CELL.picture;
  const picture =
    png === undefined
      ? `<path d="M${x} ${top + 4}l${side} ${side}m0-${side}l-${side} ${side}" stroke="#d00"/>`
      : `<image x="${x}" y="${top + 4}" width="${side}" height="${side}" ` +
        `href="data:image/png;base64,${Buffer.from(png).toString('base64')}"/>`;
  const lines = Array.from({ length: LABEL_LINES }, (_, line) =>
    label.slice(line * LABEL_CHARS, (line + 1) * LABEL_CHARS),
  );
  const lineHeight = GLYPH.height * LETTER_SCALE + 4;
  const lettering = lines.map((text, line) =>
    letteringSvg(text, { left: left + 4, top: top + side + 10 + line * lineHeight, scale: LETTER_SCALE }),
  );
  return picture + lettering.join('');
}
