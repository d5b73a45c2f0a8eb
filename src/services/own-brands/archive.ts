// Own brands from a ZIP archive: SVG files with the sidecars of a folder import, all in one change.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { unzipSync } from 'fflate';
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
/** Unpacked in one turn. */
const FILES_AT_ONCE = 4;

/** The hosts may be those of a private network. */
const sidecarSchema = sidecarSchemaOf((text) => parseAnyHost(text) !== undefined, {
  ...{ domains: MAX_DOMAINS, aliases: MAX_ALIASES, categories: MAX_CATEGORIES },
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
export async function unpacked(archive: Uint8Array): Promise<readonly (ArchivedFile | FileResult)[]> {
  const found: { readonly name: string; readonly size: number }[] = [];
  const list = (names?: ReadonlySet<string>) => {
    try {
      return unzipSync(archive, {
        filter({ name, originalSize }) {
          if (names) return names.has(name);
          found.push({ name, size: originalSize });
          return false;
        },
      });
    } catch (error) {
      throw invalidField('body', `is no ZIP archive that can be read: ${messageOf(error)}`, 'a ZIP archive');
    }
  };
  list();
  const files = found.filter(({ name }) => !name.endsWith('/') && !/(^|\/)(__MACOSX\/|\.)/.test(name));
  if (files.length > MAX_FILES)
    throw new AppError('payload_too_large', `The archive has more than ${MAX_FILES} files.`);
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_UNPACKED_BYTES)
    throw new AppError('payload_too_large', `The archive unpacks to more than ${MAX_UNPACKED_BYTES / 2 ** 20} MiB.`);
  const large = files.filter(({ size }) => size > MAX_FILE_BYTES);
  const small = files.filter(({ size }) => size <= MAX_FILE_BYTES);
  const results: (ArchivedFile | FileResult)[] = large.map(({ name }) => failed(name, null, 'it is larger than 1 MiB'));
  for (let at = 0; at < small.length; at += FILES_AT_ONCE) {
    const contents = list(new Set(small.slice(at, at + FILES_AT_ONCE).map(({ name }) => name)));
    for (const [path, bytes] of Object.entries(contents)) results.push({ path, bytes: Buffer.from(bytes) });
    await nextTurn();
  }
  return results;
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
  const takeFacts = (file: string, slug: string, value: unknown): void => {
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
      else if (named.kind === 'sidecar') takeFacts(path, named.slug, json);
      else for (const [key, one] of Object.entries(json)) takeFacts(path, slugOfFile(key), one);
    } else if (!SLUG_PATTERN.test(named.slug))
      problems.push(failed(path, null, 'its name is longer than 100 characters'));
    else {
      const { drawings } = brandOf(named.slug, folders);
      const twin = drawings.get(named.variant);
      if (twin) problems.push(failed(path, named.slug, `${twin.file} is this drawing already`));
      else drawings.set(named.variant, { file: path, bytes });
    }
  }
  for (const [slug, { file, facts }] of sidecars) problems.push(...placeSidecar({ slug, file, facts }, files, brands));
  return { brands: [...brands.values()], problems };
}

interface PlacedSidecar {
  readonly slug: string;
  readonly file: string;
  readonly facts: Sidecar;
}

/** Adds its facts, and the drawings that it names, to the brand. */
function placeSidecar(
  { slug, file, facts }: PlacedSidecar,
  files: readonly ArchivedFile[],
  brands: Map<string, ArchivedBrand>,
): readonly FileResult[] {
  const folders = file.split('/').slice(0, -1);
  const brand = brands.get(slug) ?? { slug: slug as Slug, facts, folders, drawings: new Map() };
  const problems: FileResult[] = [];
  for (const [variant, name] of Object.entries(facts.variants ?? {})) {
    const path = [...folders, name].join('/');
    const found = files.find((one) => one.path === path);
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
