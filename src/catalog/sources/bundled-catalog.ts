// Bundled catalog: the files of a release that contain its catalog in imported form. Each file contains compressed
// lines of JSON. The hash of a file is checked before the file is used.
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { z } from 'zod';
import { etagsOf, type Candidate } from '../import/candidate.js';
import type { Entry, Slug } from '../entry.js';
import { AppError } from '../../platform/errors.js';
import type { PreparedSources } from '../import/catalog-sources.js';
import type { BundleFacts, CatalogSource, CatalogStore, StoredDrawing } from '../catalog-store.js';

/** Version of the file format. Increase it after a change that older releases can't read. */
const FORMAT = 1;
const FILES = ['drawings', 'candidates', 'entries', 'redirects'] as const;
type FileName = (typeof FILES)[number];
const BATCH_LINES = 500;
/**
 * Brotli quality. Packing with quality 11 takes half a minute. Quality 10 takes a third of that, and the files are 5 %
 * larger.
 */
const QUALITY = 10;
/** Maximum size of the text of one file, so that a damaged file can't fill the memory. */
const MAX_BYTES = 512_000_000;

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  builtAt: z.iso.datetime(),
  sources: z.array(z.custom<CatalogSource>((value) => typeof value === 'object' && value !== null && 'id' in value)),
  merge: z.object({ policyDigest: z.string(), sharing: z.number() }),
  files: z.record(z.enum(FILES), z.object({ lines: z.number(), sha256: z.string() })),
});
type Manifest = z.output<typeof manifestSchema>;

type Redirect = readonly [from: Slug, to: Slug];

export type BundledCatalog = ReturnType<typeof openBundle>;

/**
 * Writes the store's sources, their candidates (icons before the merge), the drawings and the merged entries to a
 * folder. Rejects with AppError `unavailable` while an import runs.
 */
export async function writeBundle(
  folder: string,
  store: CatalogStore,
  { version, builtAt, merge }: Pick<Manifest, 'version' | 'builtAt' | 'merge'>,
): Promise<void> {
  const session = await store.beginImport();
  if (session === undefined) throw new AppError('unavailable', 'An import is running. Try again when it has finished.');
  const lines: Record<FileName, unknown[]> = { drawings: [], candidates: [], entries: [], redirects: [] };
  const etags = new Set<string>();
  const sources = await session.sources();
  for (const { id } of sources)
    for await (const candidate of session.candidates(id)) {
      lines.candidates.push([id, candidate]);
      for (const etag of etagsOf(candidate)) etags.add(etag);
    }
  await session.close();
  for (const etag of etags) lines.drawings.push([etag, await store.drawing(etag)]);
  for await (const entry of store.entries()) lines.entries.push(entry);
  lines.redirects.push(...(await store.redirects()));
  mkdirSync(folder, { recursive: true });
  const facts = { version, builtAt, sources: sources.map(({ id }) => id) };
  const manifest: Manifest = {
    format: FORMAT,
    ...{ version, builtAt, merge },
    sources: sources.map((source) => ({ ...source, bundle: facts })),
    files: Object.fromEntries(FILES.map((name) => [name, writeLines(folder, name, lines[name])])) as Manifest['files'],
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
}

function writeLines(folder: string, name: FileName, lines: readonly unknown[]): Manifest['files'][FileName] {
  const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const bytes = brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
  writeFileSync(pathOf(folder, name), bytes);
  return { lines: lines.length, sha256: hash('sha256', bytes) };
}

function pathOf(folder: string, name: FileName): string {
  return join(folder, `${name}.jsonl.br`);
}

/** Throws AppError `invalid_request` if the bundled catalog cannot be used. */
export function openBundle(folder: string) {
  const { version, builtAt, sources, merge, files } = readManifest(folder);
  const facts: BundleFacts = { version, builtAt, sources: sources.map(({ id }) => id) };

  function checked(name: FileName): Buffer {
    const bytes = readOrThrowDamaged(folder, () => readFileSync(pathOf(folder, name)));
    if (hash('sha256', bytes) !== files[name].sha256) throw damaged(folder, `${name}.jsonl.br was modified`);
    return bytes;
  }

  function* read<Line>(name: FileName, bytes = checked(name)): Iterable<Line> {
    const text = readOrThrowDamaged(folder, () => brotliDecompressSync(bytes, { maxOutputLength: MAX_BYTES }));
    for (let from = 0, to = text.indexOf('\n'); to !== -1; from = to + 1, to = text.indexOf('\n', from))
      yield JSON.parse(text.toString('utf8', from, to)) as Line;
  }

  return {
    facts,
    /**
     * Prepares all sources, or only the sources with these ids. Checks all files first, so that an import with a
     * damaged file writes nothing.
     */
    prepared(ids: readonly string[] = facts.sources): PreparedSources {
      const isWhole = sources.every(({ id }) => ids.includes(id));
      const [drawings, candidates] = [checked('drawings'), checked('candidates')];
      const [entries, redirects] = [checked('entries'), checked('redirects')];
      return {
        prepared: sources.filter(({ id }) => ids.includes(id)),
        size: files.candidates.lines,
        ...(isWhole && {
          merged: {
            ...merge,
            entries: () => read<Entry>('entries', entries),
            redirects: () => read<Redirect>('redirects', redirects),
          },
        }),
        *drawings() {
          for (const lines of batches(read<readonly [string, string]>('drawings', drawings)))
            yield lines.map(([etag, svg]): StoredDrawing => ({ etag, svg }));
        },
        *candidates() {
          for (const lines of batches(read<readonly [string, Candidate]>('candidates', candidates))) {
            for (const id of new Set(lines.map(([source]) => source)))
              if (ids.includes(id))
                yield [id, lines.filter(([source]) => source === id).map(([, candidate]) => candidate)];
          }
        },
      };
    },
    entries: () => read<Entry>('entries'),
    redirects: () => read<Redirect>('redirects'),
    /** Returns drawings by etag: all drawings, or only the drawings in `etags`. Omits missing drawings. */
    drawingsOf(etags?: ReadonlySet<string>): ReadonlyMap<string, string> {
      const found = new Map<string, string>();
      for (const [etag, svg] of read<readonly [string, string]>('drawings'))
        if (etags?.has(etag) ?? true) found.set(etag, svg);
      return found;
    },
  };
}

function* batches<Line>(lines: Iterable<Line>): Iterable<readonly Line[]> {
  let batch: Line[] = [];
  for (const line of lines) {
    batch.push(line);
    if (batch.length < BATCH_LINES) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

function readManifest(folder: string): Manifest {
  const parsed = manifestSchema.safeParse(
    readOrThrowDamaged(folder, () => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as unknown),
  );
  if (!parsed.success) throw damaged(folder, 'manifest.json has unexpected fields');
  return parsed.data;
}

function readOrThrowDamaged<Result>(folder: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw damaged(folder, error instanceof Error ? error.message : String(error));
  }
}

function damaged(folder: string, finding: string): AppError {
  return new AppError(
    'invalid_request',
    `The bundled catalog in ${folder} is damaged (${finding}). Install this release again.`,
  );
}
