// Fence around worker processes: protections that limit what native code can access if a malicious drawing takes over a
// worker.
import { mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIMITS_LAUNCHER, namespaceLauncher, WORKERS_FOLDER } from './fence-launcher.js';

export interface Fence {
  /** Program and arguments that start Node; empty if Node is started directly. */
  readonly launcher: readonly string[];
  readonly nodeFlags: readonly string[];
  /** Active protections as text, for the log and for the command `doctor`. */
  readonly holds: readonly string[];
  /** Protections that are not available on this machine, each with its reason. */
  readonly lacks: readonly string[];
  /**
   * True if the workers run in namespaces. Then even native code cannot access the network, or the folders that the
   * namespaces hide.
   */
  readonly hasNamespaces: boolean;
}

interface Part {
  readonly words: string;
  readonly launcher?: readonly string[];
  readonly nodeFlags?: readonly string[];
}

export const NO_FENCE: Fence = { launcher: [], nodeFlags: [], holds: [], lacks: [], hasNamespaces: false };

const PACKAGE = fileURLToPath(new URL('../../../../', import.meta.url));
const CHECK = join(WORKERS_FOLDER, 'rasterize/fence-check.js');
/**
 * `CODE`: files and folders with the code that workers run. `HIDDEN`: folders around this code. Workers cannot read
 * anything else in these folders.
 */
const { hidden: HIDDEN, code: CODE } = codeOf(PACKAGE);
/**
 * Time limit in ms for checking whether a worker can start with a protection. The limit is long, because a timeout on a
 * busy machine would turn the protection off.
 */
const CHECK_LIMIT_MS = 60_000;
const MAX_REASON_LENGTH = 200;
/**
 * Matches folders that must stay visible, because no program starts without them. They stay visible even if one of them
 * is the home folder of the user.
 */
const SYSTEM_FOLDER = /^\/(?:(?:bin|dev|etc|lib\w*|proc|sbin|sys|usr)(?:\/|$)|$)/;

const LIMITS: Part = {
  words: 'no new privileges, bounded memory, no bytes written to files',
  launcher: LIMITS_LAUNCHER,
};
const PERMISSIONS: Part = {
  words: "Node's permission model",
  nodeFlags: ['--permission', '--allow-addons', '--allow-worker', ...CODE.map((path) => `--allow-fs-read=${path}`)],
};

/**
 * Returns the folders to hide, and the code in them that stays visible. `folder` is the package's own folder. If the
 * package is installed in a project, the project's folder is hidden, except its `node_modules` with the package and its
 * dependencies. If the package is installed globally, its `node_modules` is in a folder `lib`. This `lib` is not
 * hidden, because it also contains the system's libraries.
 */
export function codeOf(folder: string): { readonly hidden: readonly string[]; readonly code: readonly string[] } {
  const [project = '', ...rest] = folder.split('/node_modules/');
  if (rest.length > 0) return { hidden: project.endsWith('/lib') ? [] : [project], code: [`${project}/node_modules`] };
  return { hidden: [folder], code: ['dist', 'node_modules', 'package.json'].map((name) => join(folder, name)) };
}

/**
 * Tries fences from the strongest to the weakest, and returns the first fence with which a worker can start on this
 * machine. A fence with namespaces hides `dataDir` if it exists.
 */
export async function openFence(dataDir: string): Promise<Fence> {
  const hidden = [dataDir, ...HIDDEN, ...homes(), '/tmp', '/run'];
  const namespaces: Part = {
    words: 'namespaces without network, devices, home, temporary and data folders, all other files read-only',
    launcher: namespaceLauncher({ hidden, kept: [process.execPath, ...CODE] }),
  };
  const reasons = new Map<Part, string>();
  const hasPermissions = process.allowedNodeEnvironmentFlags.has('--permission');
  if (!hasPermissions) reasons.set(PERMISSIONS, `Node ${process.version} does not have the permission model`);
  const candidates = [[namespaces, PERMISSIONS], [namespaces], [LIMITS, PERMISSIONS], [LIMITS], [PERMISSIONS]];
  for (const parts of candidates) {
    if (parts.includes(PERMISSIONS) && !hasPermissions) continue;
    const reason = await failureBehind(parts);
    if (reason === undefined) return fenceOf(parts, reasons, namespaces);
    for (const part of parts) if (!reasons.has(part)) reasons.set(part, reason);
  }
  return fenceOf([], reasons, namespaces);
}

/** Returns the user's home folder. In containers, a user id may have no account, and therefore no home folder. */
function homes(): readonly string[] {
  try {
    return [homedir()].filter((folder) => !SYSTEM_FOLDER.test(folder));
  } catch {
    return [];
  }
}

function fenceOf(parts: readonly Part[], reasons: ReadonlyMap<Part, string>, namespaces: Part): Fence {
  // The namespace launcher also sets the limits. With namespaces, LIMITS is therefore not a separate part, but `holds`
  // still lists it.
  const wanted = parts.includes(namespaces) ? [namespaces, PERMISSIONS] : [namespaces, LIMITS, PERMISSIONS];
  return {
    ...argumentsOf(parts),
    holds: [...parts, ...(parts.includes(namespaces) ? [LIMITS] : [])].map(({ words }) => words),
    lacks: wanted.filter((part) => !parts.includes(part)).map((part) => `${part.words} (${reasons.get(part) ?? ''})`),
    hasNamespaces: parts.includes(namespaces),
  };
}

function argumentsOf(parts: readonly Part[]): Pick<Fence, 'launcher' | 'nodeFlags'> {
  return {
    launcher: parts.flatMap(({ launcher = [] }) => launcher),
    nodeFlags: parts.flatMap(({ nodeFlags = [] }) => nodeFlags),
  };
}

/** Returns the reason why no worker can start with these protections, or undefined if a worker can start. */
function failureBehind(parts: readonly Part[]): Promise<string | undefined> {
  const { launcher, nodeFlags } = argumentsOf(parts);
  const [program, ...words] = [...launcher, process.execPath, ...nodeFlags, CHECK];
  const options = { cwd: WORKERS_FOLDER, env: {}, timeout: CHECK_LIMIT_MS, killSignal: 'SIGKILL' } as const;
  const failure = new Promise<string | undefined>((resolve) => {
    execFile(program, words, options, (error, _, stderr) => {
      const said = stderr.split('\n').find((line) => line.includes(': ') && !line.includes('Warning'));
      resolve(error ? (said ?? error.message).slice(0, MAX_REASON_LENGTH) : undefined);
    });
  });
  return failure.catch(String);
}

/**
 * Returns the fence for the service's worker processes, and logs its protections. Creates `dataDir` first, because a
 * fence hides only existing folders.
 */
export async function openServiceFence(dataDir: string, log: Pick<Logger, 'info' | 'warn'>): Promise<Fence> {
  // A failure is ignored, because other code that needs the folder will report the reason.
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const fence = await openFence(dataDir);
  const { holds, lacks } = fence;
  log[fence.hasNamespaces ? 'info' : 'warn']({ holds, lacks }, 'sandbox of the worker processes');
  return fence;
}
