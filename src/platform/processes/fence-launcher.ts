// Launchers of worker processes on Linux. A launcher is a shell command that sets limits and namespaces with
// util-linux, and then becomes the worker by `exec`.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Maximum private writable memory of one process in KB. Node 24 reserves 0.7 GB at start. */
const DATA_KB = 3 * 2 ** 20;
/** Maximum number of threads and processes of a worker. */
const MOST_THREADS = 128;
/** First Linux version that counts threads per namespace. Older versions would also count the service's threads. */
const COUNTING_LINUX = { major: 5, minor: 14 };
/** First file descriptor that the shell may use. The worker uses descriptors 3 and 4 for its channels. */
const FIRST_FREE_DESCRIPTOR = 5;

const LIMITS = `ulimit -c 0; ulimit -f 0; ulimit -d ${DATA_KB}`;
const shell = (...commands: readonly string[]): string[] => ['sh', '-c', ['set -e', ...commands].join('\n'), 'sh'];

/**
 * Working directory of workers. In Node 24, threads can read the whole working directory, despite Node's permission
 * flags. Therefore the service's own working directory is not used: it may be or contain the data folder.
 */
export const WORKERS_FOLDER = fileURLToPath(new URL('../../../workers/', import.meta.url));

export const LIMITS_LAUNCHER = shell(LIMITS, 'exec setpriv --no-new-privs "$@"');

/**
 * Devices that programs need. All other devices are hidden, because a root process could write to disks even without
 * capabilities.
 */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'];

/**
 * Shell script that makes every mount read-only. It keeps the other flags of a mount, because a namespace cannot remove
 * flags that the outer namespace has set. It skips mounts inside hidden folders, because their paths no longer exist.
 * It skips automounters, because remounting them would mount their targets.
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
  /** Folders whose content is hidden: an empty folder is mounted over each of them. Missing folders are ignored. */
  readonly hidden: readonly string[];
  /** Files and folders inside `hidden` that stay readable. */
  readonly kept: readonly string[];
}

/**
 * Returns the launcher that creates namespaces. A user namespace gives the rights to create the other namespaces. The
 * rights are dropped before the worker starts.
 */
export function namespaceLauncher(folders: Folders): string[] {
  return [
    ...['unshare', '--user', '--map-root-user', '--mount', '--net', '--ipc'],
    ...shell(
      ...covering(folders),
      ...covering({ hidden: ['/dev'], kept: DEVICES }),
      // Enters the working directory again through the new mounts. Otherwise the working directory would still be
      // writable, and its `..` would lead to hidden folders.
      `cd ${quoted(WORKERS_FOLDER)}`,
      // Forbids further user namespaces, because a process in a nested user namespace would have rights again.
      // Containers may forbid this write, so its failure is ignored.
      '{ echo 0 > /proc/sys/user/max_user_namespaces; } 2>/dev/null || :',
      READ_ONLY,
      LIMITS,
      // The option for the number of processes is `-u` in bash, `-p` in dash.
      ...(isCounting(release()) ? [`ulimit -u ${MOST_THREADS} 2>/dev/null || ulimit -p ${MOST_THREADS}`] : []),
      'exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"',
    ),
  ];
}

/**
 * Returns shell commands that hide folders. The commands first open the paths in `kept`, then hide the folders, and
 * then mount the opened files and folders at the same paths again.
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

/**
 * Returns the command that hides the content of a folder: it mounts an empty folder over it. Only root can write to the
 * empty folder.
 */
function cover(folder: string): string {
  return `mount -t tmpfs -o nosuid,nodev,size=64k,mode=555 tmpfs ${quoted(folder)}`;
}

/**
 * Returns the command that makes a file or folder visible again after `cover` has hidden it. The command mounts the
 * opened `descriptor` read-only at `path`. Devices stay writable even on a read-only mount. The command then closes the
 * descriptor, because an open descriptor would still reach hidden folders through `..`.
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

function quoted(path: string): string {
  return `'${resolve(path).replaceAll("'", `'\\''`)}'`;
}

/** Returns true if this Linux version, such as `6.1.0-13-amd64`, counts threads per namespace. */
function isCounting(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > COUNTING_LINUX.major || (major === COUNTING_LINUX.major && minor >= COUNTING_LINUX.minor);
}
