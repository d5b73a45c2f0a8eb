// Brands of an unpacked archive: drawings by slug and variant, with the facts from sidecar files. All limits are
// checked before any drawing is sanitized.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brandHex } from '../catalog/drawing.js';
import { SLUG_PATTERN, type Slug } from '../catalog/entry.js';
import { categoryOf, titleOfKey } from '../catalog/names.js';
import { readFileName, sidecarProblem, sidecarSchemaOf, slugOfFile, type Sidecar } from '../catalog/svg-files.js';
import { withFacts } from './edit-brand.js';
import {
  MAX_ALIASES,
  MAX_CATEGORIES,
  MAX_DOMAINS,
  MAX_UPLOADS,
  NO_FACTS,
  type OwnBrand,
  type OwnBrandFacts,
} from './own-brand.js';
import { decodeText } from '../platform/text/decode.js';
import { parseAnyHost } from '../platform/web/host-name.js';
import { AppError } from '../platform/errors.js';
import { failed, MAX_FILES, MAX_UNPACKED_BYTES, type ArchivedFile, type FileResult } from './archive.js';

/** Maximum number of brands that the sidecar files of an archive describe. */
export const MAX_DESCRIBED_BRANDS = MAX_FILES;
/**
 * Maximum number of drawings in an archive. Every SVG file counts. Every file name in a sidecar file also counts,
 * because many of these names may refer to one file.
 */
export const MAX_DRAWINGS = 2 * MAX_FILES;
const NO_NAME = 'the file name cannot be turned into a slug: 1 to 100 of a-z, 0-9, dots, dashes and underscores';

/** Schema of a sidecar file. Unlike in the catalog, domains may be hosts of private networks. */
const sidecarSchema = sidecarSchemaOf((text) => parseAnyHost(text) !== undefined, {
  ...{ domains: MAX_DOMAINS, aliases: MAX_ALIASES, categories: MAX_CATEGORIES, variants: MAX_UPLOADS },
});

/** Facts about a brand in the archive, and the folders that contain the brand's files. */
export interface DescribedBrand {
  readonly slug: Slug;
  readonly facts: Sidecar;
  readonly folders: readonly string[];
}

export interface ArchivedBrand extends DescribedBrand {
  /** Variant → drawing for this variant. */
  readonly drawings: Map<string, ArchivedDrawing>;
}

export interface ArchivedDrawing {
  readonly file: string;
  readonly bytes: Buffer;
}

/**
 * Returns the brands that the files describe, and one result for each unusable file. Throws AppError
 * `payload_too_large`.
 */
export async function archivedBrands(files: readonly ArchivedFile[]) {
  const brands = new Map<string, ArchivedBrand>();
  const problems: FileResult[] = [];
  const sidecars = new Map<string, PlacedSidecar>();
  const count = createCount();

  function takeFacts(file: string, key: string, value: unknown): void {
    const slug = slugOfFile(key);
    if (!SLUG_PATTERN.test(slug)) return void problems.push(failed(file, null, NO_NAME));
    const known = sidecars.get(slug);
    if (known)
      return void problems.push(failed(file, slug, `${known.file} already contains the metadata of this brand`));
    const parsed = sidecarSchema.safeParse(value);
    if (!parsed.success) return void problems.push(failed(file, slug, sidecarProblem(parsed.error)));
    count.drawings(Object.keys(parsed.data.variants ?? {}).length);
    sidecars.set(slug, { slug: slug as Slug, file, facts: parsed.data });
  }

  function takeDrawing({ path, bytes }: ArchivedFile, slug: string, variant: string): void {
    if (!SLUG_PATTERN.test(slug)) return void problems.push(failed(path, null, NO_NAME));
    const brand = brands.get(slug) ?? newBrand(slug as Slug, path);
    const twin = brand.drawings.get(variant);
    if (twin) return void problems.push(failed(path, slug, `${twin.file} already contains this drawing`));
    count.drawings(1);
    count.bytes(bytes.length);
    brand.drawings.set(variant, { file: path, bytes });
    brands.set(slug, brand);
  }

  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const { path, bytes } = file;
    const named = readFileName(path.slice(path.lastIndexOf('/') + 1));
    if (named === undefined)
      problems.push(failed(path, null, 'the file is neither an SVG nor a sidecar file (name.json or icons.json)'));
    else if ('problem' in named) problems.push(failed(path, null, named.problem));
    else if (named.kind === 'drawing') takeDrawing(file, named.slug, named.variant);
    else {
      // Lets other requests run before each sidecar file is parsed, because a file may have a megabyte.
      await nextTurn();
      const json = jsonOf(bytes);
      if (json === undefined) problems.push(failed(path, null, 'the file is not a JSON object'));
      else {
        const facts = named.kind === 'sidecar' ? [[named.slug, json] as const] : Object.entries(json);
        count.brands(facts.length);
        for (const [key, one] of facts) takeFacts(path, key, one);
      }
    }
  }
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const sidecar of sidecars.values()) problems.push(...placeSidecar(sidecar, { files: byPath, brands, count }));
  return { brands: [...brands.values()], problems };
}

