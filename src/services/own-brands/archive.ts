// Own brands from a ZIP archive: SVG files with the sidecars of a folder import, all in one change.
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { brandHex } from '../../domain/catalog/drawing.js';
import { SLUG_PATTERN, type Slug } from '../../domain/catalog/entry.js';
import { categoryOf, titleOfKey } from '../../domain/catalog/names.js';
import {
  readFileName,
  sidecarProblem,
  sidecarSchemaOf,
  slugOfFile,
  type Sidecar,
} from '../../domain/catalog/svg-files.js';
import { withFacts } from '../../domain/own-brands/edit-brand.js';
import {
  MAX_ALIASES,
  MAX_CATEGORIES,
  MAX_DOMAINS,
  MAX_UPLOADS,
  NO_FACTS,
  type OwnBrand,
  type OwnBrandFacts,
} from '../../domain/own-brands/own-brand.js';
import { decodeText } from '../../domain/text/decode.js';
import { parseAnyHost } from '../../domain/web/host-name.js';
import { AppError, invalidField, messageOf } from '../../errors.js';
import type { SanitizedDrawing } from './drawing-uploads.js';

export const MAX_ARCHIVE_BYTES = 32 * 2 ** 20;
const MAX_FILES = 1000;
const MAX_UNPACKED_BYTES = 128 * 2 ** 20;
const MAX_FILE_BYTES = 2 ** 20;
/** With folders, and what systems add. */
const MAX_ENTRIES = 4 * MAX_FILES;
/** Sidecars may name files that are drawings by their own name, too. */
const MAX_DRAWINGS = 2 * MAX_FILES;
/** Folders, and files that systems add or hide. */
const IGNORED = /\/$|(^|\/)(__MACOSX\/|\.)/;
const TWICE = 'a file of this name is in the archive before it';
const NO_NAME = 'no slug can be made of its name: 1 to 100 of a-z, 0-9, dots, dashes and underscores';

/** The hosts may be those of a private network. */
const sidecarSchema = sidecarSchemaOf((text) => parseAnyHost(text) !== undefined, {
  ...{ domains: MAX_DOMAINS, aliases: MAX_ALIASES, categories: MAX_CATEGORIES, variants: MAX_UPLOADS },
});

export interface FileResult {
  readonly file: string;
  readonly slug: string | null;
  /** 201 new, 200 put or equal, 422 not taken. */
  readonly status: 200 | 201 | 422;
  readonly message?: string;
}

export interface ArchivedFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Throws AppError `invalid_request` for what is no ZIP archive, and `payload_too_large`. */
export async function unpacked(archive: Buffer): Promise<readonly (ArchivedFile | FileResult)[]> {
  const zip = await readable(fromBufferPromise(archive));
  if (zip.entryCount > MAX_ENTRIES)
    throw new AppError('payload_too_large', `The archive has more than ${MAX_ENTRIES} entries.`);
  const entries: Entry[] = [];
  await readable(
    (async () => {
      for await (const entry of zip.eachEntry()) if (!IGNORED.test(entry.fileName)) entries.push(entry);
    })(),
  );
  if (entries.length > MAX_FILES)
    throw new AppError('payload_too_large', `The archive has more than ${MAX_FILES} files.`);
  if (entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) > MAX_UNPACKED_BYTES)
    throw new AppError('payload_too_large', `The archive unpacks to more than ${MAX_UNPACKED_BYTES / 2 ** 20} MiB.`);
  const results: (ArchivedFile | FileResult)[] = [];
  const paths = new Set<string>();
  for (const entry of entries) {
    results.push(paths.has(entry.fileName) ? failed(entry.fileName, null, TWICE) : await fileOf(zip, entry));
    paths.add(entry.fileName);
  }
  return results;
}

async function readable<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    throw invalidField('body', `is no ZIP archive that can be read: ${messageOf(error)}`, 'a ZIP archive');
  }
}

/** Unpacked outside of the event loop, and no further than to the size that the archive states. */
async function fileOf(zip: ZipFile, entry: Entry): Promise<ArchivedFile | FileResult> {
  const { fileName: path, uncompressedSize } = entry;
  if (uncompressedSize > MAX_FILE_BYTES) return failed(path, null, 'it is larger than 1 MiB');
  try {
    return { path, bytes: await buffer(await zip.openReadStreamPromise(entry)) };
  } catch (error) {
    return failed(path, null, `it cannot be unpacked: ${messageOf(error)}`);
  }
}

export const failed = (file: string, slug: string | null, message: string): FileResult => ({
  ...{ file, slug, status: 422, message },
});

/** A brand as the archive has it. */
export interface ArchivedBrand {
  readonly slug: Slug;
  readonly facts: Sidecar;
  readonly folders: readonly string[];
  /** By variant. */
  readonly drawings: Map<
    string,
    { readonly file: string; readonly bytes: Buffer; sanitized?: SanitizedDrawing | undefined }
  >;
}

