// Sidecar files of an SVG folder: facts about one icon in `name.json`, or about all icons in `icons.json`.
import { basename, dirname, extname, join } from 'node:path';
import { sidecarProblem, sidecarSchemaOf, type Sidecar } from '../svg-files.js';
import { parseHost } from '../../platform/web/host-name.js';
import { readSourceFile } from './regular-file.js';
import { unreadableReason } from './unreadable-source.js';

const MAX_SIDECAR_BYTES = 4_000_000;
const sidecarSchema = sidecarSchemaOf((text) => parseHost(text).kind === 'host', {
  domains: 100,
  aliases: 100,
  categories: 100,
  variants: 100,
});

export type { Sidecar };

interface FolderFiles {
  readonly root: string;
  /** Paths relative to `root`. */
  readonly files: readonly string[];
  /** Returns the key of an icon for a file name without its extension. */
  readonly keyOf: (name: string) => string;
  readonly hasIcon: (key: string) => boolean;
}

/**
 * Reads the sidecar files. If a field of a sidecar is wrong, the whole sidecar is reported and skipped, because using
 * only the correct fields would be surprising.
 */
export async function readSidecars({ root, files, keyOf, hasIcon }: FolderFiles) {
  const byKey = new Map<string, Sidecar>();
  /**
   * Skipped sidecars. `key` is the path of the file, relative to the folder. For a wrong icon in `icons.json`, the
   * icon's key is appended to the path.
   */
  const skipped: { readonly key: string; readonly message: string }[] = [];
  const known = new Set(files);

  function take(place: string, key: string, { value, folder }: { value: unknown; folder: string }): void {
    const skip = (message: string) => skipped.push({ key: place, message });
    const parsed = sidecarSchema.safeParse(value);
    if (!parsed.success) {
      skip(sidecarProblem(parsed.error));
      return;
    }
    const variants = Object.fromEntries(
      Object.entries(parsed.data.variants ?? {}).map(([variant, file]) => [variant, join(folder, file)]),
    );
    const missing = Object.values(variants).find((file) => !known.has(file));
    if (missing !== undefined) skip(`there is no drawing ${missing}`);
    else if (!hasIcon(key) && Object.keys(variants).length === 0) skip(`there is no drawing ${key}.svg`);
    else if (byKey.has(key)) skip(`there is another sidecar file for ${key}`);
    else byKey.set(key, { ...parsed.data, variants });
  }

  for (const file of [...files].filter((name) => extname(name).toLowerCase() === '.json').sort()) {
    const value = await readJson(root, file);
    if ('problem' in value) skipped.push({ key: file, message: value.problem });
    else if (basename(file).toLowerCase() !== 'icons.json')
      take(file, keyOf(basename(file, extname(file))), { value: value.json, folder: dirname(file) });
    else if (value.json === null || typeof value.json !== 'object' || Array.isArray(value.json))
      skipped.push({ key: file, message: 'the file is not an object with sidecars by name' });
    else
      for (const [key, one] of Object.entries(value.json))
        take(`${file}: ${key}`, keyOf(key), { value: one, folder: dirname(file) });
  }
  return { byKey, skipped };
}

async function readJson(
  root: string,
  file: string,
): Promise<{ readonly json: unknown } | { readonly problem: string }> {
  const read = await readSourceFile(join(root, file), { root, maxBytes: MAX_SIDECAR_BYTES });
  if (!('bytes' in read)) return { problem: read.message };
  try {
    return { json: JSON.parse(read.bytes.toString('utf8')) as unknown };
  } catch (error) {
    return { problem: unreadableReason(error) };
  }
}
