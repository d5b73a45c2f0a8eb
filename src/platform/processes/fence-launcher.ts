// Launchers of worker processes on Linux. The shell and util-linux set limits and namespaces, and then become the
// process.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Private writable memory of one process in KB. Node 24 reserves 0.7 GB before it uses any. */
const DATA_KB = 3 * 2 ** 20;
/** Maximum number of threads and processes behind one fence. */
const MOST_THREADS = 128;
/** First Linux version that counts threads by namespace. Older versions would count the service's threads, too. */
const COUNTING_LINUX = { major: 5, minor: 14 };
/** First file descriptor that the shell may use: 3 and 4 are the channels of the process. */
const FIRST_FREE_DESCRIPTOR = 5;

const LIMITS = `ulimit -c 0; ulimit -f 0; ulimit -d ${DATA_KB}`;
const shell = (...commands: readonly string[]): string[] => ['sh', '-c', ['set -e', ...commands].join('\n'), 'sh'];

/**
 * Working directory of workers. The service's own directory may be or contain the data folder, and Node 24 lets threads
 * read all of the working directory, regardless of flags.
 */
export const WORKERS_FOLDER = fileURLToPath(new URL('../../../workers/', import.meta.url));

export const LIMITS_LAUNCHER = shell(LIMITS, 'exec setpriv --no-new-privs "$@"');

/**
 * Devices that programs need. A root process could write to other devices (disks, for example), even without
 * capabilities.
 */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'];

/**
 * Makes every mount read-only, and keeps its other flags, because the flags of an outer namespace must stay. A mount
 * that no longer exists is below a covered folder. Automounters are skipped: they would mount something first, and
 * nothing can be written there.
 */
const READ_ONLY = `
while read -r _ _ _ _ place flags rest; do
  flags=\${flags%,idmapped}
  case "$flags $rest" in ro*|*' - autofs '*) continue;; esac
  case $place in *\\\\*) place=$(printf %b "$place");; esac
  mount --no-canonicalize -o "remount,bind,ro\${flags#rw}" none "$place" 2>/dev/null || [ ! -e "$place" ] || {
    echo "mount: $place cannot be made read-only" >&2
    exit 1
  }
done < /proc/self/mountinfo`;

interface Folders {
  /** Folders to cover with empty ones, if they exist. */
  readonly hidden: readonly string[];
  /** Files and folders inside them that stay readable. */
  readonly kept: readonly string[];
}

/**
 * Returns the launcher. A user namespace gives the rights to create the other namespaces; the rights are dropped before
 * the process starts.
 */
export function namespaceLauncher(folders: Folders): string[] {
  return [
    ...['unshare', '--user', '--map-root-user', '--mount', '--net', '--ipc'],
    ...shell(
      ...covering(folders),
      ...covering({ hidden: ['/dev'], kept: DEVICES }),
      // Enters the folder again: the original one is writable, and would still reach hidden folders through `..`.
      `cd ${quoted(WORKERS_FOLDER)}`,
      // A namespace inside this one would have rights again, which expose more of the kernel. Containers may forbid
      // this write.
      '{ echo 0 > /proc/sys/user/max_user_namespaces; } 2>/dev/null || :',
      READ_ONLY,
      LIMITS,
      // `-u` of bash is `-p` of dash.
      ...(isCounting(release()) ? [`ulimit -u ${MOST_THREADS} 2>/dev/null || ulimit -p ${MOST_THREADS}`] : []),
      'exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"',
    ),
  ];
}

/**
 * Returns commands that cover folders. Kept paths are held open meanwhile, and bound to their places in the empty
 * folders.
 */
function covering({ hidden, kept }: Folders): string[] {
  const folders = [...new Set(hidden.flatMap(existing))].filter((folder) => folder !== '/');
  const outer = folders.filter((folder) => !isBelowAny(folder, folders));
  const held = kept.filter((path) => existsSync(path) && isBelowAny(path, outer) && !isBelowAny(path, kept));
  const inner = folders.filter((folder) => !outer.includes(folder) && isBelowAny(`${folder}${sep}`, held));
  const isFolder = (path: string): boolean => statSync(path).isDirectory();
  const places = held.map((path) => quoted(isFolder(path) ? path : dirname(path)));
  return [
    ...held.map((path, at) => `exec ${FIRST_FREE_DESCRIPTOR + at}<${quoted(path)}`),
    ...outer.map(cover),
    ...(held.length > 0 ? [`mkdir -p ${places.join(' ')}`] : []),
    ...held.filter((path) => !isFolder(path)).map((path) => `: > ${quoted(path)}`),
    ...held.map((path, at) => bindHeld(FIRST_FREE_DESCRIPTOR + at, path)),
    ...inner.map(cover),
  ];
}

/** Covers a folder. Because of its mode, only root can write to it. */
function cover(folder: string): string {
  return `mount -t tmpfs -o nosuid,nodev,size=64k,mode=555 tmpfs ${quoted(folder)}`;
}

/**
 * Binds a held path read-only; devices stay writable nevertheless. Closes the descriptor afterwards: an open one would
 * still reach hidden folders through `..`.
 */
function bindHeld(descriptor: number, path: string): string {
  const source = `/proc/self/fd/${descriptor}`;
  const flags = statSync(path).isCharacterDevice() ? 'ro,nosuid' : 'ro,nosuid,nodev';
  return `mount --no-canonicalize --rbind -o ${flags} ${source} ${quoted(path)}; exec ${descriptor}<&-`;
}

function existing(folder: string): string[] {
  try {
    return [realpathSync(folder)];
  } catch {
    return [];
  }
}

function isBelowAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(folder + sep));
}

/** Quotes a path for the shell. */
function quoted(path: string): string {
  return `'${resolve(path).replaceAll("'", `'\\''`)}'`;
}

/** Returns true if this version, such as `6.1.0-13-amd64`, counts threads by namespace. */
function isCounting(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > COUNTING_LINUX.major || (major === COUNTING_LINUX.major && minor >= COUNTING_LINUX.minor);
}
