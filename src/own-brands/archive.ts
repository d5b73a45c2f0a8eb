// Unpacks a ZIP archive of own brands, within limits.
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { MAX_WRITTEN_NAME } from '../catalog/names.js';
import { AppError, invalidField, messageOf, shortened, type ErrorDetail } from '../platform/errors.js';

export const MAX_ARCHIVE_BYTES = 32 * 2 ** 20;
export const MAX_FILES = 1000;
export const MAX_UNPACKED_BYTES = 128 * 2 ** 20;
const MAX_FILE_BYTES = 2 ** 20;
/** Maximum length of a path, including folders. */
export const MAX_PATH_CHARACTERS = MAX_WRITTEN_NAME;
/** Maximum number of archive entries, including folders and files that operating systems add. */
const MAX_ENTRIES = 4 * MAX_FILES;
/** Matches paths that are ignored: folders, hidden files and files that operating systems add. */
const IGNORED = /\/$|(^|\/)(__MACOSX\/|\.)/;
const TWICE = 'the archive contains another file with this name';
/** Maximum length of a message. Messages may quote parts of files. */
export const MAX_MESSAGE_CHARACTERS = 500;

export interface FileResult {
  readonly file: string;
  readonly slug: string | null;
  /**
   * HTTP status of the file: 201 for a new drawing, 200 for a replaced or unchanged drawing, 422 for a rejected file.
   */
  readonly status: 200 | 201 | 422;
  readonly message?: string;
  readonly details?: readonly ErrorDetail[];
}

export interface ArchivedFile {
  readonly path: string;
  readonly bytes: Buffer;
}

export type UnpackingMemory = ReturnType<typeof createUnpackingMemory>;

/** Creates a limit for the memory of all archives that are unpacked at the same time. */
export function createUnpackingMemory(maxBytes: number) {
  let freeBytes = maxBytes;
  return {
    /**
     * Reserves this number of bytes, and returns a function that releases them. Throws AppError `busy` if the limit
     * would be exceeded.
     */
    take(bytes: number): () => void {
      if (bytes > freeBytes)
        throw new AppError(
          'busy',
          'Other archives are being processed, and this one is too large to be processed at the same time. Try ' +
            'again later.',
        );
      freeBytes -= bytes;
      return () => {
        freeBytes += bytes;
      };
    },
  };
}

/**
 * Unpacks the files of a ZIP archive. Calls `onSize` with the total unpacked size first. Throws AppError
 * `payload_too_large` if the archive exceeds a limit. Throws AppError `invalid_request` if `archive` is not a ZIP
 * archive. Errors of `onSize` are thrown unchanged.
 */
export async function unpacked(
  archive: Buffer,
  onSize: (bytes: number) => void = () => undefined,
): Promise<readonly (ArchivedFile | FileResult)[]> {
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
  const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (bytes > MAX_UNPACKED_BYTES)
    throw new AppError('payload_too_large', `The archive unpacks to more than ${MAX_UNPACKED_BYTES / 2 ** 20} MiB.`);
  onSize(bytes);
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
    throw invalidField('body', `is not a readable ZIP archive: ${messageOf(error)}`, 'a ZIP archive');
  }
}

/** Unpacks a file in the thread pool. Returns a failed result if the file is larger than the archive states. */
async function fileOf(zip: ZipFile, entry: Entry): Promise<ArchivedFile | FileResult> {
  const { fileName: path, uncompressedSize } = entry;
  if (path.length > MAX_PATH_CHARACTERS)
    return failed(path, null, `the path is longer than ${MAX_PATH_CHARACTERS} characters`);
  if (uncompressedSize > MAX_FILE_BYTES) return failed(path, null, 'the file is larger than 1 MiB');
  try {
    const bytes = await buffer(await zip.openReadStreamPromise(entry));
    if (crc32(bytes) === entry.crc32) return { path, bytes };
    return failed(path, null, 'the file is damaged: its content does not match the CRC-32 that the archive states');
  } catch (error) {
    return failed(path, null, `the file cannot be unpacked: ${messageOf(error)}`);
  }
}

/**
 * Returns the result of a rejected file. Shortens the name and the message, so that a request can't cause an answer of
 * unlimited length.
 */
export const failed = (file: string, slug: string | null, message: string): FileResult => ({
  ...{ file: shortened(file, MAX_PATH_CHARACTERS), slug, status: 422 },
  message: shortened(message, MAX_MESSAGE_CHARACTERS),
});