/**
 * Creates counters for the contents of an archive. A counter throws AppError `payload_too_large` when its limit is
 * exceeded.
 */
function createCount() {
  const counter = (max: number, message: string) => {
    let sum = 0;
    return (more: number): void => {
      sum += more;
      if (sum > max) throw new AppError('payload_too_large', message);
    };
  };
  const mebibytes = MAX_UNPACKED_BYTES / 2 ** 20;
  return {
    brands: counter(
      MAX_DESCRIBED_BRANDS,
      `The sidecar files of the archive describe more than ${MAX_DESCRIBED_BRANDS} brands. Split the archive.`,
    ),
    drawings: counter(
      MAX_DRAWINGS,
      `The archive has more than ${MAX_DRAWINGS} drawings: SVG files, plus the names under "variants" in sidecar ` +
        'files. Split the archive.',
    ),
    bytes: counter(
      MAX_UNPACKED_BYTES,
      `The drawings of the archive are larger than ${mebibytes} MiB. A file counts each time a sidecar file ` +
        'names it. Split the archive.',
    ),
  };
}

const newBrand = (slug: Slug, path: string): ArchivedBrand => ({
  ...{ slug, facts: {}, folders: path.split('/').slice(0, -1), drawings: new Map() },
});

interface PlacedSidecar {
  readonly slug: Slug;
  readonly file: string;
  readonly facts: Sidecar;
}

interface ArchiveParts {
  readonly files: ReadonlyMap<string, ArchivedFile>;
  readonly brands: Map<string, ArchivedBrand>;
  readonly count: ReturnType<typeof createCount>;
}

/** Adds the facts and drawings of a sidecar file to its brand. Returns a result for each problem. */
function placeSidecar(
  { slug, file, facts }: PlacedSidecar,
  { files, brands, count }: ArchiveParts,
): readonly FileResult[] {
  const brand = brands.get(slug) ?? newBrand(slug, file);
  const problems: FileResult[] = [];
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  for (const [variant, name] of Object.entries(facts.variants ?? {})) {
    const found = files.get(folder + name);
    if (found) {
      count.bytes(found.bytes.length);
      brand.drawings.set(variant, { file: found.path, bytes: found.bytes });
    } else problems.push(failed(file, slug, `there is no drawing ${name}`));
  }
  if (brand.drawings.size === 0) return [...problems, failed(file, slug, `there is no drawing ${slug}.svg`)];
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

/**
 * Returns the new facts of a brand. Facts that the archive doesn't state stay as they are. The archive's folders are
 * added to the categories, up to the limit.
 */
function factsOfArchive({ slug, facts, folders }: DescribedBrand, before: OwnBrand | undefined): OwnBrandFacts {
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

/** Returns the brand with the facts from the archive, but without drawings from the archive. */
export function archiveBase(
  archived: DescribedBrand,
  before: OwnBrand | undefined,
  time: { readonly version: number; readonly at: string },
): OwnBrand {
  return withFacts(before, { slug: archived.slug, facts: factsOfArchive(archived, before) }, time);
}