/** Brands by their files, and results of files that find no place. */
export function archivedBrands(files: readonly ArchivedFile[]) {
  const brands = new Map<string, ArchivedBrand>();
  const problems: FileResult[] = [];
  const sidecars = new Map<string, { readonly file: string; readonly facts: Sidecar }>();
  const brandOf = (slug: string, folders: readonly string[]): ArchivedBrand => {
    const known = brands.get(slug) ?? { slug: slug as Slug, facts: {}, folders, drawings: new Map() };
    brands.set(slug, known);
    return known;
  };
  let stated = 0;
  const takeFacts = (file: string, slug: string, value: unknown): void => {
    if (!SLUG_PATTERN.test(slug)) return void problems.push(failed(file, null, NO_NAME));
    const parsed = sidecarSchema.safeParse(value);
    if (parsed.success) sidecars.set(slug, { file, facts: parsed.data });
    else problems.push(failed(file, slug, sidecarProblem(parsed.error)));
  };
  for (const { path, bytes } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const folders = path.split('/');
    const named = readFileName(folders.pop() ?? '');
    if (named === undefined) problems.push(failed(path, null, 'it is neither an SVG nor a sidecar'));
    else if ('problem' in named) problems.push(failed(path, null, named.problem));
    else if (named.kind !== 'drawing') {
      const json = jsonOf(bytes);
      if (json === undefined) problems.push(failed(path, null, 'it is no JSON object'));
      else {
        const facts = named.kind === 'sidecar' ? [[named.slug, json] as const] : Object.entries(json);
        stated += facts.length;
        if (stated > MAX_FILES)
          problems.push(failed(path, null, `the archive has facts of more than ${MAX_FILES} brands`));
        else for (const [key, one] of facts) takeFacts(path, slugOfFile(key), one);
      }
    } else if (!SLUG_PATTERN.test(named.slug)) problems.push(failed(path, null, NO_NAME));
    else {
      const { drawings } = brandOf(named.slug, folders);
      const twin = drawings.get(named.variant);
      if (twin) problems.push(failed(path, named.slug, `${twin.file} is this drawing already`));
      else drawings.set(named.variant, { file: path, bytes });
    }
  }
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const [slug, { file, facts }] of sidecars) problems.push(...placeSidecar({ slug, file, facts }, byPath, brands));
  problems.push(...takeOutTooMany(brands.values()));
  return { brands: [...brands.values()], problems };
}

/** One file may be many drawings. */
function takeOutTooMany(brands: Iterable<ArchivedBrand>): readonly FileResult[] {
  const problems: FileResult[] = [];
  let [count, bytes] = [0, 0];
  for (const { slug, drawings } of brands)
    for (const [variant, drawing] of drawings) {
      [count, bytes] = [count + 1, bytes + drawing.bytes.length];
      if (count <= MAX_DRAWINGS && bytes <= MAX_UNPACKED_BYTES) continue;
      drawings.delete(variant);
      problems.push(failed(drawing.file, slug, `the archive has more than ${MAX_DRAWINGS} drawings, or 128 MiB`));
    }
  return problems;
}

interface PlacedSidecar {
  readonly slug: string;
  readonly file: string;
  readonly facts: Sidecar;
}

/** Adds its facts, and the drawings that it names, to the brand. */
function placeSidecar(
  { slug, file, facts }: PlacedSidecar,
  files: ReadonlyMap<string, ArchivedFile>,
  brands: Map<string, ArchivedBrand>,
): readonly FileResult[] {
  const folders = file.split('/').slice(0, -1);
  const brand = brands.get(slug) ?? { slug: slug as Slug, facts, folders, drawings: new Map() };
  const problems: FileResult[] = [];
  for (const [variant, name] of Object.entries(facts.variants ?? {})) {
    const path = [...folders, name].join('/');
    const found = files.get(path);
    if (found) brand.drawings.set(variant, { file: path, bytes: found.bytes });
    else problems.push(failed(file, slug, `there is no picture ${name}`));
  }
  if (brand.drawings.size === 0) return [...problems, failed(file, slug, `there is no picture ${slug}.svg`)];
  brands.set(slug, { ...brand, facts });
  return problems;
}

function jsonOf(bytes: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(decodeText(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

/** Those of the archive; what it does not say stays as it was. Folders fill what room its own categories leave. */
function factsOfArchive({ slug, facts, folders }: ArchivedBrand, before: OwnBrand | undefined): OwnBrandFacts {
  const { title, hex, domains, aliases, categories = [] } = facts;
  const stated = unique([...categories, ...folders].map(categoryOf).filter(Boolean)).slice(0, MAX_CATEGORIES);
  const was = before ?? { ...NO_FACTS, title: titleOfKey(slug) };
  return {
    title: title ?? was.title,
    hex: hex === undefined ? was.hex : (brandHex(hex) ?? null),
    domains: domains ? unique(domains.flatMap((text) => parseAnyHost(text) ?? [])) : was.domains,
    aliases: aliases ? unique(aliases) : was.aliases,
    categories: stated.length > 0 ? stated.sort() : was.categories,
    guidelines: was.guidelines,
    links: was.links,
  };
}

export interface ArchiveOutcome {
  /** False: `atomic`, and some file was not taken. */
  readonly applied: boolean;
  readonly results: readonly FileResult[];
}

/** A brand of the archive, with its facts, before its drawings are put. */
export function archiveBase(
  archived: ArchivedBrand,
  before: OwnBrand | undefined,
  time: { readonly version: number; readonly at: string },
): OwnBrand {
  return withFacts(before, { slug: archived.slug, facts: factsOfArchive(archived, before) }, time);
}
