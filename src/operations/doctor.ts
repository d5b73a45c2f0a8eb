// Checks of a deployment's disk, permissions and catalog, for the command `doctor`. The checks of databases are in
// inspect-embedded.ts and inspect-cluster.ts.
import { failure, ok, warning, type Finding } from '../platform/doctor-finding.js';
import type { Feature } from '../platform/feature.js';
import type { RecordParts } from '../platform/stores/feature-stores.js';
import type { CatalogStore } from '../catalog/catalog-store.js';

const MEGABYTE = 2 ** 20;
/** Minimum free space on the disk, bytes. With less free space, the database may soon run out of space. */
const LEAST_FREE_BYTES = 1024 * MEGABYTE;

/** `freeBytes`: free bytes on the disk of `dataDir`; undefined if unknown. */
export function diskFinding(dataDir: string, freeBytes: number | undefined): Finding {
  if (freeBytes === undefined)
    return failure(
      'disk',
      `The folder ${dataDir} cannot be read.`,
      'Correct DATA_DIR, or create the folder and make it writable for the operating system user that runs the service.',
    );
  const free = `${Math.floor(freeBytes / MEGABYTE)} MB are free on the disk of ${dataDir}.`;
  if (freeBytes >= LEAST_FREE_BYTES) return ok('disk', free);
  return warning('disk', free, 'Free at least 1 GB, or reduce RENDER_DISK_CACHE_MB.');
}

/** Isolation of the worker processes that draw and sanitize. */
export interface WorkerFence {
  readonly holds: readonly string[];
  /** Missing protections, each with its reason. */
  readonly lacks: readonly string[];
  /** True if the workers run in separate namespaces, in which not even native code can read the data folder. */
  readonly hasNamespaces: boolean;
}

export function fenceFinding({ holds, lacks, hasNamespaces }: WorkerFence): Finding {
  const message = [
    holds.length > 0 ? `Worker processes have ${holds.join('; ')}.` : 'Worker processes are not sandboxed.',
    ...(lacks.length > 0 ? [`Missing: ${lacks.join('; ')}.`] : []),
  ].join(' ');
  if (hasNamespaces) return ok('worker sandbox', message);
  return warning('worker sandbox', message, 'See SECURITY.md, "The sandbox of worker processes".');
}

/** `uid`: user id of the service; undefined on systems without user ids. */
export function userFinding(uid: number | undefined): Finding[] {
  if (uid === undefined) return [];
  if (uid !== 0) return [ok('user', `The files of the service belong to user ID ${uid}, not to root.`)];
  return [
    warning(
      'user',
      'The service runs as root: a malicious drawing that takes over a worker process can read the files of root.',
      'Run the service as a dedicated user, and make that user the owner of DATA_DIR with chown -R.',
    ),
  ];
}

/** File or folder with secrets or personal data. */
export interface FileMode {
  readonly path: string;
  readonly mode: number;
}

const OTHERS = 0o077;
const ENTER = 0o011;

/**
 * `folder`: DATA_DIR; undefined if it does not exist yet. The service will create it so that only the service's user
 * has access.
 */
export function modesFinding(folder: FileMode | undefined, files: readonly FileMode[]): Finding {
  const check = 'DATA_DIR';
  if (!folder)
    return ok(check, 'The folder does not exist yet. The service creates it with access for its own user only.');
  // Other users cannot reach the files in a private folder, even if the files' permissions would allow it.
  if ((folder.mode & OTHERS) === 0)
    return ok(check, 'Only the operating system user that runs the service has access.');
  const open = [folder, ...files].filter(({ mode }) => (mode & OTHERS) !== 0);
  const [first = folder] = open;
  const more = open.length === 1 ? '' : ` and ${open.length - 1} more`;
  const message = `Other users have access to ${first.path} (mode ${first.mode.toString(8)})${more}.`;
  const advice = `chmod -R go= '${folder.path.replaceAll("'", String.raw`'\''`)}'`;
  const isReachable = (folder.mode & ENTER) !== 0 && open.some((one) => one !== folder);
  return isReachable ? failure(check, message, advice) : warning(check, message, advice);
}

export async function catalogFinding(catalog: CatalogStore): Promise<Finding> {
  const state = await catalog.state();
  if (state === undefined)
    return failure(
      'catalog',
      'The catalog is empty: nothing was imported.',
      'Start the service, or run npm run catalog -- import',
    );
  return ok('catalog', `${state.entries} entries, imported ${state.publishedAt.slice(0, 10)}.`);
}

export async function storedFindings(
  features: readonly Feature[],
  parts: Pick<RecordParts, 'table'>,
): Promise<readonly Finding[]> {
  const found = features.map(async (feature) => (await feature.doctor?.())?.stored?.(parts) ?? []);
  return (await Promise.all(found)).flat();
}
