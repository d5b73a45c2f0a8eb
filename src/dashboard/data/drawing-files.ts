// Reads SVG files that the user has chosen, and lets the service sanitize them.
import { send } from '../api/transport.js';
import { queryText, sendSignedIn } from './call.js';

export interface DrawingFile {
  readonly id: number;
  readonly name: string;
  /** The bytes that are uploaded. */
  readonly bytes: Blob;
  /**
   * The file in a form for `<img>` elements, in which browsers run no scripts. A .svgz file is unzipped, because
   * browsers don't unzip it there.
   */
  readonly shown: Blob;
}

/** The drawing that the service would store. */
export interface SanitizedDrawing {
  readonly svg: Blob;
  /** Colors, the most frequent first. */
  readonly colors: readonly string[];
}

export const SVG_FILES = '.svg,.svgz,image/svg+xml';
/** Path of the guide about accepted and rejected drawings. */
export const DRAWINGS_PAGE = '/docs/guides/drawings';

const MAX_BYTES = 2 ** 20;
const MAX_COLORS = 8;
const SVG_TYPE = { type: 'image/svg+xml' };

let lastId = 0;

/** Rejects with an Error with a readable message. */
export async function readDrawing(file: File): Promise<DrawingFile> {
  if (!/\.svgz?$/i.test(file.name)) throw new Error('Not an SVG. Export the logo as SVG: a bitmap cannot be scaled.');
  if (file.size > MAX_BYTES) throw new Error('Larger than 1 MiB. Simplify the drawing, or run it through an SVG optimizer.');
  const bytes = await file.arrayBuffer();
  lastId += 1;
  const shown = isGzip(bytes) ? await unzipped(bytes) : bytes;
  return { id: lastId, name: file.name, bytes: new Blob([bytes], SVG_TYPE), shown: new Blob([shown], SVG_TYPE) };
}

/** Returns true if the SVG contains no bitmap. The SVG must come from this service. */
export async function isDrawing(svg: Blob): Promise<boolean> {
  return !(await svg.text()).includes('<image');
}

/** Returns the icon of a website as a file, or undefined if there is none or if it is a bitmap. */
export async function siteIconFile(host: string): Promise<File | undefined> {
  const query = queryText({ format: 'svg', fallback: 'site' });
  const answer = await send(`/dashboard/logo/${encodeURIComponent(host)}${query}`).catch(() => undefined);
  const svg = await answer?.blob();
  return svg && (await isDrawing(svg)) ? new File([svg], `${host}.svg`) : undefined;
}

const isGzip = (bytes: ArrayBuffer): boolean => new DataView(bytes).byteLength > 2 && new DataView(bytes).getUint16(0) === 0x1f8b;

/**
 * Unzips at most `MAX_BYTES`. Returns an empty file for larger and damaged files, so that the service reports the
 * problem.
 */
async function unzipped(bytes: ArrayBuffer): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
    while (size <= MAX_BYTES) {
      const { done, value } = await reader.read();
      if (done) return new Blob(chunks);
      chunks.push(value);
      size += value.length;
    }
    await reader.cancel();
  } catch {
    // The file is damaged.
  }
  return new Blob();
}

let earlier: Promise<unknown> = Promise.resolve();

/**
 * Sends one file at a time, because the service checks one file per account at a time. Throws ApiError and
 * UnreachableError.
 */
export function sanitizedDrawing(bytes: Blob): Promise<SanitizedDrawing> {
  const own = earlier.then(async () => {
    const answer = await sendSignedIn('/v1/drawings', { method: 'POST', content: bytes });
    const svg = await answer.text();
    return { svg: new Blob([svg], SVG_TYPE), colors: colorsIn(svg) };
  });
  earlier = own.catch(() => undefined);
  return own;
}

function colorsIn(svg: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const [color] of svg.matchAll(/#[0-9a-f]{6}\b|#[0-9a-f]{3}\b/gi)) {
    const [, ...digits] = color.toUpperCase();
    const full = `#${digits.length === 3 ? digits.map((digit) => digit + digit).join('') : digits.join('')}`;
    counts.set(full, (counts.get(full) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_COLORS)
    .map(([color]) => color);
}
