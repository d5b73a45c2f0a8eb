// Doctor: checks of a deployment's disk and catalog. The stores are checked by their own family.
import { failure, ok, warning, type Finding } from '../platform/doctor-finding.js';
import type { Feature } from '../platform/feature.js';
import type { RecordParts } from '../platform/stores/feature-stores.js';
import type { CatalogStore } from '../catalog/catalog-store.js';

const MEGABYTE = 2 ** 20;
/** Below this the embedded database may soon be unable to grow. */
const LEAST_FREE_BYTES = 1024 * MEGABYTE;

/** `freeBytes`: on the disk of this folder; undefined when it cannot be found out. */
export function diskFinding(dataDir: string, freeBytes: number | undefined): Finding {
  if (freeBytes === undefined)
    return failure(
      'disk',
      `The folder ${dataDir} cannot be read.`,
      'Correct DATA_DIR, or create it and let the user of the service write there.',
    );
  const free = `${Math.floor(freeBytes / MEGABYTE)} MB are free where ${dataDir} is.`;
  if (freeBytes >= LEAST_FREE_BYTES) return ok('disk', free);
  return warning('disk', free, 'Free at least 1 GB, or lower RENDER_DISK_CACHE_MB.');
}

/** Fence around the processes that draw and sanitize, on this machine. */
export interface WorkerFence {
  readonly holds: readonly string[];
  /** With the reason. */
  readonly lacks: readonly string[];
  /** True when native code cannot read the data folder either. */
  readonly hasNamespaces: boolean;
}

export function fenceFinding({ holds, lacks, hasNamespaces }: WorkerFence): Finding {
  const message = [
    holds.length > 0 ? `Processes that draw have ${holds.join('; ')}.` : 'Processes that draw have none.',
    ...(lacks.length > 0 ? [`Missing: ${lacks.join('; ')}.`] : []),
  ].join(' ');
  if (hasNamespaces) return ok('worker fence', message);
  return warning('worker fence', message, 'See SECURITY.md, "The fence around worker processes".');
}

/** User id of the service; undefined where the system has none. */
export function userFinding(uid: number | undefined): Finding[] {
  if (uid === undefined) return [];
  if (uid !== 0) return [ok('user', `The service's files belong to user id ${uid}, not to root.`)];
  return [
    warning(
      'user',
      'The service runs as root, so a drawing that takes over a worker process reads the files of root.',
      'Run the service as a dedicated user, and give DATA_DIR to that user with chown -R.',
    ),
  ];
}

/** A file or folder with secrets or personal data. */
export interface FileMode {
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
}

const OTHERS = 0o077;
const ENTER = 0o011;

/** `folder` is undefined where there is none yet: the service makes one for its user only. */
export function modesFinding(folder: FileMode | undefined, files: readonly FileMode[]): Finding {
  const check = 'DATA_DIR';
  if (!folder) return ok(check, 'It does not exist yet; the service creates it for its user only.');
  // Nobody else reaches the files in such a folder, whatever their modes are.
  if ((folder.mode & OTHERS) === 0) return ok(check, 'Only its user has access.');
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
      'It is empty: nothing was imported.',
      'Start the service, or run npm run catalog -- import',
    );
  return ok('catalog', `${state.entries} entries, imported ${state.publishedAt.slice(0, 10)}.`);
}

/** Findings of the features about what is stored. */
export async function storedFindings(
  features: readonly Feature[],
  parts: Pick<RecordParts, 'table'>,
): Promise<readonly Finding[]> {
  const found = features.map(async (feature) => (await feature.doctor?.())?.stored?.(parts) ?? []);
  return (await Promise.all(found)).flat();
}
