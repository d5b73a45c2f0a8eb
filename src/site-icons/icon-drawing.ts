// Stored form of an icon: sanitized SVG variants, as in a catalog entry. A bitmap is stored as an SVG that contains the
// pixels.
import { hash } from 'node:crypto';
import type { AccountId } from '../accounts/account.js';
import type { Variant } from '../catalog/entry.js';
import { ownVariants, uploadedVariants } from '../own-brands/own-brand.js';
import type { DrawingUploads } from '../own-brands/drawing-uploads.js';
import { STORED_SIDE } from './candidate.js';
import type { Bitmap, IconDecoder } from './icon-decoder.js';

export interface IconDrawing {
  /** Shorter side of a bitmap, px. Null for a drawing, which scales to any size. */
  readonly px: number | null;
  readonly variants: readonly [Variant, ...Variant[]];
  /** SVG texts by `etag`. A bitmap is embedded in an SVG; its smaller copies have keys of the form `{etag}@{width}`. */
  readonly texts: Readonly<Record<string, string>>;
}

export interface DrawingParts {
  readonly uploads: DrawingUploads;
  readonly decoder: IconDecoder;
}

/**
 * Maximum length of the SVG texts of all variants together, in UTF-16 units. If they are longer, only the default
 * variant is kept.
 */
const MAX_CHARS = 2 ** 20;
/** Minimum side of a bitmap, px. Smaller bitmaps are tracking pixels. */
const MIN_SIDE = 8;
/** Number of bytes at the start of an SVG file in which its root element must begin. */
const ROOT_BYTES = 4096;

/**
 * Returns undefined if the bytes are no icon. `accountId` is the account whose share of the sanitizer's queue is used.
 */
export async function drawingOfIcon(
  bytes: Buffer,
  accountId: AccountId,
  parts: DrawingParts,
): Promise<IconDrawing | undefined> {
  return isSvg(bytes) ? drawingOfSvg(bytes, accountId, parts.uploads) : drawingOfBitmap(bytes, parts.decoder);
}

function isSvg(bytes: Buffer): boolean {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const head = bytes.toString('latin1', 0, ROOT_BYTES).replaceAll('\0', '');
  return isGzip || (/^[^<]{0,8}</.test(head.trimStart()) && /<(?:\w{1,20}:)?svg[\s>]/i.test(head));
}

async function drawingOfSvg(
  bytes: Buffer,
  accountId: AccountId,
  uploads: DrawingUploads,
): Promise<IconDrawing | undefined> {
  const [sanitized] = await uploads.sanitize(accountId, [{ name: 'default', bytes }]);
  const own = sanitized?.ok === true ? uploadedVariants('default', sanitized.candidates, 'site icon') : undefined;
  if (sanitized?.ok !== true || !own) return undefined;
  const texts = new Map([...own.ids].map(([etag, id]) => [id, sanitized.texts.get(etag) ?? ''] as const));
  const [main, ...others] = ownVariants(new Map([['default', own.variants]]), null);
  if (!main) return undefined;
  const whole = withTexts([main, ...others], texts);
  return Object.values(whole.texts).join('').length <= MAX_CHARS ? whole : withTexts([main], texts);
}

function withTexts(variants: IconDrawing['variants'], texts: ReadonlyMap<string, string>): IconDrawing {
  const etags = variants.flatMap(({ etag, painted }) => [etag, ...(painted === undefined ? [] : [painted])]);
  return { px: null, variants, texts: Object.fromEntries(etags.map((etag) => [etag, texts.get(etag) ?? ''])) };
}

async function drawingOfBitmap(bytes: Buffer, decoder: IconDecoder): Promise<IconDrawing | undefined> {
  const levels = await decoder.decode(bytes, STORED_SIDE);
  const [largest, ...others] = levels ?? [];
  if (!largest || Math.min(largest.width, largest.height) < MIN_SIDE) return undefined;
  const { width, height } = largest;
  const svg = svgOf(largest, largest);
  const etag = hash('sha256', svg).slice(0, 16);
  // With `painted`, the greyscale option converts the drawn pixels of PNG and WebP pictures. Without `painted`, it
  // would convert the colors in the SVG text, but this text contains no colors.
  const variant: Variant = {
    ...{ name: 'default', width, height, colors: [], recolorable: false, on: ['light', 'dark'], etag, painted: etag },
  };
  const copies = others.map((level) => [`${etag}@${level.width}`, svgOf(level, largest)] as const);
  return { px: Math.min(width, height), variants: [variant], texts: Object.fromEntries([[etag, svg], ...copies]) };
}

/**
 * Returns an SVG that contains one of the stored sizes of a bitmap. Every such SVG has the width and height of the
 * largest size, so that all have the same geometry.
 */
function svgOf({ png }: Bitmap, { width, height }: Pick<Bitmap, 'width' | 'height'>): string {
  const data = Buffer.from(png).toString('base64');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">` +
    `<image width="${width}" height="${height}" href="data:image/png;base64,${data}"/></svg>`
  );
}

/**
 * Returns the SVG text of a variant for a picture of this side. For a bitmap, returns the smallest stored size that is
 * wide enough, because renderers skip pixels when they reduce a bitmap to less than half of its size.
 */
export function textFor({ texts, variants: [main] }: IconDrawing, etag: string, side: number): string {
  const whole = texts[etag] ?? '';
  if (etag !== main.etag) return whole;
  const widths = Object.keys(texts).flatMap((key) =>
    key.startsWith(`${etag}@`) ? Number(key.slice(etag.length + 1)) : [],
  );
  const enough = widths.filter((width) => width >= side).sort((one, other) => one - other);
  return enough[0] === undefined ? whole : (texts[`${etag}@${enough[0]}`] ?? whole);
}
